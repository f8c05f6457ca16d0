import { type RawBuilder, sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import { integerArray, textArray } from '../core/sql-lists.ts'
import type { DeliveryAttempt } from '../core/tables.ts'
import type { UndoneBlock } from './retractions.ts'

/** A new batch, with the ids of its deliveries and of their alerts. */
export type NewBatch = { resource_id: string; resource: string; blueprint: string; ids: string[]; alert_ids: string[] }
/** A batch that a lane has taken. */
export type TakenBatch = { id: string; resourceId: string; ids: string[]; alertIds: string[]; createdMs: number }
/** A delivery of a batch that gets a row: as delivered if its first attempt arrived, else as pending. */
export type PackedDelivery = {
  batchId: string
  id: string
  alertId: string
  firstSuccess?: DeliveryAttempt | undefined
}

/** A batch has at most this many deliveries. */
export const batchSizeMax = 500

/**
 * A batch is one row for many pending deliveries to one resource. Almost all of them arrive at the first attempt. Then their
 * rows are written once, as delivered, instead of once as pending and again as delivered.
 *
 * A lane takes a batch as a whole: it writes its owner into it, then it sends the deliveries. Each commit of results adds the
 * rows of the deliveries that were sent, and the last one deletes the batch. Whoever else needs a row of each delivery unpacks
 * the batch first: its deliveries that have no row get one as pending, the batch is deleted, and all goes on as if there had
 * been no batch. If a lane has taken the batch, the deliveries count as taken by that lane.
 *
 * Everyone locks in this order: lanes, batches, alerts, deliveries.
 */
export function deliveryBatchesTable({ db }: Base) {
  const unpack = async (ids: readonly string[]) => {
    if (ids.length > 0) await sql`select unpack_batches(${ids}::bigint[])`.execute(db)
  }
  /** Searches first, because almost always there is nothing to unpack. */
  const unpackWhere = async (which: RawBuilder<unknown>) => {
    const { rows } = await sql<{ id: string }>`select b.id from delivery_batches b where ${which}`.execute(db)
    await unpack(rows.map(({ id }) => id))
  }
  return {
    /**
     * Takes the oldest batches that no lane has taken, with at most `limit` deliveries for a lane. A larger batch is not taken.
     * The commit is on the disk before the lanes send anything.
     */
    async take(lanes: readonly { resourceId: string; owner: string; limit: number }[]): Promise<TakenBatch[]> {
      const [resourceIds, owners] = [lanes.map(({ resourceId }) => resourceId), lanes.map(({ owner }) => owner)]
      const { rows } = await sql<TakenBatch>`
        update delivery_batches b set owner = first.owner
        from unnest(${resourceIds}::text[], ${owners}::text[], ${lanes.map(({ limit }) => limit)}::integer[])
            as t (resource_id, owner, most)
          join lanes l on l.resource_id = t.resource_id and l.owner = t.owner
          cross join lateral (select f.id, t.owner, sum(f.size) over (order by f.id) as total from delivery_batches f
            where f.resource_id = t.resource_id and f.owner is null and f.size <= t.most) first
        where b.id = first.id and b.owner is null and first.total <= t.most
        returning b.id, b.resource_id as "resourceId", to_json(b.ids) as ids, to_json(b.alert_ids) as "alertIds",
          date_part('epoch', b.created_at) * 1000 as "createdMs"`.execute(db)
      return rows
    },
    /** Locks batches until the transaction ends, and returns the ids of those that were not unpacked meanwhile. */
    async lock(ids: readonly string[]): Promise<ReadonlySet<string>> {
      if (ids.length === 0) return new Set()
      const { rows } = await sql<{ id: string }>`
        select id from delivery_batches where id = any(${ids}::bigint[]) order by id for update`.execute(db)
      return new Set(rows.map(({ id }) => id))
    },
    /** Adds the rows of deliveries of locked batches. `ended` are the batches whose last deliveries these are. */
    async addRows(deliveries: readonly PackedDelivery[], ended: readonly string[], at: Date): Promise<void> {
      if (deliveries.length === 0) return
      const batches = [...new Set(deliveries.map(({ batchId }) => batchId))]
      const places = new Map(batches.map((id, place) => [id, place]))
      await sql`
        with batches as materialized (select t.place - 1 as place, b.resource_id, b.resource, b.blueprint, b.created_at
          from unnest(${batches}::bigint[]) with ordinality as t (id, place) join delivery_batches b on b.id = t.id),
        ended as (delete from delivery_batches where id = any(${ended}::bigint[]))
        insert into deliveries (id, alert_id, resource_id, resource, blueprint, status, attempts, attempts_count, due_at,
          created_at, updated_at)
        select d.id, d.alert_id, b.resource_id, b.resource, b.blueprint,
          case when d.attempts = '[]' then 'pending' else 'delivered' end, d.attempts::json,
          case when d.attempts = '[]' then 0 else 1 end, ${at}::timestamptz, b.created_at, ${at}::timestamptz
        from unnest(${textArray(deliveries.map(({ id }) => id))}, ${textArray(deliveries.map(({ alertId }) => alertId))},
          ${textArray(deliveries.map(({ firstSuccess }) => (firstSuccess ? `[${json(firstSuccess)}]` : '[]')))},
          ${integerArray(deliveries.map(({ batchId }) => places.get(batchId) ?? 0))}) as d (id, alert_id, attempts, place)
        join batches b on b.place = d.place`.execute(db)
    },
    unpack,
    unpackOfOwners: (owners: readonly string[]) => unpackWhere(sql`b.owner = any(${owners}::text[])`),
    unpackOfResources: (ids: readonly string[]) => unpackWhere(sql`b.resource_id = any(${ids}::text[])`),
    unpackOfDeletedResources: () => unpackWhere(sql`not exists (select from resources r where r.id = b.resource_id)`),
    unpackLarger: (resourceIds: readonly string[], size: number) =>
      unpackWhere(sql`b.resource_id = any(${resourceIds}::text[]) and b.size > ${size} and b.owner is null`),
    unpackBefore: (before: Date) => unpackWhere(sql`b.created_at < ${before}`),
    unpackOfAlerts: (ids: readonly string[]) => unpackWhere(hasAlert(sql`select unnest(${ids}::text[])`)),
    unpackOfBlocks: (source: string, blocks: readonly UndoneBlock[]) =>
      unpackWhere(
        hasAlert(sql`select id from alerts where source = ${source} and (block_hash, incarnation) in (select * from unnest(
          ${blocks.map(({ hash }) => hash)}::text[], ${blocks.map(({ incarnation }) => incarnation)}::integer[]))`),
      ),
  }
}

/** On a row `b`: one of its alerts is among these. */
function hasAlert(alertIds: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (select from unnest(b.alert_ids) as packed (id) where packed.id in (${alertIds}))`
}

/**
 * The alerts whose delivery is in a batch and has no row. A count, because PostgreSQL would make a join of `not exists` and
 * might read all deliveries.
 */
export const packedAlertIds = sql`select packed.alert_id from delivery_batches b
  cross join lateral unnest(b.alert_ids) as packed (alert_id)
  where (select count(*) from (select from deliveries d where d.alert_id = packed.alert_id limit 1) as first) = 0`
