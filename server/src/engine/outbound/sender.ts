import { Worker } from 'node:worker_threads'
import { NotSent, type PostDoor, type QueuedAnswer, type WebhookQueue } from './door.ts'
import type { Outcome, Outcomes, WebhookBatch } from './queues.ts'
import { UpstreamError } from './upstream-error.ts'

export type Sender = Pick<PostDoor, 'enqueue'> & { close(): Promise<void> }
type PendingSend = PromiseWithResolvers<QueuedAnswer>

/** Gives webhooks to a worker thread, which starts with the first webhook. Webhooks of one event loop turn go in one message. */
export function makeSender(options: { allowPrivateNetworks: boolean }): Sender {
  const pending = new Map<number, PendingSend>()
  let thread: Worker | undefined
  let batches: WebhookBatch[] = []
  let count = 0
  const flush = () => {
    thread ??= start(options, pending)
    thread.postMessage(batches)
    batches = []
  }
  const batchFor = (queue: WebhookQueue): WebhookBatch => {
    const last = batches.at(-1)
    if (last && isSame(last.queue, queue)) return last
    if (batches.length === 0) setImmediate(flush)
    const batch = { queue, webhooks: [] }
    batches.push(batch)
    return batch
  }
  return {
    enqueue(queue, { id, timestamp, body }) {
      count += 1
      const send: PendingSend = Promise.withResolvers()
      pending.set(count, send)
      batchFor(queue).webhooks.push(count, id, timestamp, body)
      return send.promise
    },
    async close() {
      await thread?.terminate()
      thread = undefined
    },
  }
}

function isSame(a: WebhookQueue, b: WebhookQueue): boolean {
  return a.name === b.name && a.url === b.url && a.keys.join() === b.keys.join()
}

/** An uncaught error in the thread ends the service, as on the main thread. */
function start(workerData: { allowPrivateNetworks: boolean }, pending: Map<number, PendingSend>): Worker {
  const thread = new Worker(new URL('./sender-thread.ts', import.meta.url), { workerData })
  thread.unref()
  const take = (number: number) => {
    const send = pending.get(number)
    pending.delete(number)
    return send
  }
  thread.on('message', ({ accepted, others }: Outcomes) => {
    for (let at = 0; at < accepted.length; at += 3) {
      const [number = 0, status = 0, tookMs = 0] = accepted.slice(at, at + 3)
      take(number)?.resolve({ status, headers: {}, tookMs })
    }
    for (const other of others) resolveSend(take(other.number), other)
  })
  thread.once('exit', () => {
    for (const { reject } of pending.values()) reject(new UpstreamError('failed', 'The service is shutting down.'))
    pending.clear()
  })
  return thread
}

function resolveSend(pending: PendingSend | undefined, outcome: Outcome): void {
  if ('status' in outcome) pending?.resolve(outcome)
  else if ('isUnsent' in outcome) pending?.reject(new NotSent())
  else pending?.reject(outcome.kind ? new UpstreamError(outcome.kind, outcome.error) : new Error(outcome.error))
}
