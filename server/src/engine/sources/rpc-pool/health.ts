import type { EndpointNotice, EndpointNoticeCode, UpstreamError } from '../../world.ts'
import { type Endpoint, isOverload, SlowDown } from './endpoint.ts'
import { Pace } from './pace.ts'

const coolDownFirstMs = 1000
const coolDownMostMs = 60_000
const retryAfterMostMs = 300_000
const failuresWorthALine = 3

export type Tell = (notice: EndpointNotice) => void
export type HealthOptions = { now: () => number; tell: Tell }

/** How one endpoint has been lately: each failure in a row doubles the time for which others go first. */
export class Health {
  readonly endpoint: Endpoint
  readonly host: string
  readonly pace: Pace
  readonly counts = { requests: 0, failures: 0, timeouts: 0, slowDowns: 0, nulls: 0, incomplete: 0 }
  latencyMs: number | null = null
  head: number | undefined
  lag: number | undefined
  isLagging = false
  readonly #now: () => number
  readonly #tell: Tell
  #failures = 0
  #failedAt = Number.NEGATIVE_INFINITY
  #restUntil = 0
  #mustRest = false

  constructor(endpoint: Endpoint, { now, tell }: HealthOptions) {
    this.endpoint = endpoint
    this.host = new URL(endpoint.url).host
    this.pace = new Pace(now)
    this.#now = now
    this.#tell = tell
  }

  get restMs(): number {
    return Math.max(0, this.#restUntil - this.#now())
  }

  /** It said for how long it wants no calls; a mere failure is worth a try when nothing else is left. */
  get mustRest(): boolean {
    return this.#mustRest && this.restMs > 0
  }

  /** What began before the last failure says nothing of the time after it: it may be of the same moment. */
  succeeded(startedAt: number, result?: unknown): void {
    const tookMs = this.#now() - startedAt
    this.latencyMs = this.latencyMs === null ? tookMs : this.latencyMs + (tookMs - this.latencyMs) / 8
    if (result === null) this.counts.nulls += 1
    if (startedAt < this.#failedAt) return
    if (this.#failures >= failuresWorthALine) this.tell('endpoint_recovered', 'answers again.')
    this.#failures = 0
    this.#restUntil = 0
    this.#mustRest = false
  }

  failed(error: UpstreamError, startedAt: number): void {
    this.counts.failures += 1
    if (error.kind === 'timeout') this.counts.timeouts += 1
    if (isOverload(error)) {
      this.counts.slowDowns += 1
      this.pace.slowDown()
    }
    const asked = error instanceof SlowDown ? error.retryAfterMs : undefined
    if (startedAt >= this.#failedAt) this.#rest(error)
    if (asked === undefined) return
    this.#mustRest = true
    this.#restUntil = this.#now() + Math.min(retryAfterMostMs, asked)
  }

  tell(code: EndpointNoticeCode, what: string, level: 'info' | 'warn' = 'info'): void {
    this.#tell({ level, code, host: this.host, message: `${this.host} ${what}` })
  }

  #rest(error: UpstreamError): void {
    this.#failedAt = this.#now()
    this.#mustRest = false
    this.#restUntil = this.#failedAt + Math.min(coolDownMostMs, coolDownFirstMs * 2 ** this.#failures)
    this.#failures += 1
    if (this.#failures === failuresWorthALine)
      this.tell(
        'endpoint_failing',
        `failed ${this.#failures} times in a row, so others go first: ${error.message}`,
        'warn',
      )
  }
}

/** Rested ones in the order they were given, those that lag behind after them, then those that rest, the soonest first. */
export function byPreference(a: Health, b: Health): number {
  return Number(a.restMs > 0) - Number(b.restMs > 0) || Number(a.isLagging) - Number(b.isLagging) || delay(a) - delay(b)
}

function delay({ restMs, pace }: Health): number {
  return restMs + pace.waitMs
}
