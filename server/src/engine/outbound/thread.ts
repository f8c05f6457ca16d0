/** Sends what a rush of messages brings, beside the thread that makes them. */
import { parentPort, workerData } from 'node:worker_threads'
import { guardedConnect } from './guard.ts'
import { Lines } from './lines.ts'
import { send } from './post.ts'
import { type Order, type Outcomes, Queues } from './queues.ts'

const lines = new Lines(guardedConnect(workerData))
let outcomes: Outcomes | undefined

const queues = new Queues((...call) => send(lines, ...call), {
  taken: (number, status, tookMs) => told().taken.push(number, status, tookMs),
  other: (outcome) => told().others.push(outcome),
})

parentPort?.on('message', (orders: readonly Order[]) => {
  for (const order of orders) queues.add(order)
})

/** What ended in the same round is told together. */
function told(): Outcomes {
  if (!outcomes) {
    outcomes = { taken: [], others: [] }
    setImmediate(tell)
  }
  return outcomes
}

function tell(): void {
  parentPort?.postMessage(outcomes)
  outcomes = undefined
}
