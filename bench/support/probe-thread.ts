import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { get } from './measure.ts'

/** Asks the service for something small again and again, in a thread of its own so that nothing else delays it. */
export type Probe = {
  /** The slowest answer since the last question, in milliseconds. */
  takeMax(): Promise<number>
  /** All answers, slowest last. */
  stop(): Promise<number[]>
}

export function startProbe(url: string, token: string): Probe {
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, token } })
  const ask = async (question: string) => {
    worker.postMessage(question)
    // Rejects when the thread fails.
    return (await once(worker, 'message'))[0] as unknown
  }
  return {
    takeMax: async () => Number(await ask('max')),
    stop: async () => {
      const all = (await ask('all')) as number[]
      await worker.terminate()
      return all.sort((a, b) => a - b)
    },
  }
}

const everyMs = 5

if (parentPort && workerData?.url !== undefined) {
  const { url, token } = workerData as { url: string; token: string }
  const all: number[] = []
  let [max, startedAt] = [0, performance.now()]
  parentPort.on('message', (question) => {
    // The answer that is still missing counts as far as it is late.
    parentPort?.postMessage(question === 'max' ? Math.max(max, performance.now() - startedAt) : all)
    if (question === 'max') max = 0
  })
  for (;;) {
    startedAt = performance.now()
    await get(url, { authorization: `Bearer ${token}` })
    const took = performance.now() - startedAt
    all.push(took)
    max = Math.max(max, took)
    startedAt = Number.POSITIVE_INFINITY
    await pause(everyMs)
  }
}
