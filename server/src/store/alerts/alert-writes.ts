import type { AlertState, Message, Severity } from '@tocsin/contract'
import { sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import { integerArray, literals, nullableTextArray, textArray } from '../core/sql-lists.ts'
import { storableJson } from '../core/storable.ts'
import type { DeliveriesTable } from '../core/tables.ts'
import { type firstStatus, movesFrom } from './alert-status.ts'
import { groupByKind, type KindOf } from './group-by-kind.ts'

/** The block of a match. A block that is applied again after an undo has the same hash and another incarnation. */
export type BlockIncarnation = { source: string; hash: string; incarnation: number }
export type NewAlert = {
  id: string
  kind: 'match' | 'digest'
  subscription_id: string
  rule_id: string
  account_id: string
  workspace_id: string
  project_id: string
  trigger_id: string
  project: string
  trigger: string
  status: ReturnType<typeof firstStatus>
  severity: Severity
  state: AlertState | null
  resolves: string | null
  duration_ms: number | null
  source: string | null
  block_number: number | null
  block_hash: string | null
  incarnation: number | null
  policy_key: string | null
  delivery_key: string | null
  backfilled: boolean
  finality: string | null
  is_collected: boolean
  reason: string | null
  item_at: string
  /** `message` and `trace` are JSON text that PostgreSQL can store. */
  message: string
  trace: string
}
/** An alert about the deliveries to a resource. It has no trigger and no subscription. */
export type NewHealthAlert = Omit<NewAlert, 'kind' | 'subscription_id' | 'rule_id' | 'project_id' | 'trigger_id'> & {
  kind: 'health'
  subscription_id: null
  rule_id: null
  project_id: string | null
  trigger_id: null
}
type AnyAlert = NewAlert | NewHealthAlert
export type NewDelivery = {
  id: string
  alert_id: string
  resource_id: string
  resource: string
  blueprint: string
  status: 'pending' | 'waiting' | 'dead'
  attempts: DeliveriesTable['attempts']['__select__']
}
/** The rows that new alerts refer to, locked until the transaction ends. */
export type LockedRows = {
  /** Workspace names by subscription id. */
  subscriptions: ReadonlyMap<string, string>
  triggers: ReadonlySet<string>
  resources: ReadonlyMap<string, LockedResource>
  /** The marks of those blocks that were undone. */
  undone: ReadonlySet<string>
  /** The marks of those blocks that a reorg may still undo. The others are undone or final. */
  applied: ReadonlySet<string>
}
export type LockedResource = { id: string; fullname: string; blueprint: string; ready: boolean; remark: string | null }
export type ListenerKey = { subscriptionId: string; ruleId: string }
export type KeyedListener = ListenerKey & { key: string }

export function incarnationKey({ source, hash, incarnation }: BlockIncarnation): string {
  return `${source} ${hash} ${incarnation}`
}

type AlertKind = Omit<AnyAlert, 'id' | 'policy_key' | 'delivery_key' | 'message' | 'trace'>

function alertKind(alert: AnyAlert): AlertKind {
  const { id: _id, policy_key: _policy, delivery_key: _delivery, message: _message, trace: _trace, ...kind } = alert
  return kind
}

/** The columns that differ between kinds. The account and workspace follow from the subscription, or from the resource that `trigger` names. */
const kindColumns = [
  ...(['subscription_id', 'rule_id', 'trigger_id', 'trigger', 'project', 'status', 'severity', 'kind'] as const),
  ...(['state', 'resolves', 'item_at', 'source', 'block_hash', 'incarnation', 'finality'] as const),
]

const alertKinds: KindOf<AnyAlert, AlertKind> = {
  keyOf: (alert) => kindColumns.map((column) => alert[column]).join(' '),
  kindOf: alertKind,
  ownerOf: ({ subscription_id }) => subscription_id,
  isSame: (a, b) => kindColumns.every((column) => a[column] === b[column]),
}

const laneKinds: KindOf<NewDelivery, ReturnType<typeof laneKind>> = {
  keyOf: ({ resource_id, status }) => `${resource_id} ${status}`,
  kindOf: laneKind,
}

function laneKind({ resource_id, resource, blueprint, status, attempts }: NewDelivery) {
  return { resource_id, resource, blueprint, status, attempts }
}

/** Writes alerts and their deliveries. `alerts.ts` reads them. */
export function alertWritesTable({ db }: Base) {
  return {
    /** Locks the rows that new alerts refer to. Paused subscriptions are left out, as if they were deleted. */
    async lockRows(wanted: {
      subscriptions: readonly string[]
      triggers: readonly string[]
      resources: readonly string[]
      blocks: readonly BlockIncarnation[]
    }): Promise<LockedRows> {
      const sources = wanted.blocks.map(({ source }) => source)
      const hashes = wanted.blocks.map(({ hash }) => hash)
      const { rows } = await sql<LockedJson>`
        with s as (select s.id, w.fullname as workspace from subscriptions s join workspaces w on w.id = s.workspace_id
          where s.id = any(${[...wanted.subscriptions]}::text[]) and not s.paused for key share of s),
        t as (select id from triggers where id = any(${[...wanted.triggers]}::text[]) for key share),
        r as (select id, fullname, blueprint, ready, remark from resources
          where id = any(${[...wanted.resources]}::text[]) for key share),
        b as (select source, hash, incarnation, undone_at is not null as undone from source_blocks
          where (source, hash) in (select * from unnest(${sources}::text[], ${hashes}::text[])) for share)
        select (select json_agg(s) from s) as subscriptions, (select json_agg(id) from t) as triggers,
          (select json_agg(r) from r) as resources, (select json_agg(b) from b) as blocks`.execute(db)
      const [locked] = rows
      return {
        subscriptions: new Map((locked?.subscriptions ?? []).map(({ id, workspace }) => [id, workspace])),
        triggers: new Set(locked?.triggers ?? []),
        resources: new Map((locked?.resources ?? []).map((resource) => [resource.id, resource])),
        ...sortBlocks(wanted.blocks, locked?.blocks ?? []),
      }
    },
    /**
     * Adds alerts and their deliveries, and returns the ids of the alerts that are new. An existing id
     * means that the same cause was processed before. `mayRepeat` skips existing ids, which costs about a tenth more; without it
     * an existing id is an error. Common columns are sent once per kind and the others as arrays, because PostgreSQL spends more
     * on a JSON object per row than on the row.
     */
    async add(
      alerts: readonly AnyAlert[],
      deliveries: readonly NewDelivery[],
      at: Date,
      mayRepeat: boolean,
    ): Promise<ReadonlySet<string>> {
      if (alerts.length === 0) return new Set()
      const onConflict = sql.raw(mayRepeat ? 'on conflict (id) do nothing' : '')
      const kinds = groupByKind(alerts, alertKinds)
      const lanes = groupByKind(deliveries, laneKinds)
      const { rows } = await sql<{ ids: string[] | null }>`
        with new_alerts as (
          insert into alerts (id, kind, subscription_id, rule_id, account_id, workspace_id, project_id, trigger_id,
            project, trigger, status, severity, state, resolves, duration_ms, source, block_number, block_hash, incarnation,
            policy_key, delivery_key, backfilled, finality, is_collected, reason, item_at, message, trace, created_at, updated_at)
          select a.id, kind, subscription_id, rule_id, account_id, workspace_id, project_id, trigger_id,
            project, trigger, status, severity, state, resolves, duration_ms, source, block_number, block_hash, incarnation,
            a.policy_key, a.delivery_key, backfilled, finality, is_collected, reason, item_at, a.message::json, a.trace::json,
            ${at}::timestamptz, ${at}::timestamptz
          from unnest(${textArray(alerts.map(({ id }) => id))}, ${integerArray(kinds.places)},
            ${nullableTextArray(alerts.map((row) => row.policy_key))}, ${nullableTextArray(alerts.map((row) => row.delivery_key))},
            ${textArray(alerts.map(({ message }) => message))}, ${textArray(alerts.map(({ trace }) => trace))})
            with ordinality as a(id, place, policy_key, delivery_key, message, trace, seq)
          join json_to_recordset(${storableJson(kinds.kinds)}::json) as k(place integer, kind text, subscription_id text,
            rule_id text, account_id text, workspace_id text, project_id text, trigger_id text, project text, trigger text,
            status text, severity text, state text, resolves text, duration_ms bigint, source text, block_number bigint,
            block_hash text, incarnation integer, backfilled boolean, finality text, is_collected boolean, reason text, item_at timestamptz)
            on k.place = a.place
          order by a.seq
          ${onConflict} returning id),
        new_deliveries as (
          insert into deliveries (id, alert_id, resource_id, resource, blueprint, status, attempts, attempts_count,
            due_at, created_at, updated_at)
          select d.id, d.alert_id, resource_id, resource, blueprint, status, attempts, json_array_length(attempts),
            ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz
          from unnest(${textArray(deliveries.map(({ id }) => id))}, ${textArray(deliveries.map((row) => row.alert_id))},
            ${integerArray(lanes.places)}) with ordinality as d(id, alert_id, place, seq)
          join json_to_recordset(${json(lanes.kinds)}::json) as k(place integer, resource_id text, resource text,
            blueprint text, status text, attempts json) on k.place = d.place
          order by d.seq
          ${onConflict})
        ${mayRepeat ? sql`select json_agg(id) as ids from new_alerts` : sql`select null as ids`}`.execute(db)
      return new Set(mayRepeat ? rows[0]?.ids : alerts.map(({ id }) => id))
    },
    /** Locks these keys until the transaction ends. All callers lock in the same order, so two cannot deadlock. */
    async lockKeys(keys: readonly string[]): Promise<void> {
      if (keys.length === 0) return
      await sql`select pg_advisory_xact_lock(h) from (
        select distinct hashtextextended(k, 0) as h from unnest(${[...keys]}::text[]) as k order by h) as hashes`.execute(
        db,
      )
    },
    /** For each throttle key, the alerts between `from` and `until` that are not retracted. */
    async listThrottled(keys: readonly (KeyedListener & { from: Date; until: Date })[]): Promise<KeyedTime[]> {
      if (keys.length === 0) return []
      const { rows } = await sql<KeyedTime>`
        select k."subscriptionId", k."ruleId", k.key, a.id, a.item_at as at
        from json_to_recordset(${json(keys)}::json)
          as k("subscriptionId" text, "ruleId" text, key text, "from" timestamptz, until timestamptz)
        join alerts a on a.subscription_id = k."subscriptionId" and a.rule_id = k."ruleId" and a.policy_key = k.key
          and a.item_at > k."from" and a.item_at < k.until and a.status <> 'retracted'`.execute(db)
      return rows
    },
    /** For each delivery-mode key, an alert with this key that is not retracted. */
    async listDelivered(keys: readonly KeyedListener[]): Promise<(KeyedListener & { id: string })[]> {
      if (keys.length === 0) return []
      const { rows } = await sql<KeyedListener & { id: string }>`
        select k."subscriptionId", k."ruleId", k.key, a.id
        from json_to_recordset(${json(keys)}::json) as k("subscriptionId" text, "ruleId" text, key text)
        join lateral (select id from alerts a where a.subscription_id = k."subscriptionId" and a.rule_id = k."ruleId"
          and a.delivery_key = k.key and a.status <> 'retracted' limit 1) a on true`.execute(db)
      return rows
    },
    /** The alerts that wait for a listener's digest, oldest first. */
    async listCollected({ subscriptionId, ruleId }: ListenerKey, limit: number): Promise<CollectedRow[]> {
      const { rows } = await sql<CollectedRow>`
        select id, message, severity, item_at, trigger_id from alerts
        where subscription_id = ${subscriptionId} and rule_id = ${ruleId} and status = 'collected' and digest_id is null
        order by seq limit ${limit} for update`.execute(db)
      return rows
    },
    /** What a resolved alert takes from the firing one. Alerts that the retention deleted are left out. */
    async listFiring(ids: readonly string[]): Promise<FiringRow[]> {
      if (ids.length === 0) return []
      return db
        .selectFrom('alerts')
        .select(['id', 'message', 'severity'])
        .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
        .execute()
    },
    /** The content that alerts show instead of the one that they were recorded with. Retracted alerts keep theirs. */
    async showNewest(shown: readonly ShownContent[], at: Date): Promise<void> {
      if (shown.length === 0) return
      const rows = shown.map(({ id, message, trace, block }) => ({ id, message, trace, block }))
      await sql`update alerts a set message = s.message::json, trace = s.trace::json, shown_block = s.block, updated_at = ${at}
        from json_to_recordset(${json(rows)}::json) as s (id text, message text, trace text, block json)
        where a.id = s.id and a.status <> 'retracted'`.execute(db)
    },
    /** Puts all alerts that wait for a listener's digest into it. Returns how many, their severities and the first item's time. */
    async setDigested({ subscriptionId, ruleId }: ListenerKey, digestId: string, at: Date): Promise<DigestedAlerts> {
      const { rows } = await sql<DigestedAlerts>`
        with digested as (update alerts set status = 'digested', digest_id = ${digestId}, updated_at = ${at}
          where subscription_id = ${subscriptionId} and rule_id = ${ruleId} and status in (${literals(movesFrom.digest_sent)})
            and digest_id is null returning severity, item_at)
        select count(*)::int as count, coalesce(array_agg(distinct severity), '{}') as severities, min(item_at) as since
        from digested`.execute(db)
      return rows[0] ?? { count: 0, severities: [], since: at }
    },
  }
}

export type DigestedAlerts = { count: number; severities: Severity[]; since: Date }
/** `message` and `trace` are JSON text that PostgreSQL can store. */
export type ShownContent = {
  id: string
  message: string
  trace: string
  block: { number: number; hash: string } | null
}
export type FiringRow = { id: string; message: Message; severity: Severity }
export type KeyedTime = KeyedListener & { id: string; at: Date }
export type CollectedRow = {
  id: string
  message: Message
  severity: Severity
  item_at: Date
  trigger_id: string | null
}
type LockedBlock = { source: string; hash: string; incarnation: number; undone: boolean }
type LockedJson = {
  subscriptions: { id: string; workspace: string }[] | null
  triggers: string[] | null
  resources: LockedResource[] | null
  blocks: LockedBlock[] | null
}

/** An unknown block is final: only recent blocks are stored. */
function sortBlocks(
  wanted: readonly BlockIncarnation[],
  blocks: readonly LockedBlock[],
): Pick<LockedRows, 'undone' | 'applied'> {
  const known = new Map(blocks.map((block) => [`${block.source} ${block.hash}`, block]))
  const undone = new Set<string>()
  const applied = new Set<string>()
  for (const mark of wanted) {
    const block = known.get(`${mark.source} ${mark.hash}`)
    if (!block) continue
    const isUndone = block.undone || block.incarnation !== mark.incarnation
    ;(isUndone ? undone : applied).add(incarnationKey(mark))
  }
  return { undone, applied }
}
