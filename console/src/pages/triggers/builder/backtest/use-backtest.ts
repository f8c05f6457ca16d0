import { BacktestProgress, TriggerBacktestResult } from '@tocsin/contract'
import { useEffect, useRef, useState } from 'react'
import { api, type Body } from '../../../../data/api.ts'

export type BacktestResult = Body<'backtestTrigger'>
export type Asked = Parameters<typeof api.progress.backtestTrigger>[0]['body']
type Progress = { checkedBlocks: number; totalBlocks: number; fired: number }

/** Runs over past blocks and tells how far it is; leaving the page ends it. */
export function useBacktest() {
  const [progress, setProgress] = useState<Progress>()
  const [result, setResult] = useState<BacktestResult>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const left = useRef<AbortController>(undefined)
  useEffect(() => () => left.current?.abort(), [])
  const start = async (body: Asked) => {
    const controller = new AbortController()
    left.current = controller
    setBusy(true)
    setError(undefined)
    setResult(undefined)
    setProgress(undefined)
    try {
      setResult(await hear(body, controller.signal, setProgress))
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return {
    start: (body: Asked) => void start(body),
    stop: () => left.current?.abort(),
    progress,
    result,
    error,
    isBusy,
  }
}

async function hear(body: Asked, signal: AbortSignal, tell: (progress: Progress) => void): Promise<BacktestResult> {
  for await (const { event, data } of await api.progress.backtestTrigger({ body, signal })) {
    const progress = event === 'progress' ? BacktestProgress.safeParse(data) : undefined
    if (progress?.success) tell(progress.data)
    if (event === 'result') return TriggerBacktestResult.parse(data)
    if (event === 'error') throw new Error(errorText(data))
  }
  throw new Error('The service ended before the backtest was done. Try again, or with fewer blocks.')
}

function errorText(data: unknown): string {
  const error = typeof data === 'object' && data !== null && 'error' in data ? data.error : data
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : 'The backtest failed.'
}
