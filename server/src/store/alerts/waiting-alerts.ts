import { sql } from 'kysely'
import { type Base, json } from '../core/base.ts'
import { literals } from '../core/sql-lists.ts'
import type { DeliveryAttempt } from '../core/tables.ts'
import { movesFrom } from './alert-status.ts'
import type { ListenerKey } from './alert-writes.ts'

/** The channel on which a commit of waiting alerts names their source. */
export const waitingChannel = 'tocsin_waiting'

/** Alerts with this finality may be sent if their block is not above this number. */
export type ReachedLevel = { finality: string; number: number }
/** What alerts of a source wait for, and the lowest of their blocks. */
export type WaitingGroup = { finality: string; lowest: number }
export type Released = { count: number; resourceIds: string[] }

/** Alerts that wait until their block is final enough. An index holds them, so a source without any costs nothing. */
export function waitingAlertsTable({ db }: Base) {
  return {
    /** Tells all processes, when the transaction commits, that alerts of these sources wait. */
    async announce(sources: readonly string[]): Promise<void> {
      if (sources.length === 0) return
      await sql`select pg_notify(${sql.lit(waitingChannel)}, s) from unnest(${[...sources]}::text[]) as s`.execute(db)
    },
    async list(source: string): Promise<WaitingGroup[]> {
      const { rows } = await sql<{ finality: string; lowest: string }>`
        select finality, min(block_number) as lowest from alerts where source = ${source} and status = 'waiting'
        group by finality`.execute(db)
      return rows.map(({ finality, lowest }) => ({ finality, lowest: Number(lowest) }))
    },
    /**
     * Applies the event `block_final` of alert-status.ts to up to `limit` alerts, the lowest blocks first. The deliveries get
     * the time of the release as their creation, because their attempts begin now.
     */
    async release(source: string, levels: readonly ReachedLevel[], limit: number, at: Date): Promise<Released> {
      const ids = await lockReached(source, levels, limit)
      if (ids.length === 0) return { count: 0, resourceIds: [] }
      const { rows } = await sql<{ resource_id: string | null }>`
        update deliveries set status = 'pending', due_at = ${at}, created_at = ${at}, updated_at = ${at}
        where alert_id = any(${ids}) and status = 'waiting' returning resource_id`.execute(db)
      await sql`
        update alerts a set reason = null, updated_at = ${at}, status = case when a.is_collected then 'collected' else (
          select case when count(*) = 0 then 'delivered' when bool_or(status = 'pending') then 'pending'
            when bool_or(status = 'dead') or not bool_or(status = 'delivered') then 'failed' else 'delivered' end
          from (select distinct on (resource) status from deliveries d
            where d.alert_id = a.id and d.kind = 'alert' order by resource, seq desc) latest) end
        where a.id = any(${ids})`.execute(db)
      return { count: ids.length, resourceIds: [...new Set(rows.flatMap((row) => row.resource_id ?? []))] }
    },
    /** True if alerts of a listener's digest wait for finality. */
    async hasForDigest({ subscriptionId, ruleId }: ListenerKey): Promise<boolean> {
      const { rows } = await sql`select from alerts where status = 'waiting' and is_collected
        and subscription_id = ${subscriptionId} and rule_id = ${ruleId} limit 1`.execute(db)
      return rows.length > 0
    },
    /** Says in the waiting alerts why they may wait for long. */
    async explain(source: string, finality: string, reason: string, at: Date): Promise<void> {
      await sql`update alerts set reason = ${reason}, updated_at = ${at}
        where source = ${source} and finality = ${finality} and status = 'waiting' and reason is distinct from ${reason}`.execute(
        db,
      )
    },
    /** Applies the event `source_lost` of alert-status.ts. The deliveries are dead, so that people can replay them. */
    async giveUp(source: string, reason: string, at: Date): Promise<void> {
      const attempts: DeliveryAttempt[] = [{ at: at.toISOString(), ok: false, durationMs: 0, error: reason }]
      await sql`
        with lost as (update alerts set status = 'failed', reason = ${reason}, updated_at = ${at}
          where source = ${source} and status in (${literals(movesFrom.source_lost)}) returning id)
        update deliveries set status = 'dead', attempts = ${json(attempts)}::json, attempts_count = 1, updated_at = ${at}
        where alert_id in (select id from lost) and status = 'waiting'`.execute(db)
    },
  }

  /** Locks by id, the same order as other code, so that no deadlock can occur. */
  async function lockReached(source: string, levels: readonly ReachedLevel[], limit: number): Promise<string[]> {
    const [names, numbers] = [levels.map(({ finality }) => finality), levels.map(({ number }) => number)]
    const { rows } = await sql<{ id: string }>`
      select id from alerts where status in (${literals(movesFrom.block_final)}) and id = any(array(
        select a.id from unnest(${names}::text[], ${numbers}::bigint[]) l (finality, number) cross join lateral (
          select id, block_number from alerts w where w.source = ${source} and w.status = 'waiting'
            and w.finality = l.finality and w.block_number <= l.number order by w.block_number limit ${limit}) a
        order by a.block_number limit ${limit}))
      order by id for update`.execute(db)
    return rows.map(({ id }) => id)
  }
}
