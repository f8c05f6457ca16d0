import type { BacktestState } from '@tocsin/contract'
import { sql } from 'kysely'
import { type Base, json } from '../core/base.ts'

export type BacktestRow = {
  id: string
  /** Null if it belongs to no workspace: a definition without a project. */
  workspace_id: string | null
  state: BacktestState
  from_block: number
  to_block: number
  checked_blocks: number
  fired: number
  error: string | null
  result: unknown
  created_at: Date
  heartbeat_at: Date
  ended_at: Date | null
}
export type BacktestProgress = { checkedBlocks: number; fired: number }
export type BacktestEnd = { state: 'done' | 'failed' | 'stopped'; error?: string | undefined; result?: unknown }

/** A job writes a heartbeat every few seconds. After so long without one, its process is gone. */
export const backtestLostMs = 60_000
const keptMs = 86_400_000

/** Backtests over long ranges. */
export function backtestsTable({ db }: Base) {
  const isOpen = sql<boolean>`state in ('queued', 'running')`
  return {
    async add(
      row: { id: string; accountId: string; workspaceId: string | null; fromBlock: number; toBlock: number },
      at: Date,
    ): Promise<void> {
      await sql`insert into backtests (id, account_id, workspace_id, state, from_block, to_block, created_at, heartbeat_at)
        values (${row.id}, ${row.accountId}, ${row.workspaceId}, 'queued', ${row.fromBlock}, ${row.toBlock}, ${at}, ${at})`.execute(
        db,
      )
    },
    async find(id: string, accountId: string): Promise<BacktestRow | undefined> {
      const { rows } = await sql<BacktestRow>`
        select id, workspace_id, state, from_block::float8 as from_block, to_block::float8 as to_block,
          checked_blocks::float8 as checked_blocks, fired::float8 as fired, error, result, created_at, heartbeat_at, ended_at
        from backtests where id = ${id} and account_id = ${accountId}`.execute(db)
      return rows[0]
    },
    /** How many of an account wait or run. Those whose process is gone do not count. */
    async countOpen(accountId: string, now: Date): Promise<number> {
      const alive = new Date(now.getTime() - backtestLostMs)
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from backtests
        where account_id = ${accountId} and ${isOpen} and heartbeat_at > ${alive}`.execute(db)
      return rows[0]?.count ?? 0
    },
    /** A job is alive. Returns false if it is to stop, or if it has ended or is gone. */
    async beat(id: string, { checkedBlocks, fired }: BacktestProgress, isRunning: boolean, at: Date): Promise<boolean> {
      const state = isRunning ? 'running' : 'queued'
      const { rows } = await sql<{ goes_on: boolean }>`
        update backtests set state = ${state}, checked_blocks = ${checkedBlocks}, fired = ${fired}, heartbeat_at = ${at}
          where id = ${id} and ${isOpen} returning not is_stopping as goes_on`.execute(db)
      return rows[0]?.goes_on ?? false
    },
    async end(
      id: string,
      { checkedBlocks, fired }: BacktestProgress,
      { state, error, result }: BacktestEnd,
      at: Date,
    ): Promise<void> {
      await sql`update backtests set state = ${state}, checked_blocks = ${checkedBlocks}, fired = ${fired},
          error = ${error ?? null}, result = ${result === undefined ? null : json(result)}, ended_at = ${at}
        where id = ${id} and ${isOpen}`.execute(db)
    },
    async askToStop(id: string, accountId: string): Promise<void> {
      await sql`update backtests set is_stopping = true
        where id = ${id} and account_id = ${accountId} and ${isOpen}`.execute(db)
    },
    /** Deletes those that began more than a day ago. */
    async sweep(now: Date): Promise<void> {
      await sql`delete from backtests where created_at < ${new Date(now.getTime() - keptMs)}`.execute(db)
    },
  }
}
