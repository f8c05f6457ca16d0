import { type Kysely, sql } from 'kysely'

/** Batches of pending deliveries; `delivery-batches.ts` explains them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table delivery_batches (
    id bigint generated always as identity primary key, resource_id text not null, resource text not null,
    blueprint text not null, owner text, size integer not null, ids text[] not null, alert_ids text[] not null,
    created_at timestamptz not null)`,
  // A batch lives for about a second, which is not worth the time to compress it.
  'alter table delivery_batches alter column ids set storage external, alter column alert_ids set storage external',
  'create index on delivery_batches (resource_id)',
  // Deliveries to deleted resources become orphans.
  `create function unpack_batches(batches bigint[]) returns void language sql as $$
    with locked as materialized (select * from delivery_batches where id = any(batches) order by id for update),
    unpacked as (delete from delivery_batches where id in (select id from locked)),
    added as (insert into deliveries (id, alert_id, resource_id, resource, blueprint, status, due_at, created_at, updated_at)
      select d.id, d.alert_id, (select r.id from resources r where r.id = l.resource_id), l.resource, l.blueprint, 'pending',
        l.created_at, l.created_at, l.created_at
      from locked l cross join lateral unnest(l.ids, l.alert_ids) with ordinality as d (id, alert_id, place)
      where exists (select from alerts a where a.id = d.alert_id)
      order by l.id, d.place on conflict (id) do nothing)
    insert into taken_deliveries as t (owner, resource_id, ids)
    select l.owner, l.resource_id, to_json(array_agg(d.id)) from locked l join resources r on r.id = l.resource_id
      cross join lateral unnest(l.ids) as d (id) where l.owner is not null group by l.owner, l.resource_id
    on conflict (owner) do update set ids = to_json(array(select json_array_elements_text(t.ids)
      union select json_array_elements_text(excluded.ids))) $$`,
  // Deleted alerts take their deliveries with them, also those in batches. A batch and its alerts have the same time.
  `create or replace function forget_alerts() returns trigger language plpgsql as $$
    declare packed bigint[] := array(select b.id from delivery_batches b
      where b.created_at between (select min(created_at) from gone) and (select max(created_at) from gone)
        and exists (select from unnest(b.alert_ids) as in_batch (id) join gone using (id)));
    begin
      if packed <> '{}' then perform unpack_batches(packed); end if;
      delete from deliveries where alert_id = any(array(select id from gone));
      return null;
    end $$`,
  // Processes of older versions retract alerts without a look at the batches.
  `create function unpack_retracted() returns trigger language plpgsql as $$
    declare packed bigint[] := array(select b.id from delivery_batches b
      where b.created_at between (select min(created_at) from changed) and (select max(created_at) from changed)
        and exists (select from unnest(b.alert_ids) as in_batch (id) join changed using (id) where status = 'retracted'));
    begin
      if packed <> '{}' then perform unpack_batches(packed); end if;
      return null;
    end $$`,
  `create trigger unpack_retracted after update on alerts referencing new table as changed
    for each statement execute function unpack_retracted()`,
]
