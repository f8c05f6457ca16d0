import type { OutboundResponse, WebhookQueue } from './door.ts'
import { type Prepared, prepare } from './post.ts'
import { webhookRequest } from './standard-webhooks.ts'
import { UpstreamError } from './upstream-error.ts'

/** Webhooks of one queue. Each takes four cells: number, id, timestamp, body. A flat array is cheaper to send than objects. */
export type WebhookBatch = { queue: WebhookQueue; webhooks: (number | string)[] }
/** The outcomes of webhooks. Each accepted webhook takes three cells: number, status, duration in ms. */
export type Outcomes = { accepted: number[]; others: Outcome[] }
export type Outcome = { number: number } & (
  | { status: number; headers: Record<string, string>; tookMs: number }
  /** Without a kind the error is a bug of the service. */
  | { error: string; kind?: UpstreamError['kind'] }
  | { isUnsent: true }
)
type Send = (
  prepared: Prepared,
  onAnswer: (response: OutboundResponse) => void,
  onFailure: (error: UpstreamError) => void,
) => void
type Report = { accepted(number: number, status: number, tookMs: number): void; other(outcome: Outcome): void }
type Waiting = { number: number; prepared: Prepared; sinceMs: number }

/** A webhook that waits longer goes back to the caller, who decides again. */
const waitMaxMs = 1_000
const sweepMs = 500

/** The queues of the sender thread. Each queue has a limit of webhooks in flight. */
export class Queues {
  private readonly send: Send
  private readonly report: Report
  private readonly queues = new Map<string, Queue>()
  private sweepTimer: NodeJS.Timeout | undefined

  constructor(send: Send, report: Report) {
    this.send = send
    this.report = report
  }

  add({ queue: { name, url, keys, atOnce, timeoutMs }, webhooks }: WebhookBatch): void {
    let queue = this.queues.get(name)
    if (!queue) {
      queue = new Queue(atOnce, this.send, this.report)
      this.queues.set(name, queue)
    }
    // All are prepared before the first is sent, so that sender and receiver do not wake each other for each webhook.
    for (let at = 0; at < webhooks.length; at += 4) {
      const [number, id, timestamp, body] = webhooks.slice(at, at + 4) as [number, string, string, string]
      try {
        const request = webhookRequest({ id, timestamp, body }, keys)
        queue.add(number, prepare(url, { ...request, timeoutMs, responseBytesMax: 0 }))
      } catch (error) {
        this.report.other({ number, ...failureOf(error) })
      }
    }
    queue.sendWaiting()
    this.sweepTimer ??= setInterval(() => this.sweep(), sweepMs)
  }

  private sweep(): void {
    for (const [name, queue] of this.queues) if (queue.sweep()) this.queues.delete(name)
    if (this.queues.size > 0) return
    clearInterval(this.sweepTimer)
    this.sweepTimer = undefined
  }
}

/**
 * After a failure all waiting webhooks go back unsent, because the receiver may be down or may have asked for a pause. So do
 * webhooks that wait longer than `waitMaxMs`.
 */
class Queue {
  private readonly atOnce: number
  private readonly send: Send
  private readonly report: Report
  private readonly waiting: Waiting[] = []
  private inFlight = 0

  constructor(atOnce: number, send: Send, report: Report) {
    this.atOnce = atOnce
    this.send = send
    this.report = report
  }

  add(number: number, prepared: Prepared): void {
    this.waiting.push({ number, prepared, sinceMs: performance.now() })
  }

  sendWaiting(): void {
    while (this.inFlight < this.atOnce) {
      const next = this.waiting.shift()
      if (!next) return
      this.inFlight += 1
      this.attempt(next)
    }
  }

  /** Returns webhooks that waited too long. Returns true if nothing is in flight. */
  sweep(): boolean {
    if (performance.now() - (this.waiting[0]?.sinceMs ?? Infinity) > waitMaxMs) this.returnWaiting()
    return this.inFlight === 0
  }

  private attempt({ number, prepared }: Waiting): void {
    const startedMs = performance.now()
    const onAnswer = ({ status, headers }: OutboundResponse) => {
      const tookMs = performance.now() - startedMs
      if (status >= 200 && status < 300) {
        this.report.accepted(number, status, tookMs)
        this.finish()
      } else this.fail({ number, status, headers, tookMs })
    }
    this.send(prepared, onAnswer, (error) => this.fail({ number, ...failureOf(error) }))
  }

  private fail(outcome: Outcome): void {
    this.returnWaiting()
    this.report.other(outcome)
    this.finish()
  }

  private finish(): void {
    this.inFlight -= 1
    this.sendWaiting()
  }

  private returnWaiting(): void {
    for (const { number } of this.waiting.splice(0)) this.report.other({ number, isUnsent: true })
  }
}

function failureOf(error: unknown): { error: string; kind?: UpstreamError['kind'] } {
  return error instanceof UpstreamError ? { error: error.message, kind: error.kind } : { error: String(error) }
}
