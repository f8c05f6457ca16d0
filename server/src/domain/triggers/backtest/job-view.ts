import { type BacktestJob, TriggerBacktestResult } from '@tocsin/contract'
import type * as z from 'zod'
import { type BacktestRow, backtestLostMs } from '../../../store/triggers/backtests.ts'

const lost = 'The process that ran this backtest ended, for example because the service was restarted. Begin it again.'

/** A job whose process is gone has failed. */
export function jobView(row: BacktestRow, now: Date): z.input<typeof BacktestJob> {
  const isOpen = row.state === 'queued' || row.state === 'running'
  const isLost = isOpen && now.getTime() - row.heartbeat_at.getTime() > backtestLostMs
  return {
    id: row.id,
    state: isLost ? 'failed' : row.state,
    fromBlock: row.from_block,
    toBlock: row.to_block,
    checkedBlocks: row.checked_blocks,
    totalBlocks: row.to_block - row.from_block + 1,
    fired: row.fired,
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    error: isLost ? lost : row.error,
    result: row.result === null ? null : TriggerBacktestResult.parse(row.result),
  }
}
