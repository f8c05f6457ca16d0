import type { AlertState, Severity } from '@tocsin/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import { literals } from '../core/sql-lists.ts'
import { storableJson } from '../core/storable.ts'
import type { DeliveryAttempt } from '../core/tables.ts'
import { movesFrom } from './alert-status.ts'
import { deliveryId } from './delivery-id.ts'
import type { Fold } from './folded-deliveries.ts'
import { type LastDelivery, newDelivery } from './replays.ts'

/** A delivery that a lane has taken, without its content. */
export type TakenDelivery = {
  id: string
  resource_id: string
  alert_id: string
  kind: 'alert' | 'retraction'
  /** Null when there were no attempts. */
  attempts: DeliveryAttempt[] | null
  attempts_count: number
  createdMs: number
  dueMs: number
  /** A firing alert was sent so many times before. */
  repeat: number
}
/** The content of an alert. */
export type AlertContent = {
  /** Stays JSON text, because most channels do not read into it. */
  messageJson: string
  rawJson: string
  humanJson: string
  /** Null without a policy. */
  policyJson?: string | null
  reason: string | null
  subscription_id: string | null
  trigger_id: string | null
  workspace_id: string
  project_id: string | null
  workspace: string
  project: string
  trigger: string
  severity: Severity
  state: AlertState | null
  resolves: string | null
  duration_ms: string | number | null
  backfilled: boolean
  source: string | null
  /** The source of the alert, or of its trigger if no item caused the alert; and its title, if it is a custom source. */
  network_source?: string | null
  network?: string | null
  block_number: string | number | null
  block_hash: string | null
  alerted_at: Date
  /** The time of the block or of the tick that caused the alert. */
  item_at: Date
  /** True if the alert reports that deliveries to a resource fail or work again. */
  isHealthReport?: boolean
}
/** The content of a delivery. `reference` is the channel's reply to the alert that this one corrects or resolves. */
export type DeliveryContent = { content: AlertContent; reference: Record<string, unknown> | null }
/** A delivery with all that its destination needs. `folded`: the deliveries that its message tells of too. */
export type PendingDelivery = TakenDelivery & DeliveryContent & { folded?: Fold['members'] }
export type TakeQuery = {
  resourceId: string
  /** The turn that holds the lane. For any other owner the query returns nothing. */
  owner: string
  /** For an unordered lane: the earliest due time to consider. */
  from?: Date
  limit: number
  /** Deliveries that were taken before and whose results are not recorded yet. */
  open: readonly string[]
  /** Long queues of an ordered lane are folded before the lane takes from them. */
  folds?: boolean
}
export type TakeOptions = { ordered: boolean; now: Date }
export type DeliveryResult = {
  id: string
  status: 'pending' | 'delivered' | 'dead'
  attempts: DeliveryAttempt[]
  attemptsCount: number
  dueAt: Date
  sent: Record<string, unknown> | null
  mayHaveArrived: boolean
}
/**
 * `isAnyPending`: a delivery after `after` is pending, due or not, or a lane has taken some. `hasOrphans`: the resource of a
 * pending delivery was deleted.
 */
export type DueResources = { resourceIds: string[]; isAnyPending: boolean; hasOrphans: boolean }

export function deliveriesTable({ db }: Pick<Base, 'db'>) {
  return {
    /**
     * Takes deliveries for several lanes: in an ordered lane the most severe ones first, of these the oldest, due or not, without
     * those that the message of another one tells of; else the due ones, longest waiting first. It records what it takes before
     * the lanes send it, so that after a crash the next owner knows which deliveries may have arrived. `open` is one subquery for all lanes because PostgreSQL hashes it; it would scan a list for every row.
     */
    async take(queries: readonly TakeQuery[], { ordered, now }: TakeOptions): Promise<TakenDelivery[]> {
      if (queries.length === 0) return []
      const from = ordered ? sql`deliveries d join alerts a on a.id = d.alert_id` : sql`deliveries d`
      const rank = ordered ? urgencyOf(sql`a.severity`) : sql`0`
      const which = ordered
        ? sql`and d.folded_into is null order by rank, d.seq`
        : sql`and d.due_at between coalesce(h."from", '-infinity') and ${now} order by d.due_at, d.seq`
      const { rows } = await sql<TakenDelivery>`
        with queries as materialized (select * from json_to_recordset(${JSON.stringify(queries)}) as q ("resourceId" text,
            owner text, "from" timestamptz, "limit" integer, open json)),
        held as materialized (select q.* from queries q join lanes l on l.resource_id = q."resourceId" and l.owner = q.owner),
        candidates as materialized (select d.* from held h cross join lateral (
          select d.id, d.resource_id, d.alert_id, d.kind, d.attempts, d.attempts_count, d.created_at, d.due_at, d.repeat, d.seq,
            ${rank} as rank
          from ${from}
          where d.resource_id = h."resourceId" and d.status = 'pending'
            and d.id not in (select json_array_elements_text(open) from held) ${which} limit h."limit") d),
        recorded as (insert into taken_deliveries (owner, resource_id, ids)
          select owner, "resourceId", to_json(array(select json_array_elements_text(open)) || c.ids) from held h
          left join (select resource_id, array_agg(id) as ids from candidates group by 1) c on c.resource_id = "resourceId"
          on conflict (owner) do update set ids = excluded.ids)
        select id, resource_id, alert_id, kind, case when attempts_count > 0 then attempts end as attempts, attempts_count,
          date_part('epoch', created_at) * 1000 as "createdMs", date_part('epoch', due_at) * 1000 as "dueMs", repeat
        from candidates order by ${ordered ? sql`rank, seq` : sql`due_at, seq`}`.execute(db)
      return rows
    },
    /** The contents of these deliveries, by delivery id. */
    async findContents(deliveryIds: readonly string[]): Promise<Map<string, DeliveryContent>> {
      if (deliveryIds.length === 0) return new Map()
      const { rows } = await sql<AlertContent & Pick<DeliveryContent, 'reference'> & { id: string }>`
        select d.id, ${contentColumns}, a.kind = 'health' as "isHealthReport",
          case when d.kind = 'retraction' then ${referenceOf(sql`d.alert_id`)} when a.resolves is not null
            then ${referenceOf(sql`a.resolves`)} end as reference
        from deliveries d join alerts a on a.id = d.alert_id join workspaces w on w.id = a.workspace_id ${outputs}
        where d.id = any(${deliveryIds})`.execute(db)
      return new Map(rows.map(({ id, reference, ...content }) => [id, { content, reference }]))
    },
    /**
     * The resources after `after` that have a due delivery or one left by a dead process, and whose lane is free. The query
     * jumps from one resource to the next in the index, so its cost does not depend on the number of deliveries.
     */
    async findDueResources(after: string, limit: number, now: Date): Promise<DueResources> {
      const next = (than: ReturnType<typeof sql>) => sql`
        select resource_id, due_at from deliveries
        where status = 'pending' and resource_id > ${than} order by resource_id, due_at limit 1`
      const { rows } = await sql<DueResources>`
        with recursive waiting as ((${next(sql`${after}::text`)}) union all
          select n.* from waiting cross join lateral (${next(sql`waiting.resource_id`)}) n),
        due as (select w.resource_id from waiting w left join lanes l on l.resource_id = w.resource_id
          where w.due_at <= ${now} and (l.owner is null or l.lease_until < now())
            and (l.not_before is null or l.not_before <= ${now})
          union select l.resource_id from taken_deliveries t join lanes l using (resource_id)
            where l.resource_id > ${after} and (l.owner is null or l.lease_until < now())
              and (l.not_before is null or l.not_before <= ${now})
          order by 1 limit ${limit})
        select array(select resource_id from due) as "resourceIds",
          exists (select from waiting) or exists (select from taken_deliveries) as "isAnyPending",
          exists (select from deliveries where status = 'pending' and resource_id is null) as "hasOrphans"`.execute(db)
      return rows[0] ?? { resourceIds: [], isAnyPending: false, hasOrphans: false }
    },
    /** Locks the alerts against a concurrent reorg, and returns the ids of those that are already retracted. */
    async lockAlerts(alertIds: readonly string[]): Promise<string[]> {
      const rows = await lockStatuses(db, alertIds)
      return rows.flatMap(({ id, status }) => (status === 'retracted' ? id : []))
    },
    /** Locks alerts, and returns the ids of those that are not retracted and do not wait for the finality of their block. */
    async lockSendable(alertIds: readonly string[]): Promise<string[]> {
      const rows = await lockStatuses(db, alertIds)
      return rows.flatMap(({ id, status }) => (status === 'retracted' || status === 'waiting' ? [] : id))
    },
    /**
     * A delivery that was dropped while it was being sent stays dropped, unless it arrived. PostgreSQL must look up each id in
     * the index. When it collects its statistics, almost all deliveries have arrived. So it expects few pending ones, and would
     * read all of them for each id; `coalesce` hides the condition on the status from it.
     */
    async recordResults(results: readonly DeliveryResult[], at: Date): Promise<void> {
      await findByIndex(db)
      await sql`
        update deliveries d set
          status = case when d.status = 'dropped' and s.status <> 'delivered' then d.status else s.status end,
          attempts = s.attempts, attempts_count = s."attemptsCount", due_at = s."dueAt", sent = coalesce(s.sent, d.sent),
          may_have_arrived = d.may_have_arrived or s."mayHaveArrived", updated_at = ${at}
        from json_to_recordset(${storableJson(results)}) as s (id text, status text, attempts json, "attemptsCount" integer,
          "dueAt" timestamptz, sent json, "mayHaveArrived" boolean)
        where d.id = s.id and coalesce(d.status, '') in ('pending', 'dropped')`.execute(db)
    },
    /**
     * Applies the event `deliveries_changed` of alert-status.ts. The lateral join works alert by alert, because for a list
     * of ids the planner would read all deliveries.
     */
    async updateAlertStatuses(alertIds: readonly string[], at: Date): Promise<void> {
      await sql`
        update alerts a set status = x.status, updated_at = ${at}
        from unnest(${alertIds}::text[]) as wanted (id) cross join lateral (
          select case when bool_or(status = 'pending') then 'pending'
            when bool_or(status = 'dead') or not bool_or(status = 'delivered') then 'failed' else 'delivered' end as status
          from (select distinct on (resource) status from deliveries d
            where d.alert_id = wanted.id and d.kind = 'alert' order by resource, seq desc) latest having count(*) > 0) x
        where a.id = wanted.id and a.status in (${literals(movesFrom.deliveries_changed)}) and a.status <> x.status`.execute(
        db,
      )
    },
    async findAlertIds(deliveryIds: readonly string[]): Promise<string[]> {
      const rows = await db
        .selectFrom('deliveries')
        .select('alert_id')
        .distinct()
        .where('id', '=', sql<string>`any(${deliveryIds})`)
        .execute()
      return rows.map((row) => row.alert_id)
    },
    /** Marks the unfinished deliveries that a dead owner had taken: they may have been sent. */
    async markMayHaveArrived(deliveryIds: readonly string[], at: Date): Promise<{ id: string; alertId: string }[]> {
      return db
        .updateTable('deliveries')
        .set({ may_have_arrived: true, updated_at: at })
        .where('id', '=', sql<string>`any(${deliveryIds})`)
        .where('kind', '=', 'alert')
        .where('status', 'in', ['pending', 'dropped'])
        .returning(['id', 'alert_id as alertId'])
        .execute()
    },
    /** Adds one retraction for each of these deliveries that arrived or may have arrived, in the order of the deliveries. */
    async addRetractions(deliveryIds: readonly string[], at: Date): Promise<void> {
      const delivered = await db
        .selectFrom('deliveries as d')
        .select(['d.alert_id', 'd.resource_id', 'd.resource', 'd.blueprint'])
        .where('d.id', '=', sql<string>`any(${deliveryIds})`)
        .where((is) => is.or([is('d.status', '=', 'delivered'), is('d.may_have_arrived', '=', true)]))
        .orderBy('d.seq')
        .execute()
      const retractions = delivered.flatMap((row) =>
        row.resource_id === null ? [] : { ...newDelivery(row.resource_id, row, at), kind: 'retraction' as const },
      )
      if (retractions.length === 0) return
      await db
        .insertInto('deliveries')
        .values(retractions)
        .onConflict((on) => on.column('id').doNothing())
        .execute()
    },
    /**
     * Sends firing alerts again, where the last delivery is not still pending. Returns the ids of the resources. A retracted
     * alert is not sent again.
     */
    async addRepeats(repeats: readonly { alertId: string; repeat: number }[], at: Date): Promise<string[]> {
      if (repeats.length === 0) return []
      const { rows } = await sql<
        Pick<LastDelivery, 'alert_id' | 'resource_id' | 'resource' | 'blueprint'> & { repeat: number }
      >`
        select last.alert_id, last.resource_id, last.resource, last.blueprint, r.repeat from json_to_recordset(${json(repeats)}::json) as r("alertId" text, repeat integer)
        join alerts a on a.id = r."alertId" and a.status <> 'retracted'
        cross join lateral (select distinct on (resource_id) alert_id, resource_id, resource, blueprint, status
          from deliveries d where d.alert_id = r."alertId" and d.kind = 'alert' and d.resource_id is not null
          order by resource_id, seq desc) last
        where last.status in ('delivered', 'dead')`.execute(db)
      if (rows.length === 0) return []
      const values = rows.map((last) => ({
        ...newDelivery(last.resource_id, last, at),
        id: deliveryId(last.alert_id, last.resource_id, 'repeat', last.repeat),
        repeat: last.repeat,
      }))
      await db
        .insertInto('deliveries')
        .values(values)
        .onConflict((on) => on.column('id').doNothing())
        .execute()
      await this.updateAlertStatuses([...new Set(rows.map((last) => last.alert_id))], at)
      return [...new Set(rows.map((last) => last.resource_id))]
    },
    /** Drops pending deliveries whose resource was deleted, and returns the ids of their alerts. */
    async dropOrphans(limit: number, at: Date): Promise<string[]> {
      const { rows } = await sql<{ alert_id: string }>`
        update deliveries set status = 'dropped', updated_at = ${at} where id in (
          select id from deliveries where status = 'pending' and resource_id is null limit ${limit}
          for update skip locked)
        returning alert_id`.execute(db)
      return rows.map((row) => row.alert_id)
    },
  }
}

/** Critical alerts overtake what waits in the same destination. */
function urgencyOf(severity: RawBuilder<unknown>): RawBuilder<number> {
  return sql`case ${severity} when 'critical' then 0 when 'warning' then 1 else 2 end`
}

/** Everyone locks alerts in the order of their ids, so that two transactions do not wait for each other. */
function lockStatuses(db: Base['db'], alertIds: readonly string[]) {
  return db
    .selectFrom('alerts')
    .select(['id', 'status'])
    .where('id', '=', sql<string>`any(${alertIds})`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/**
 * Until the transaction ends, PostgreSQL finds rows by an index. For hundreds of ids it would otherwise read a table of up
 * to a hundred thousand rows as a whole, in every commit.
 */
async function findByIndex(db: Base['db']): Promise<void> {
  await sql`set local enable_seqscan = off`.execute(db)
}

/** On a row `a` of `alerts` and its workspace `w`. */
const contentColumns = sql`a.message::text as "messageJson", coalesce(t.raw, t.item) as "rawJson",
  coalesce(t.human, t.raw, t.item) as "humanJson", t.policy as "policyJson", a.reason, a.subscription_id,
  a.trigger_id, a.workspace_id, a.project_id, w.fullname as workspace, a.project, a.trigger, a.severity, a.backfilled, a.state,
  a.resolves, a.duration_ms, a.source, coalesce((a.shown_block ->> 'number')::bigint, a.block_number) as block_number,
  coalesce(a.shown_block ->> 'hash', a.block_hash) as block_hash, a.created_at as alerted_at, a.item_at,
  n.source as network_source, n.title as network`

/** The parts of the trace of alert `a` as JSON texts. `->` would parse the whole trace again for each of them. */
const outputs = sql`cross join lateral (
  select max(value::text) filter (where key = 'item') as item, max(value::text) filter (where key = 'raw') as raw,
    max(value::text) filter (where key = 'human') as human, max(value::text) filter (where key = 'policy') as policy
  from json_each(a.trace)) t
left join lateral (
  select x.source, (select s.meta ->> 'title' from custom_sources s where s.fullname = x.source) as title
  from (select coalesce(a.source, (select r.data_source from triggers r where r.id = a.trigger_id)) as source) x) n on true`

/** The latest delivered one, because a replay may have sent it twice. */
const referenceOf = (alertId: RawBuilder<unknown>) => sql`(select o.sent from deliveries o where o.alert_id = ${alertId}
  and o.kind = 'alert' and o.resource_id = d.resource_id and o.status = 'delivered' order by o.seq desc limit 1)`
