/** The rows of `deliveries`, and those that are in batches and have no row yet. For a statement after `from`. */
export const allDeliveries = `(
  select id, seq, alert_id, kind, status, attempts, attempts_count, due_at, resource_id, resource, sent from deliveries
  union all select u.id, 0, u.alert_id, 'alert', 'pending', '[]', 0, b.created_at, b.resource_id, b.resource, null
  from delivery_batches b cross join lateral unnest(b.ids, b.alert_ids) as u (id, alert_id)
  where not exists (select from deliveries d where d.id = u.id)) d`
