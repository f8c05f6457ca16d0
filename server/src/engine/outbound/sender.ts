import { Worker } from 'node:worker_threads'
import { NotSent, type PostDoor, type QueuedAnswer, type WebhookQueue } from './door.ts'
import type { Order, Outcome, Outcomes } from './queues.ts'
import { UpstreamError } from './upstream-error.ts'

export type Sender = Pick<PostDoor, 'enqueue'> & { close(): Promise<void> }
type Asked = PromiseWithResolvers<QueuedAnswer>

/** Hands webhooks to a thread of their own, which starts with the first; those of one round go together. */
export function makeSender(options: { allowPrivateNetworks: boolean }): Sender {
  const asked = new Map<number, Asked>()
  let thread: Worker | undefined
  let orders: Order[] = []
  let count = 0
  const handOver = () => {
    thread ??= start(options, asked)
    thread.postMessage(orders)
    orders = []
  }
  const orderFor = (queue: WebhookQueue): Order => {
    const last = orders.at(-1)
    if (last && isSame(last.queue, queue)) return last
    if (orders.length === 0) setImmediate(handOver)
    const order = { queue, webhooks: [] }
    orders.push(order)
    return order
  }
  return {
    enqueue(queue, { id, timestamp, body }) {
      count += 1
      const one: Asked = Promise.withResolvers()
      asked.set(count, one)
      orderFor(queue).webhooks.push(count, id, timestamp, body)
      return one.promise
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

/** A fault of ours that ends it ends the service, as it would on its own thread. */
function start(workerData: { allowPrivateNetworks: boolean }, asked: Map<number, Asked>): Worker {
  const thread = new Worker(new URL('./thread.ts', import.meta.url), { workerData })
  thread.unref()
  const take = (number: number) => {
    const one = asked.get(number)
    asked.delete(number)
    return one
  }
  thread.on('message', ({ taken, others }: Outcomes) => {
    for (let at = 0; at < taken.length; at += 3) {
      const [number = 0, status = 0, tookMs = 0] = taken.slice(at, at + 3)
      take(number)?.resolve({ status, headers: {}, tookMs })
    }
    for (const other of others) settle(take(other.number), other)
  })
  thread.once('exit', () => {
    for (const { reject } of asked.values()) reject(new UpstreamError('failed', 'Nobody sends any longer.'))
    asked.clear()
  })
  return thread
}

function settle(asked: Asked | undefined, outcome: Outcome): void {
  if ('status' in outcome) asked?.resolve(outcome)
  else if ('isReturned' in outcome) asked?.reject(new NotSent())
  else asked?.reject(outcome.kind ? new UpstreamError(outcome.kind, outcome.error) : new Error(outcome.error))
}
