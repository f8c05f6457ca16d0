import type { AlertState } from '@tocsin/contract'
import { sql } from 'kysely'
import type { Base } from '../core/base.ts'
import type { BlockIncarnation } from './alert-writes.ts'
import type { PolicyName } from './policy-states.ts'
import type { UndoneBlock } from './retractions.ts'

/** A value that a policy compared. `bound` and `until` are those of a threshold at that time. */
export type PolicyValue = { at: Date; value: string; bound: string | null; until: string | null }
/** A key keeps the first value of a slot. */
export type NewPolicyValue = PolicyName & PolicyValue & { slot: Date; block: BlockIncarnation | null }
/** An alert that the policy made for the same key. */
export type KeyAlert = { id: string; at: Date; state: AlertState | null }

/** A key may keep more values than this until the next sweep. */
const valuesMax = 500
/** How many keys one statement makes smaller, and how many values one statement deletes. */
const [thinKeys, dropRows] = [100, 1_000]

export function policyValuesTable({ db }: Base) {
  return {
    thinKeys,
    /** Adds them in the order of their keys, so that two transactions cannot wait for each other. */
    async addAll(values: readonly NewPolicyValue[], recordedAt: Date): Promise<void> {
      if (values.length === 0) return
      await sql`
        insert into policy_values (subscription_id, rule_id, key, slot, at, value, bound, until, source, block_hash,
          incarnation, recorded_at)
        select v.*, ${recordedAt}::timestamptz
        from unnest(${values.map((row) => row.subscriptionId)}::text[], ${values.map((row) => row.ruleId)}::text[],
          ${values.map((row) => row.key)}::text[], ${values.map((row) => row.slot.toISOString())}::timestamptz[],
          ${values.map((row) => row.at.toISOString())}::timestamptz[], ${values.map((row) => row.value)}::text[],
          ${values.map((row) => row.bound)}::text[], ${values.map((row) => row.until)}::text[],
          ${values.map((row) => row.block?.source ?? null)}::text[],
          ${values.map((row) => row.block?.hash ?? null)}::text[],
          ${values.map((row) => row.block?.incarnation ?? null)}::integer[]) as v(subscription_id, rule_id, key, slot)
        order by v.subscription_id, v.rule_id, v.key, v.slot
        on conflict do nothing`.execute(db)
    },
    /** Oldest first. */
    list({ subscriptionId, ruleId, key }: PolicyName): Promise<PolicyValue[]> {
      return db
        .selectFrom('policy_values')
        .select(['at', 'value', 'bound', 'until'])
        .where('subscription_id', '=', subscriptionId)
        .where('rule_id', '=', ruleId)
        .where('key', '=', key)
        .orderBy('at')
        .execute()
    },
    /** The keys of a subscription that have values, the one with the newest value first. */
    async listKeys(subscriptionId: string, limit: number): Promise<Pick<PolicyName, 'ruleId' | 'key'>[]> {
      const rows = await db
        .selectFrom('policy_values')
        .select(['rule_id as ruleId', 'key'])
        .where('subscription_id', '=', subscriptionId)
        .groupBy(['rule_id', 'key'])
        .orderBy(sql`max(at)`, 'desc')
        .limit(limit)
        .execute()
      return rows
    },
    /** The alerts of the key since a time that are not retracted, oldest first; the newest of them if there are very many. */
    async listAlerts({ subscriptionId, ruleId, key }: PolicyName, since: Date): Promise<KeyAlert[]> {
      const rows = await db
        .selectFrom('alerts')
        .select(['id', 'item_at as at', 'state'])
        .where('subscription_id', '=', subscriptionId)
        .where('rule_id', '=', ruleId)
        .where('policy_key', '=', key)
        .where('item_at', '>=', since)
        .where('status', '<>', 'retracted')
        .orderBy('item_at', 'desc')
        .limit(valuesMax)
        .execute()
      return rows.reverse()
    },
    /** Deletes the values of a block that a reorg removed. */
    async undo(source: string, { hash, incarnation }: UndoneBlock): Promise<void> {
      await db
        .deleteFrom('policy_values')
        .where('source', '=', source)
        .where('block_hash', '=', hash)
        .where('incarnation', '=', incarnation)
        .execute()
    },
    /**
     * Drops every second value of the older half of keys that have too many and got a value since this time. Returns how
     * many keys it made smaller, up to `thinKeys`.
     */
    async thin(since: Date): Promise<number> {
      const { rows } = await sql<{ keys: number }>`
        with busy as (select distinct subscription_id, rule_id, key from policy_values where recorded_at > ${since}),
        large as materialized (select * from busy b where exists (select from policy_values v
            where (v.subscription_id, v.rule_id, v.key) = (b.subscription_id, b.rule_id, b.key)
            order by v.slot offset ${sql.lit(valuesMax)} limit 1) limit ${sql.lit(thinKeys)}),
        ranked as (select v.*, row_number() over (partition by subscription_id, rule_id, key order by slot) as place
          from policy_values v join large using (subscription_id, rule_id, key)),
        dropped as (delete from policy_values v using ranked r
          where (v.subscription_id, v.rule_id, v.key, v.slot) = (r.subscription_id, r.rule_id, r.key, r.slot)
            and r.place <= ${sql.lit(valuesMax / 2)} and r.place % 2 = 0)
        select count(*)::int as keys from large`.execute(db)
      return rows[0]?.keys ?? 0
    },
    /** Deletes values that were recorded before this time, and returns how many. */
    async drop(before: Date): Promise<number> {
      const { numAffectedRows } = await sql`
        delete from policy_values where ctid = any(array(select ctid from policy_values
          where recorded_at < ${before} order by recorded_at limit ${sql.lit(dropRows)} for update skip locked))`.execute(
        db,
      )
      return Number(numAffectedRows ?? 0n)
    },
  }
}
