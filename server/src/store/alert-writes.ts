import type { Message } from '@tocsin/contract'
import { sql } from 'kysely'
import { type Base, json } from './base.ts'
import { storableJson } from './storable.ts'
import type { AlertTraceData, DeliveriesTable } from './tables.ts'

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
  status: 'pending' | 'delivered' | 'failed' | 'collected'
  source: string | null
  block_number: number | null
  block_hash: string | null
  incarnation: number | null
  policy_key: string | null
  delivery_key: string | null
  item_at: string
  message: Message
  trace: AlertTraceData
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
  subscriptions: ReadonlySet<string>
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
        with s as (select id from subscriptions where id = any(${[...asked.subscriptions]}::text[]) and not paused for key share),
        t as (select id from triggers where id = any(${[...asked.triggers]}::text[]) for key share),
        r as (select id, fullname, blueprint, ready, remark from resources
          where id = any(${[...asked.resources]}::text[]) for key share),
        b as (select source, hash, incarnation, undone_at is not null as undone from source_blocks
          where (source, hash) in (select * from unnest(${sources}::text[], ${hashes}::text[])) for share)
        select (select json_agg(id) from s) as subscriptions, (select json_agg(id) from t) as triggers,
          (select json_agg(r) from r) as resources, (select json_agg(b) from b) as blocks`.execute(db)
      const [held] = rows
      return {
        subscriptions: new Set(held?.subscriptions ?? []),
        triggers: new Set(held?.triggers ?? []),
        resources: new Map((held?.resources ?? []).map((resource) => [resource.id, resource])),
        undone: undoneOf(asked.blocks, held?.blocks ?? []),
      }
    },
    /** What is there already stays as it is: the same cause twice is one alert. */
    async add(alerts: readonly NewAlert[], deliveries: readonly NewDelivery[], at: Date): Promise<void> {
      if (alerts.length === 0) return
      await sql`
        with new_alerts as (
          insert into alerts (id, kind, subscription_id, rule_id, account_id, workspace_id, project_id, trigger_id,
            project, trigger, status, source, block_number, block_hash, incarnation, policy_key, delivery_key, item_at,
            message, trace, created_at, updated_at)
          select id, kind, subscription_id, rule_id, account_id, workspace_id, project_id, trigger_id,
            project, trigger, status, source, block_number, block_hash, incarnation, policy_key, delivery_key, item_at,
            message, trace, ${at}::timestamptz, ${at}::timestamptz
          from json_to_recordset(${storableJson(alerts)}::json) as a(id text, kind text, subscription_id text, rule_id text,
            account_id text, workspace_id text, project_id text, trigger_id text, project text, trigger text,
            status text, source text, block_number bigint, block_hash text, incarnation integer, policy_key text,
            delivery_key text, item_at timestamptz, message json, trace json)
          on conflict (id) do nothing)
        insert into deliveries (id, alert_id, resource_id, resource, blueprint, status, attempts, attempts_count,
          due_at, created_at, updated_at)
        select id, alert_id, resource_id, resource, blueprint, status, attempts, json_array_length(attempts),
          ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz
        from json_to_recordset(${json(deliveries)}::json) as d(id text, alert_id text, resource_id text,
          resource text, blueprint text, status text, attempts json)
        on conflict (id) do nothing`.execute(db)
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
        .where('status', '=', 'collected')
        .execute()
    },
  }
}

export type KeyedTime = KeyedListener & { id: string; at: Date }
export type CollectedRow = { id: string; message: Message; item_at: Date; trigger_id: string | null }
type HeldBlock = { source: string; hash: string; incarnation: number; undone: boolean }
type HeldRow = {
  subscriptions: string[] | null
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
