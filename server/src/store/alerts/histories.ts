import { type Selectable, sql } from 'kysely'
import type { Base } from '../core/base.ts'
import type { RecordedRuns } from '../core/tables/subscriptions.ts'
import type { HistoriesTable } from '../core/tables.ts'

/** The history of a subscription; see `HistoriesTable`. */
export type HistoryRow = {
  subscriptionId: string
  source: string
  from: number
  to: number
  fetched: number
  queued: number
  done: number
  generation: number
  delivers: boolean
  state: 'running' | 'done' | 'failed'
  reason: string | null
  recorded: RecordedRuns | null
}
export type { RecordedRuns }

type Current = Pick<HistoryRow, 'subscriptionId' | 'generation'>
export type NewHistory = { source: string; from: number; to: number; delivers: boolean }
/** Blocks that were read. `isQueued` if they have matches, which are in a job. */
export type FetchedBlocks = Pick<HistoryRow, 'subscriptionId' | 'generation' | 'fetched'> & {
  upTo: number
  isQueued: boolean
}
export type HistoryEnd = Pick<HistoryRow, 'subscriptionId' | 'generation' | 'fetched' | 'reason'> & {
  state: 'done' | 'failed'
}
/**
 * The blocks after `to` were replaced; `tip` was the last that the follower had applied. A history whose last block is above
 * it keeps that block, because the new branch may have had it when the subscription began.
 */
type Replaced = { to: number; tip: number }

/**
 * The progress of subscriptions over past blocks. The follower of the source reads blocks and queues their matches
 * (`fetched`, `queued`); the evaluation moves `done`. A reorg, or a pause of the subscription, takes both back to blocks that
 * are valid and starts a new generation, so that jobs of the old one write nothing.
 */
export function historiesTable({ db }: Base) {
  return {
    async add(subscriptionId: string, { source, from, to, delivers }: NewHistory, at: Date): Promise<void> {
      const before = String(from - 1)
      await db
        .insertInto('histories')
        .values({
          ...{ subscription_id: subscriptionId, source, from_block: String(from), to_block: String(to) },
          ...{
            fetched: before,
            queued: before,
            done: before,
            delivers,
            state: 'running',
            reason: null,
            recorded: null,
          },
          ...{ created_at: at, updated_at: at },
        })
        .execute()
    },
    async find(subscriptionId: string): Promise<HistoryRow | undefined> {
      const row = await db
        .selectFrom('histories')
        .selectAll()
        .where('subscription_id', '=', subscriptionId)
        .executeTakeFirst()
      return row && historyOf(row)
    },
    /** False if the blocks were read for an earlier generation, or the history has ended. */
    async recordFetched(blocks: FetchedBlocks, at: Date): Promise<boolean> {
      const { subscriptionId, generation, fetched, upTo, isQueued } = blocks
      const { numAffectedRows } = await sql`
        update histories set fetched = ${upTo}, updated_at = ${at},
          queued = case when ${isQueued} then ${upTo} else queued end,
          done = case when not ${isQueued} and queued <= done then ${upTo} else done end
        where subscription_id = ${subscriptionId} and generation = ${generation} and fetched = ${fetched}
          and state = 'running'`.execute(db)
      return numAffectedRows === 1n
    },
    /** The chunks of the blocks up to `upTo` are evaluated. False if they are from an earlier generation. */
    async recordDone({ subscriptionId, generation, upTo }: Current & { upTo: number }, at: Date): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update histories set done = case when ${upTo} >= queued then fetched else ${upTo} end, recorded = null,
          updated_at = ${at}
        where subscription_id = ${subscriptionId} and generation = ${generation} and done < ${upTo}
          and state = 'running'`.execute(db)
      return numAffectedRows === 1n
    },
    /**
     * The blocks before this one are evaluated, and some runs of this one. If the blocks are read again, these runs are not
     * queued a second time: a policy gets each output once. False if the history has another generation now, or has ended.
     */
    async recordRuns({ subscriptionId, generation }: Current, recorded: RecordedRuns, at: Date): Promise<boolean> {
      const { number, hash, incarnation, runs } = recorded
      const { numAffectedRows } = await sql`
        update histories set done = greatest(done, ${number}::bigint - 1), updated_at = ${at},
          recorded = case when recorded @> ${JSON.stringify({ hash, incarnation })}::jsonb
            then jsonb_set(recorded, '{runs}', (recorded -> 'runs') || ${JSON.stringify(runs)}::jsonb)
            else ${JSON.stringify(recorded)}::jsonb end
        where subscription_id = ${subscriptionId} and generation = ${generation} and state = 'running'`.execute(db)
      return numAffectedRows === 1n
    },
    /** Ends the history if all of its jobs are evaluated. The subscription is live in the commit of this transaction. */
    async end({ subscriptionId, generation, fetched, state, reason }: HistoryEnd, at: Date): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update histories set state = ${state}, reason = ${reason}, updated_at = ${at},
          to_block = case when ${state} = 'done' then least(to_block, fetched) else to_block end
        where subscription_id = ${subscriptionId} and generation = ${generation} and fetched = ${fetched}
          and queued <= done and state = 'running'`.execute(db)
      return numAffectedRows === 1n
    },
    /**
     * The blocks above `to` were replaced. Jobs of the old generation write nothing, also for blocks that stay, so all blocks
     * after the evaluated ones are read again.
     */
    async rewind(source: string, { to, tip }: Replaced, at: Date): Promise<void> {
      const valid = sql`greatest(least(done, ${to}::bigint), from_block - 1)`
      await sql`
        update histories set fetched = ${valid}, queued = ${valid}, done = ${valid}, generation = generation + 1,
          to_block = case when to_block <= ${tip} then ${lastKept(to)} else to_block end,
          recorded = case when (recorded ->> 'number')::bigint <= ${to}::bigint then recorded end, updated_at = ${at}
        where source = ${source} and state = 'running' and fetched > ${to}`.execute(db)
    },
    /** Takes replaced blocks out of the histories that have not read them yet: the new ones come after the subscription began. */
    async shorten(source: string, { to, tip }: Replaced, at: Date): Promise<void> {
      await sql`
        update histories set to_block = ${lastKept(to)}, updated_at = ${at}
        where source = ${source} and state = 'running' and to_block > ${to} and to_block <= ${tip}`.execute(db)
    },
    /** Jobs of the subscription could not write: their blocks are read again. */
    async restart(subscriptionId: string, at: Date): Promise<void> {
      await sql`
        update histories set fetched = done, queued = done, generation = generation + 1, updated_at = ${at}
        where subscription_id = ${subscriptionId} and state = 'running'`.execute(db)
    },
    /** The subscription was paused: the blocks up to the head that the follower has seen belong to the past. */
    async resume(subscriptionId: string, at: Date): Promise<void> {
      await sql`
        update histories set fetched = done, queued = done, generation = generation + 1, updated_at = ${at},
          to_block = greatest(to_block,
            (select greatest(f.number, f.head) from followers f where f.source = histories.source))
        where subscription_id = ${subscriptionId} and state = 'running'`.execute(db)
    },
    /** Stops a history whose subscription now listens to something else. */
    async abort(subscriptionId: string, reason: string, at: Date): Promise<void> {
      await sql`
        with ended as (update histories set state = 'failed', reason = ${reason}, updated_at = ${at}
          where subscription_id = ${subscriptionId} and state = 'running' returning subscription_id)
        ${windowsGo}`.execute(db)
    },
    /** Stops the histories of a source that was deleted. */
    async abortOf(source: string, reason: string, at: Date): Promise<void> {
      await sql`
        with ended as (update histories set state = 'failed', reason = ${reason}, updated_at = ${at}
          where source = ${source} and state = 'running' returning subscription_id)
        ${windowsGo}`.execute(db)
    },
  }
}

function lastKept(to: number) {
  return sql`greatest(least(to_block, ${to}::bigint), from_block - 1)`
}

/** The live run of a trigger does not go on with the windows of a history that was stopped. */
const windowsGo = sql`delete from state_windows where starts_with(scope, 'history ')
  and split_part(scope, ' ', 2) in (select subscription_id from ended)`

export function historyOf(row: Selectable<HistoriesTable>): HistoryRow {
  return {
    subscriptionId: row.subscription_id,
    source: row.source,
    from: Number(row.from_block),
    to: Number(row.to_block),
    fetched: Number(row.fetched),
    queued: Number(row.queued),
    done: Number(row.done),
    generation: row.generation,
    delivers: row.delivers,
    state: row.state,
    reason: row.reason,
    recorded: row.recorded,
  }
}
