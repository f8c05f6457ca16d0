import { BacktestProgress, backtestBlocksAtOnce, TriggerBacktestResult } from '@tocsin/contract'
import { useEffect, useRef, useState } from 'react'
import { api, type Body } from '../../../../data/api.ts'

export type BacktestResult = Body<'backtestTrigger'>
export type BacktestRequest = Parameters<typeof api.progress.backtestTrigger>[0]['body']
type Progress = { checkedBlocks: number; totalBlocks: number; fired: number }
export type Estimate = NonNullable<BacktestResult['estimate']>

/** Runs a backtest and reports its progress. It stops when the page closes. A long one first says what it costs. */
export function useBacktest() {
  const [progress, setProgress] = useState<Progress>()
  const [result, setResult] = useState<BacktestResult>()
  const [error, setError] = useState<unknown>()
  const [estimate, setEstimate] = useState<{ body: BacktestRequest; cost: Estimate }>()
  const [isBusy, setBusy] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start = async (body: BacktestRequest, isAgreed: boolean) => {
    const controller = new AbortController()
    running.current = controller
    setBusy(true)
    setError(undefined)
    setResult(undefined)
    setProgress(undefined)
    setEstimate(undefined)
    try {
      const asked = isLong(body) && !isAgreed ? { ...body, estimate: true } : body
      const read = await readResult(asked, controller.signal, setProgress)
      if (read.estimate && read.valid) setEstimate({ body, cost: read.estimate })
      else setResult(read)
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return {
    start: (body: BacktestRequest) => void start(body, false),
    /** Runs what was estimated. */
    confirm: () => estimate && void start(estimate.body, true),
    estimate: estimate?.cost,
    stop: () => running.current?.abort(),
    progress,
    result,
    error,
    isBusy,
  }
}

async function readResult(
  body: BacktestRequest,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<BacktestResult> {
  for await (const { event, data } of await api.progress.backtestTrigger({ body, signal })) {
    const progress = event === 'progress' ? BacktestProgress.safeParse(data) : undefined
    if (progress?.success) onProgress(progress.data)
    if (event === 'result') {
      const result = TriggerBacktestResult.parse(data)
      return result.job === undefined ? result : waitForJob(result.job, signal, onProgress)
    }
    if (event === 'error') throw new Error(errorText(data))
  }
  throw new Error('The connection ended before the backtest was done. Try again with fewer blocks.')
}

function isLong({ fromBlock = 0, toBlock = 0, lastBlocks }: BacktestRequest): boolean {
  return (lastBlocks ?? toBlock - fromBlock + 1) > backtestBlocksAtOnce
}

const pollMs = 1_000

/** A job goes on without this page, so whoever leaves the page stops it. */
async function waitForJob(
  id: string,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<BacktestResult> {
  for (;;) {
    if (signal.aborted) await api.stopBacktest({ id })
    const job = await api.getBacktest({ id })
    onProgress(job)
    if (job.state === 'failed') throw new Error(job.error ?? 'The backtest failed.')
    if (job.result) return TriggerBacktestResult.parse(job.result)
    if (job.endedAt !== null || signal.aborted) throw new Error('The backtest was stopped.')
    await new Promise((go) => setTimeout(go, pollMs))
  }
}

function errorText(data: unknown): string {
  const error = typeof data === 'object' && data !== null && 'error' in data ? data.error : data
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : 'The backtest failed.'
}
