import type { OutboundResponse, WebhookQueue } from './door.ts'
import { type Prepared, prepare } from './post.ts'
import { webhookRequest } from './standard-webhooks.ts'
import { UpstreamError } from './upstream-error.ts'
import { readWebhooks, type WebhookCells } from './webhook-cells.ts'

export type WebhookBatch = { queue: WebhookQueue; cells: WebhookCells }
/** The outcomes of webhooks. Each accepted webhook takes three cells: number, status, duration in ms. */
export type Outcomes = { accepted: number[]; others: Outcome[] }
export type Outcome = { number: number } & (
  | { status: number; headers: Record<string, string>; text: string; tookMs: number }
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

/** The queues of the sender thread. Each queue has a limit of webhooks in flight, and so has each origin. */
export class Queues {
  private readonly send: Send
  private readonly report: Report
  private readonly queues = new Map<string, Queue>()
  private readonly origins = new OriginLimits()
  private sweepTimer: NodeJS.Timeout | undefined

  constructor(send: Send, report: Report) {
    this.send = send
    this.report = report
  }

  add({ queue: settings, cells }: WebhookBatch): void {
    const { name, url, atOnce, timeoutMs, responseBytesMax } = settings
    let queue = this.queues.get(name)
    if (!queue) {
      queue = new Queue(atOnce, this.origins, this.send, this.report)
      this.queues.set(name, queue)
    }
    // All are prepared before the first is sent, so that sender and receiver do not wake each other for each webhook.
    for (const { number, ...webhook } of readWebhooks(cells)) {
      try {
        const request = webhookRequest(webhook, settings)
        queue.add(number, prepare(url, { ...request, timeoutMs, responseBytesMax }))
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
  private readonly origins: OriginLimits
  private readonly send: Send
  private readonly report: Report
  private readonly waiting: Waiting[] = []
  private inFlight = 0

  constructor(atOnce: number, origins: OriginLimits, send: Send, report: Report) {
    this.atOnce = atOnce
    this.origins = origins
    this.send = send
    this.report = report
  }

  add(number: number, prepared: Prepared): void {
    this.waiting.push({ number, prepared, sinceMs: performance.now() })
  }

  sendWaiting(): void {
    while (this.inFlight < this.atOnce) {
      const next = this.waiting[0]
      if (!next || !this.origins.take(next.prepared.target.origin, this)) return
      this.waiting.shift()
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
    const { origin } = prepared.target
    const onAnswer = ({ status, headers, text }: OutboundResponse) => {
      const tookMs = performance.now() - startedMs
      if (status >= 200 && status < 300) {
        this.report.accepted(number, status, tookMs)
        this.finish(origin)
      } else this.fail({ number, status, headers, text, tookMs }, origin)
    }
    this.send(prepared, onAnswer, (error) => this.fail({ number, ...failureOf(error) }, origin))
  }

  private fail(outcome: Outcome, origin: string): void {
    this.returnWaiting()
    this.report.other(outcome)
    this.finish(origin)
  }

  private finish(origin: string): void {
    this.inFlight -= 1
    this.origins.release(origin, this)
  }

  private returnWaiting(): void {
    for (const { number } of this.waiting.splice(0)) this.report.other({ number, isUnsent: true })
  }
}

type Origin = { inFlight: number; waiting: Set<Queue> }

/** The connections of one origin are limited to this number too. A request that waits for one would time out while it waits. */
const perOriginMax = 64

/** Limits the webhooks in flight to one origin. The queues that wait get free places in turns. */
class OriginLimits {
  private readonly origins = new Map<string, Origin>()

  /** False if the origin has no free place. The queue then sends when it gets one. */
  take(name: string, queue: Queue): boolean {
    const origin = this.origins.get(name) ?? { inFlight: 0, waiting: new Set() }
    this.origins.set(name, origin)
    if (origin.inFlight >= perOriginMax) {
      origin.waiting.add(queue)
      return false
    }
    origin.inFlight += 1
    return true
  }

  /** Gives the place of a webhook that ended to the queues that wait, and last to its own. */
  release(name: string, queue: Queue): void {
    const origin = this.origins.get(name)
    if (!origin) return
    origin.inFlight -= 1
    origin.waiting.add(queue)
    for (const next of origin.waiting) {
      if (origin.inFlight >= perOriginMax) break
      origin.waiting.delete(next)
      next.sendWaiting()
    }
    if (origin.inFlight === 0 && origin.waiting.size === 0) this.origins.delete(name)
  }
}

function failureOf(error: unknown): { error: string; kind?: UpstreamError['kind'] } {
  return error instanceof UpstreamError ? { error: error.message, kind: error.kind } : { error: String(error) }
}
