import type { BodyInput, Reply, Routes } from '@tocsin/contract'
import { BacktestProgress, TriggerBacktestResult } from '@tocsin/contract'
import { Failure } from '../failure.ts'
import type { Session } from '../server/session.ts'

export type BacktestResult = Reply<Routes['backtestTrigger']>
export type OnProgress = (checked: number, total: number) => void

/** Runs a backtest and reports how far it is. */
export function runBacktest(
  session: Session,
  body: BodyInput<Routes['backtestTrigger']>,
  onProgress: OnProgress,
): Promise<BacktestResult> {
  return session.call(async (client) => {
    for await (const { event, data } of await client.progress.backtestTrigger({ body })) {
      if (event === 'result') return TriggerBacktestResult.parse(data)
      const progress = BacktestProgress.safeParse(data)
      if (progress.success) onProgress(progress.data.checkedBlocks, progress.data.totalBlocks)
    }
    throw new Failure('unreachable', 'The server ended the backtest without a result. Try again.')
  })
}
