import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { NotSent, type PostDoor, type QueuedAnswer, type WebhookQueue } from './door.ts'
import type { Outcome, Outcomes, WebhookBatch } from './queues.ts'
import { UpstreamError } from './upstream-error.ts'
import { addWebhook } from './webhook-cells.ts'

export type Sender = Pick<PostDoor, 'enqueue'> & { close(): Promise<void> }
type PendingSend = PromiseWithResolvers<QueuedAnswer>
/** A worker thread and the sends that it has not answered. */
type Thread = { worker: Worker; pending: Map<number, PendingSend> }

/** An idle thread ends after this time, because it keeps its memory and connections for as long as it runs. */
const idleMs = 20_000

/** Gives webhooks to a worker thread, which starts with the first webhook. Webhooks of one event loop turn go in one message. */
export function makeSender(options: { allowPrivateNetworks: boolean; idleMs?: number }): Sender {
  let thread: Thread | undefined
  /** By the name of the queue. The webhooks of many queues come mixed. */
  let batches = new Map<string, WebhookBatch>()
  let count = 0
  let idle: NodeJS.Timeout | undefined
  const endThread = async () => {
    const ended = thread
    thread = undefined
    await ended?.worker.terminate()
  }
  const endIfIdle = () => {
    if (thread?.pending.size === 0) void endThread()
    else idle?.refresh()
  }
  const startThread = () => {
    idle ??= setTimeout(endIfIdle, options.idleMs ?? idleMs).unref()
    idle.refresh()
    return start(options)
  }
  const flush = () => {
    if (batches.size > 0) thread?.worker.postMessage([...batches.values()])
    batches = new Map()
  }
  const batchFor = (queue: WebhookQueue): WebhookBatch => {
    const known = batches.get(queue.name)
    if (known && isSame(known.queue, queue)) return known
    // The resource was changed within this turn: the webhooks with the old address, keys or headers go first.
    if (known) flush()
    if (batches.size === 0) setImmediate(flush)
    const batch: WebhookBatch = { queue, cells: [] }
    batches.set(queue.name, batch)
    return batch
  }
  return {
    enqueue(queue, webhook) {
      count += 1
      const send: PendingSend = Promise.withResolvers()
      thread ??= startThread()
      thread.pending.set(count, send)
      idle?.refresh()
      addWebhook(batchFor(queue).cells, count, webhook)
      return send.promise
    },
    async close() {
      clearTimeout(idle)
      await endThread()
    },
  }
}

function isSame(a: WebhookQueue, b: WebhookQueue): boolean {
  if (a === b) return true
  return a.url === b.url && a.keys.join() === b.keys.join() && hasSameHeaders(a.headers, b.headers)
}

function hasSameHeaders(a: Record<string, string>, b: Record<string, string>): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}

/** Its share of the memory for young objects: it holds few of them at a time. With 8 MB a webhook took a tenth more. */
const youngMegabytesMax = 16

/** An uncaught error in the thread ends the service, as on the main thread. */
function start({ allowPrivateNetworks }: { allowPrivateNetworks: boolean }): Thread {
  const resourceLimits = { maxYoungGenerationSizeMb: youngMegabytesMax }
  // The limit of the command line would win over that of the thread. The main thread has read it at its start and keeps it.
  setFlagsFromString('--max-semi-space-size=0')
  // Nothing else frees the memory of the thread after a burst.
  setFlagsFromString('--memory-reducer')
  const workerData = { allowPrivateNetworks }
  const worker = new Worker(new URL('./sender-thread.ts', import.meta.url), { workerData, resourceLimits })
  const pending = new Map<number, PendingSend>()
  worker.unref()
  const take = (number: number) => {
    const send = pending.get(number)
    pending.delete(number)
    return send
  }
  worker.on('message', ({ accepted, others }: Outcomes) => {
    for (let at = 0; at < accepted.length; at += 3) {
      const [number, status, tookMs] = [accepted[at] ?? 0, accepted[at + 1] ?? 0, accepted[at + 2] ?? 0]
      take(number)?.resolve({ status, headers: {}, text: '', tookMs })
    }
    for (const other of others) resolveSend(take(other.number), other)
  })
  worker.once('exit', () => {
    for (const { reject } of pending.values()) reject(new UpstreamError('failed', 'The service is shutting down.'))
    pending.clear()
  })
  return { worker, pending }
}

function resolveSend(pending: PendingSend | undefined, outcome: Outcome): void {
  if ('status' in outcome) pending?.resolve(outcome)
  else if ('isUnsent' in outcome) pending?.reject(new NotSent())
  else pending?.reject(outcome.kind ? new UpstreamError(outcome.kind, outcome.error) : new Error(outcome.error))
}
