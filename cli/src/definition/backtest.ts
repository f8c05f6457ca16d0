import { setTimeout as sleep } from 'node:timers/promises'
import type { BodyInput, Reply, Routes } from '@tocsin/contract'
import { BacktestProgress, TriggerBacktestResult } from '@tocsin/contract'
import { Failure } from '../failure.ts'
import type { Session } from '../server/session.ts'

export type BacktestResult = Reply<Routes['backtestTrigger']>
export type OnProgress = (checked: number, total: number) => void

/** Runs a backtest and reports how far it is. Over many blocks it is a job of the server, which this waits for. */
export async function runBacktest(
  session: Session,
  body: BodyInput<Routes['backtestTrigger']>,
  onProgress: OnProgress,
): Promise<BacktestResult> {
  const result = await askBacktest(session, body, onProgress)
  return result.job === undefined ? result : waitForJob(session, result.job, onProgress)
}

const pollMs = 1_000

/** A command that is interrupted stops its job. */
async function waitForJob(session: Session, id: string, onProgress: OnProgress): Promise<BacktestResult> {
  const stop = async () => {
    await session.call((client) => client.stopBacktest({ id })).catch(() => undefined)
    process.exit(130)
  }
  process.once('SIGINT', stop)
  try {
    for (;;) {
      const job = await session.call((client) => client.getBacktest({ id }))
      onProgress(job.checkedBlocks, job.totalBlocks)
      if (job.state === 'failed') throw new Failure('backtest_failed', job.error ?? 'The backtest failed.')
      if (job.result) return TriggerBacktestResult.parse(job.result)
      if (job.endedAt !== null) throw new Failure('backtest_stopped', 'Somebody stopped the backtest.')
      await sleep(pollMs)
    }
  } finally {
    process.off('SIGINT', stop)
  }
}

function askBacktest(
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
