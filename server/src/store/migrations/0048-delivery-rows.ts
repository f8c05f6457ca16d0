import { type Kysely, sql } from 'kysely'

/** Each delivery has a row, and the status of an alert is written: no batches, no late deliveries, no unwritten status. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  'select unpack_batches(array(select id from delivery_batches))',
  'drop trigger unpack_retracted on alerts',
  'drop function unpack_retracted',
  'drop function unpack_batches',
  'drop table delivery_batches',
  `create or replace function forget_alerts() returns trigger language plpgsql as $$
    begin
      delete from deliveries where alert_id = any(array(select id from gone));
      return null;
    end $$`,
  `update alerts a set status = case when exists (select from deliveries d where d.alert_id = a.id and d.kind = 'alert'
      and d.status = 'pending') then 'pending' else 'delivered' end
    where status = 'late' or (status = 'pending' and exists (select from deliveries d where d.alert_id = a.id))`,
  'drop index deliveries_fresh',
  'alter table deliveries drop column is_late',
]
