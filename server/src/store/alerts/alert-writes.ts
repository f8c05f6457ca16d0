import type { Message } from '@tocsin/contract'
import { sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import { list } from '../core/bulk-rows.ts'
import { storableJson } from '../core/storable.ts'
import type { DeliveriesTable } from '../core/tables.ts'
import { type firstStatus, movesFrom } from './alert-status.ts'

/** A block as work was found in it; the same hash applied again after an undo is another incarnation. */
export type BlockMark = { source: string; hash: string; incarnation: number }
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
  source: string | null
  block_number: number | null
  block_hash: string | null
  incarnation: number | null
  policy_key: string | null
  delivery_key: string | null
  item_at: string
  /** Both as JSON that can be stored. */
  message: string
  trace: string
}
export type NewDelivery = {
  id: string
  alert_id: string
  resource_id: string
  resource: string
  blueprint: string
  status: 'pending' | 'dead'
  attempts: DeliveriesTable['attempts']['__select__']
}
/** What alerts hang on, as it is now: rows that exist stay until the transaction ends. */
export type Held = {
  /** Each with the name of its workspace. */
  subscriptions: ReadonlyMap<string, string>
  triggers: ReadonlySet<string>
  resources: ReadonlyMap<string, HeldResource>
  /** Of the given blocks those that were taken back. */
  undone: ReadonlySet<string>
}
export type HeldResource = { id: string; fullname: string; blueprint: string; ready: boolean; remark: string | null }
export type ListenerKey = { subscriptionId: string; ruleId: string }
export type KeyedListener = ListenerKey & { key: string }

export function markOf({ source, hash, incarnation }: BlockMark): string {
  return `${source} ${hash} ${incarnation}`
}

type AlertKind = Omit<NewAlert, 'id' | 'policy_key' | 'delivery_key' | 'message' | 'trace'>

function alertKind(alert: NewAlert): AlertKind {
  const { id: _id, policy_key: _policy, delivery_key: _delivery, message: _message, trace: _trace, ...kind } = alert
  return kind
}

/** All that listeners, blocks and times decide; who is behind a subscription follows from it. */
function isSameKind(a: AlertKind, b: AlertKind): boolean {
  return (
    a.subscription_id === b.subscription_id &&
    a.rule_id === b.rule_id &&
    a.trigger_id === b.trigger_id &&
    a.trigger === b.trigger &&
    a.project === b.project &&
    a.status === b.status &&
    a.kind === b.kind &&
    a.item_at === b.item_at &&
    a.source === b.source &&
    a.block_hash === b.block_hash &&
    a.incarnation === b.incarnation
  )
}

function laneKind({ resource_id, resource, blueprint, status, attempts }: NewDelivery) {
  return { resource_id, resource, blueprint, status, attempts }
}

/** What neighbours have in common, and for each the place of what it belongs to. */
function gather<Row, Kind extends object>(
  rows: readonly Row[],
  kindOf: (row: Row) => Kind,
  isSame: (row: Row, kind: Kind) => boolean,
): { kinds: (Kind & { place: number })[]; places: number[] } {
  const kinds: (Kind & { place: number })[] = []
  const places = rows.map((row) => {
    const last = kinds.at(-1)
    if (!last || !isSame(row, last)) kinds.push({ ...kindOf(row), place: kinds.length })
    return kinds.length - 1
  })
  return { kinds, places }
}

/** The writing half of alerts and their deliveries; whoever shows them reads by store/alerts.ts. */
export function alertWritesTable({ db }: Base) {
  return {
    /** Subscriptions that are paused are left out, as if they were gone. */
    async hold(asked: {
      subscriptions: readonly string[]
      triggers: readonly string[]
      resources: readonly string[]
      blocks: readonly BlockMark[]
    }): Promise<Held> {
      const sources = asked.blocks.map(({ source }) => source)
      const hashes = asked.blocks.map(({ hash }) => hash)
      const { rows } = await sql<HeldRow>`
        with s as (select s.id, w.fullname as workspace from subscriptions s join workspaces w on w.id = s.workspace_id
          where s.id = any(${[...asked.subscriptions]}::text[]) and not s.paused for key share of s),
        t as (select id from triggers where id = any(${[...asked.triggers]}::text[]) for key share),
        r as (select id, fullname, blueprint, ready, remark from resources
          where id = any(${[...asked.resources]}::text[]) for key share),
        b as (select source, hash, incarnation, undone_at is not null as undone from source_blocks
          where (source, hash) in (select * from unnest(${sources}::text[], ${hashes}::text[])) for share)
        select (select json_agg(s) from s) as subscriptions, (select json_agg(id) from t) as triggers,
          (select json_agg(r) from r) as resources, (select json_agg(b) from b) as blocks`.execute(db)
      const [held] = rows
      return {
        subscriptions: new Map((held?.subscriptions ?? []).map(({ id, workspace }) => [id, workspace])),
        triggers: new Set(held?.triggers ?? []),
        resources: new Map((held?.resources ?? []).map((resource) => [resource.id, resource])),
        undone: undoneOf(asked.blocks, held?.blocks ?? []),
      }
    },
    /**
     * What is there already stays as it is: the same cause twice is one alert. Answers how many were new. Nearly always
     * all are, and looking for each before it is written costs a tenth of it: unless they may be repeated, those that
     * are there already make it fail. What many have in common is told once, and the rest in lists: for PostgreSQL an
     * object for each row costs more than the row.
     */
    async add(
      alerts: readonly NewAlert[],
      deliveries: readonly NewDelivery[],
      at: Date,
      mayRepeat: boolean,
    ): Promise<number> {
      if (alerts.length === 0) return 0
      const unlessThere = sql.raw(mayRepeat ? 'on conflict (id) do nothing' : '')
      const kinds = gather(alerts, alertKind, isSameKind)
      const lanes = gather(deliveries, laneKind, (a, b) => a.resource_id === b.resource_id)
      const { rows } = await sql<{ count: number }>`
        with new_alerts as (
          insert into alerts (id, kind, subscription_id, rule_id, account_id, workspace_id, project_id, trigger_id,
            project, trigger, status, source, block_number, block_hash, incarnation, policy_key, delivery_key, item_at,
            message, trace, created_at, updated_at)
          select a.id, kind, subscription_id, rule_id, account_id, workspace_id, project_id, trigger_id,
            project, trigger, status, source, block_number, block_hash, incarnation, a.policy_key, a.delivery_key, item_at,
            a.message::json, a.trace::json, ${at}::timestamptz, ${at}::timestamptz
          from unnest(${list(alerts.map(({ id }) => id))}, ${kinds.places}::integer[],
            ${alerts.map((one) => one.policy_key)}::text[], ${alerts.map((one) => one.delivery_key)}::text[],
            ${list(alerts.map(({ message }) => message))}, ${list(alerts.map(({ trace }) => trace))})
            with ordinality as a(id, place, policy_key, delivery_key, message, trace, seq)
          join json_to_recordset(${storableJson(kinds.kinds)}::json) as k(place integer, kind text, subscription_id text,
            rule_id text, account_id text, workspace_id text, project_id text, trigger_id text, project text, trigger text,
            status text, source text, block_number bigint, block_hash text, incarnation integer, item_at timestamptz)
            on k.place = a.place
          order by a.seq
          ${unlessThere} returning 1),
        new_deliveries as (
          insert into deliveries (id, alert_id, resource_id, resource, blueprint, status, attempts, attempts_count,
            due_at, created_at, updated_at)
          select d.id, d.alert_id, resource_id, resource, blueprint, status, attempts, json_array_length(attempts),
            ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz
          from unnest(${list(deliveries.map(({ id }) => id))}, ${list(deliveries.map((one) => one.alert_id))},
            ${lanes.places}::integer[]) with ordinality as d(id, alert_id, place, seq)
          join json_to_recordset(${json(lanes.kinds)}::json) as k(place integer, resource_id text, resource text,
            blueprint text, status text, attempts json) on k.place = d.place
          order by d.seq
          ${unlessThere})
        select count(*)::int as count from new_alerts`.execute(db)
      return rows[0]?.count ?? 0
    },
    /** Until the transaction ends no other decides about these; always in the same order, so that two never cross. */
    async lockKeys(keys: readonly string[]): Promise<void> {
      if (keys.length === 0) return
      await sql`select pg_advisory_xact_lock(h) from (
        select distinct hashtextextended(k, 0) as h from unnest(${[...keys]}::text[]) as k order by h) as hashes`.execute(
        db,
      )
    },
    /** Of these keys of throttles, when there were alerts that still stand, within a time around `from` and `until`. */
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
    /** Of these keys of delivery modes those that an alert that still stands was made for, and which. */
    async listDelivered(keys: readonly KeyedListener[]): Promise<(KeyedListener & { id: string })[]> {
      if (keys.length === 0) return []
      const { rows } = await sql<KeyedListener & { id: string }>`
        select k."subscriptionId", k."ruleId", k.key, a.id
        from json_to_recordset(${json(keys)}::json) as k("subscriptionId" text, "ruleId" text, key text)
        join lateral (select id from alerts a where a.subscription_id = k."subscriptionId" and a.rule_id = k."ruleId"
          and a.delivery_key = k.key and a.status <> 'retracted' limit 1) a on true`.execute(db)
      return rows
    },
    /** What waits for a listener's digest, oldest first. */
    async listCollected({ subscriptionId, ruleId }: ListenerKey, limit: number): Promise<CollectedRow[]> {
      const { rows } = await sql<CollectedRow>`
        select id, message, item_at, trigger_id from alerts
        where subscription_id = ${subscriptionId} and rule_id = ${ruleId} and status = 'collected' and digest_id is null
        order by seq limit ${limit} for update`.execute(db)
      return rows
    },
    async countCollected(listeners: readonly ListenerKey[]): Promise<(ListenerKey & { count: number })[]> {
      if (listeners.length === 0) return []
      const { rows } = await sql<ListenerKey & { count: number }>`
        select k."subscriptionId", k."ruleId", count(a.id)::int as count
        from json_to_recordset(${json(listeners)}::json) as k("subscriptionId" text, "ruleId" text)
        join alerts a on a.subscription_id = k."subscriptionId" and a.rule_id = k."ruleId"
          and a.status = 'collected' and a.digest_id is null
        group by 1, 2`.execute(db)
      return rows
    },
    async setDigested(ids: readonly string[], digestId: string, at: Date): Promise<void> {
      await db
        .updateTable('alerts')
        .set({ status: 'digested', digest_id: digestId, updated_at: at })
        .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
        .where('status', 'in', movesFrom.digest_sent)
        .execute()
    },
  }
}

export type KeyedTime = KeyedListener & { id: string; at: Date }
export type CollectedRow = { id: string; message: Message; item_at: Date; trigger_id: string | null }
type HeldBlock = { source: string; hash: string; incarnation: number; undone: boolean }
type HeldRow = {
  subscriptions: { id: string; workspace: string }[] | null
  triggers: string[] | null
  resources: HeldResource[] | null
  blocks: HeldBlock[] | null
}

/** A block that is not known any more is final. */
function undoneOf(asked: readonly BlockMark[], blocks: readonly HeldBlock[]): Set<string> {
  const known = new Map(blocks.map((block) => [`${block.source} ${block.hash}`, block]))
  const isUndone = ({ source, hash, incarnation }: BlockMark) => {
    const block = known.get(`${source} ${hash}`)
    return block !== undefined && (block.undone || block.incarnation !== incarnation)
  }
  return new Set(asked.filter(isUndone).map(markOf))
}
