/** The worker thread that sends queued webhooks, so that many deliveries do not block the main thread. */
import { parentPort, workerData } from 'node:worker_threads'
import { ConnectionPool } from './connection-pool.ts'
import { guardedConnect } from './guard.ts'
import { send } from './post.ts'
import { type Outcomes, Queues, type WebhookBatch } from './queues.ts'

const pool = new ConnectionPool(guardedConnect(workerData))
let outcomes: Outcomes | undefined

const queues = new Queues((...call) => send(pool, ...call), {
  accepted: (number, status, tookMs) => pendingOutcomes().accepted.push(number, status, tookMs),
  other: (outcome) => pendingOutcomes().others.push(outcome),
})

parentPort?.on('message', (batches: readonly WebhookBatch[]) => {
  for (const batch of batches) queues.add(batch)
})

/** Outcomes of one event loop turn go to the main thread in one message. */
function pendingOutcomes(): Outcomes {
  if (!outcomes) {
    outcomes = { accepted: [], others: [] }
    setImmediate(flush)
  }
  return outcomes
}

function flush(): void {
  parentPort?.postMessage(outcomes)
  outcomes = undefined
}
