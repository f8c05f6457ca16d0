import type { OutboundResponse, WebhookQueue } from './door.ts'
import { type Prepared, prepare } from './post.ts'
import { webhookRequest } from './standard-webhooks.ts'
import { UpstreamError } from './upstream-error.ts'

/** Webhooks of one queue, each by four in a row: its number, id, timestamp and body. An object for each costs more. */
export type Order = { queue: WebhookQueue; webhooks: (number | string)[] }
/** What became of them. Of those that were taken three in a row: number, status and how long it took. */
export type Outcomes = { taken: number[]; others: Outcome[] }
export type Outcome = { number: number } & (
  | { status: number; headers: Record<string, string>; tookMs: number }
  /** Without a kind it is a fault of ours. */
  | { error: string; kind?: UpstreamError['kind'] }
  | { isReturned: true }
)
type Send = (
  prepared: Prepared,
  onAnswer: (response: OutboundResponse) => void,
  onFailure: (error: UpstreamError) => void,
) => void
type Tell = { taken(number: number, status: number, tookMs: number): void; other(outcome: Outcome): void }
type Waiting = { number: number; prepared: Prepared; sinceMs: number }

/** Whoever waits longer is better asked again. */
const waitMaxMs = 1_000
const sweepMs = 500

/** Webhooks that wait for their turn, so many of each queue on their way. */
export class Queues {
  private readonly send: Send
  private readonly tell: Tell
  private readonly queues = new Map<string, Queue>()
  private sweeping: NodeJS.Timeout | undefined

  constructor(send: Send, tell: Tell) {
    this.send = send
    this.tell = tell
  }

  add({ queue: { name, url, keys, atOnce, timeoutMs }, webhooks }: Order): void {
    let queue = this.queues.get(name)
    if (!queue) {
      queue = new Queue(atOnce, this.send, this.tell)
      this.queues.set(name, queue)
    }
    // All are made ready before the first goes out: in between, the two sides would wake each other for each of them.
    for (let at = 0; at < webhooks.length; at += 4) {
      const [number, id, timestamp, body] = webhooks.slice(at, at + 4) as [number, string, string, string]
      try {
        const request = webhookRequest({ id, timestamp, body }, keys)
        queue.add(number, prepare(url, { ...request, timeoutMs, responseBytesMax: 0 }))
      } catch (error) {
        this.tell.other({ number, ...failureOf(error) })
      }
    }
    queue.go()
    this.sweeping ??= setInterval(() => this.sweep(), sweepMs)
  }

  private sweep(): void {
    for (const [name, queue] of this.queues) if (queue.sweep()) this.queues.delete(name)
    if (this.queues.size > 0) return
    clearInterval(this.sweeping)
    this.sweeping = undefined
  }
}

/**
 * After one that did not arrive the rest goes back unsent: the other side may have asked for rest, or be gone. So does
 * what waits for long.
 */
class Queue {
  private readonly atOnce: number
  private readonly send: Send
  private readonly tell: Tell
  private readonly waiting: Waiting[] = []
  private onTheirWay = 0

  constructor(atOnce: number, send: Send, tell: Tell) {
    this.atOnce = atOnce
    this.send = send
    this.tell = tell
  }

  add(number: number, prepared: Prepared): void {
    this.waiting.push({ number, prepared, sinceMs: performance.now() })
  }

  go(): void {
    while (this.onTheirWay < this.atOnce) {
      const next = this.waiting.shift()
      if (!next) return
      this.onTheirWay += 1
      this.attempt(next)
    }
  }

  /** True when there is nothing left. */
  sweep(): boolean {
    if (performance.now() - (this.waiting[0]?.sinceMs ?? Infinity) > waitMaxMs) this.giveBack()
    return this.onTheirWay === 0
  }

  private attempt({ number, prepared }: Waiting): void {
    const startedMs = performance.now()
    const onAnswer = ({ status, headers }: OutboundResponse) => {
      const tookMs = performance.now() - startedMs
      if (status >= 200 && status < 300) {
        this.tell.taken(number, status, tookMs)
        this.next()
      } else this.fail({ number, status, headers, tookMs })
    }
    this.send(prepared, onAnswer, (error) => this.fail({ number, ...failureOf(error) }))
  }

  private fail(outcome: Outcome): void {
    this.giveBack()
    this.tell.other(outcome)
    this.next()
  }

  private next(): void {
    this.onTheirWay -= 1
    this.go()
  }

  private giveBack(): void {
    for (const { number } of this.waiting.splice(0)) this.tell.other({ number, isReturned: true })
  }
}

function failureOf(error: unknown): { error: string; kind?: UpstreamError['kind'] } {
  return error instanceof UpstreamError ? { error: error.message, kind: error.kind } : { error: String(error) }
}
