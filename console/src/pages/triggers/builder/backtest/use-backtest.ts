import { BacktestProgress, TriggerBacktestResult } from '@tocsin/contract'
import { useEffect, useRef, useState } from 'react'
import { api, type Body } from '../../../../data/api.ts'

export type BacktestResult = Body<'backtestTrigger'>
export type BacktestRequest = Parameters<typeof api.progress.backtestTrigger>[0]['body']
type Progress = { checkedBlocks: number; totalBlocks: number; fired: number }

/** Runs a backtest and reports its progress. It stops when the page closes. */
export function useBacktest() {
  const [progress, setProgress] = useState<Progress>()
  const [result, setResult] = useState<BacktestResult>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start = async (body: BacktestRequest) => {
    const controller = new AbortController()
    running.current = controller
    setBusy(true)
    setError(undefined)
    setResult(undefined)
    setProgress(undefined)
    try {
      setResult(await readResult(body, controller.signal, setProgress))
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return {
    start: (body: BacktestRequest) => void start(body),
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
    if (event === 'result') return TriggerBacktestResult.parse(data)
    if (event === 'error') throw new Error(errorText(data))
  }
  throw new Error('The connection ended before the backtest was done. Try again with fewer blocks.')
}

function errorText(data: unknown): string {
  const error = typeof data === 'object' && data !== null && 'error' in data ? data.error : data
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : 'The backtest failed.'
}
