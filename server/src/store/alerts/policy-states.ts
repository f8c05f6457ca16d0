import { sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import { storableJson } from '../core/storable.ts'

export type PolicyName = { subscriptionId: string; ruleId: string; key: string }
export type StoredPolicy = PolicyName & { state: Record<string, unknown>; dueAt: Date | null }
/** `version` counts the changes of the row; it is null if there is no row yet. */
export type VersionedPolicy = StoredPolicy & { version: number }
export type ChangedPolicy = StoredPolicy & { version: number | null }

/** Another transaction changed a state first. `store.tx` then runs the work again, with the new state. */
export class StateChanged extends Error {
  readonly code = '40001'
}

/** The state of a subscription's policy between items: a warm-up, a cool-down, the time of the next digest. */
export function policyStatesTable({ db }: Base) {
  return {
    /** A caller that changes them has to hold the locks of their keys. */
    async findAll(names: readonly PolicyName[]): Promise<VersionedPolicy[]> {
      if (names.length === 0) return []
      const { rows } = await sql<VersionedPolicy>`
        select k."subscriptionId", k."ruleId", k.key, p.state, p.due_at as "dueAt", p.version
        from json_to_recordset(${json(names)}::json) as k("subscriptionId" text, "ruleId" text, key text)
        join policy_states p on p.subscription_id = k."subscriptionId" and p.rule_id = k."ruleId" and p.key = k.key
      `.execute(db)
      return rows
    },
    async saveAll(states: readonly StoredPolicy[], at: Date): Promise<void> {
      if (states.length === 0) return
      await sql`
        insert into policy_states (subscription_id, rule_id, key, state, due_at, updated_at)
        select "subscriptionId", "ruleId", key, state, "dueAt", ${at}::timestamptz
        from json_to_recordset(${storableJson(states)}::json) as s("subscriptionId" text, "ruleId" text, key text, state json,
          "dueAt" timestamptz)
        on conflict (subscription_id, rule_id, key) do update set state = excluded.state, due_at = excluded.due_at,
          updated_at = excluded.updated_at`.execute(db)
    },
    /**
     * Stores states that were read without a lock. Most outputs change no state, so a lock on each would cost more than to
     * repeat the rare transaction that comes second.
     */
    async changeAll(states: readonly ChangedPolicy[], at: Date): Promise<void> {
      if (states.length === 0) return
      const { rows } = await sql<{ count: number }>`
        with given as materialized (select * from json_to_recordset(${storableJson(states)}::json) as s("subscriptionId" text,
          "ruleId" text, key text, state json, "dueAt" timestamptz, version integer)),
        added as (insert into policy_states (subscription_id, rule_id, key, state, due_at, updated_at)
          select "subscriptionId", "ruleId", key, state, "dueAt", ${at}::timestamptz from given where version is null
          on conflict do nothing returning 1),
        changed as (update policy_states p set state = g.state, due_at = g."dueAt", updated_at = ${at}::timestamptz,
            version = p.version + 1
          from given g where p.subscription_id = g."subscriptionId" and p.rule_id = g."ruleId" and p.key = g.key
            and p.version = g.version returning 1)
        select (select count(*) from added)::int + (select count(*) from changed)::int as count`.execute(db)
      if (rows[0]?.count !== states.length) throw new StateChanged('another transaction changed a policy state')
    },
    /** The states of keys whose time has come, oldest first, locked until the transaction ends. */
    async takeDue(now: Date, limit: number): Promise<VersionedPolicy[]> {
      const { rows } = await sql<VersionedPolicy>`
        select subscription_id as "subscriptionId", rule_id as "ruleId", key, state, due_at as "dueAt", version
        from policy_states where due_at <= ${now} and state->>'kind' = 'key'
        order by due_at limit ${limit} for update`.execute(db)
      return rows
    },
    /** Makes the states of keys of these subscriptions due that have no timer. */
    async wake(subscriptionIds: readonly string[], at: Date): Promise<void> {
      await sql`update policy_states set due_at = ${at}
        where subscription_id = any(${[...subscriptionIds]}) and due_at is null and state->>'kind' = 'key'`.execute(db)
    },
    async removeAll(names: readonly PolicyName[]): Promise<void> {
      if (names.length === 0) return
      await sql`
        delete from policy_states p
        using json_to_recordset(${json(names)}::json) as k("subscriptionId" text, "ruleId" text, key text)
        where p.subscription_id = k."subscriptionId" and p.rule_id = k."ruleId" and p.key = k.key`.execute(db)
    },
    /** Removes monitors and states of keys that have no timer, mean nothing any more and were last updated before this time. */
    async removeIdle(before: Date): Promise<void> {
      await sql`
        delete from policy_states where updated_at < ${before}::timestamptz and due_at is null
          and ((state->>'kind' = 'key' and (state->>'forgetMs')::bigint < ${before.getTime()})
          or state->>'kind' = 'throttle' and json_array_length(state->'suppressed') = 0
          or state->>'kind' = 'monitor' and (state->'monitor'->'now'->>'phase' = 'standby'
            or (state->'monitor'->'now'->>'untilMs')::bigint < ${before.getTime()}))`.execute(db)
    },
  }
}
