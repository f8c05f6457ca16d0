import { sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import { storableJson } from '../core/storable.ts'

export type PolicyName = { subscriptionId: string; ruleId: string; key: string }
export type StoredPolicy = PolicyName & { state: Record<string, unknown>; dueAt: Date | null }

/** The state of a subscription's policy between items: a warm-up, a cool-down, the time of the next digest. */
export function policyStatesTable({ db }: Base) {
  return {
    /** A caller that changes them has to hold the locks of their keys. */
    async findAll(names: readonly PolicyName[]): Promise<StoredPolicy[]> {
      if (names.length === 0) return []
      const { rows } = await sql<StoredPolicy>`
        select k."subscriptionId", k."ruleId", k.key, p.state, p.due_at as "dueAt"
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
    async removeAll(names: readonly PolicyName[]): Promise<void> {
      if (names.length === 0) return
      await sql`
        delete from policy_states p
        using json_to_recordset(${json(names)}::json) as k("subscriptionId" text, "ruleId" text, key text)
        where p.subscription_id = k."subscriptionId" and p.rule_id = k."ruleId" and p.key = k.key`.execute(db)
    },
    /** Removes monitors that have no timer and were last updated before this time. */
    async removeIdle(before: Date): Promise<void> {
      await sql`
        delete from policy_states where updated_at < ${before}::timestamptz and due_at is null
          and state->>'kind' = 'monitor' and (state->'monitor'->'now'->>'phase' = 'standby'
            or (state->'monitor'->'now'->>'untilMs')::bigint < ${before.getTime()})`.execute(db)
    },
  }
}
