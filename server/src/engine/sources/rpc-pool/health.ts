import type { UpstreamError } from '../../outbound/upstream-error.ts'
import type { EndpointNotice, EndpointNoticeCode } from '../endpoint-report.ts'
import { AnswerTimes } from './answer-times.ts'
import { type Endpoint, isOverload, SlowDown } from './endpoint.ts'
import type { HeadBlock } from './head-block.ts'
import { Pace } from './pace.ts'
import { Trouble } from './trouble.ts'

const coolDownFirstMs = 1000
const coolDownMaxMs = 60_000
/** Without a `Retry-After`, a limited endpoint is asked again this soon: nothing else shows that it serves again. */
const limitedMaxMs = 2_000
/** An endpoint that failed this often in a row and for this time is down: a call to it is sent once. */
const [downFailures, downMs] = [8, 5_000]
/** Failures of this time without an answer between them are more than a few lost calls. */
const lastingMs = 10_000
const retryAfterMaxMs = 300_000
const failuresBeforeNotice = 3
const deprioritizeFirstMs = 10_000
const deprioritizeMaxMs = 600_000

export type NoticeListener = (notice: EndpointNotice) => void
export type HealthOptions = {
  now: () => number
  onNotice: NoticeListener
  headBlock?: HeadBlock | undefined
  /** Its place in the list, from 1, if another endpoint of the source has the same host. */
  place?: number | undefined
}
type TroubleCode =
  | 'endpoint_failing'
  | 'endpoint_limiting'
  | 'endpoint_lagging'
  | 'endpoint_incomplete'
  | 'endpoint_refusing'

/** The log message when a trouble ends. */
const endNotice: Readonly<Record<TroubleCode, { code: EndpointNoticeCode; what: string }>> = {
  endpoint_failing: { code: 'endpoint_recovered', what: 'answers again' },
  endpoint_limiting: { code: 'endpoint_recovered', what: 'no longer rejects calls because of its rate limit' },
  endpoint_refusing: { code: 'endpoint_recovered', what: 'no longer refuses calls' },
  endpoint_incomplete: { code: 'endpoint_recovered', what: 'gives complete answers again' },
  endpoint_lagging: { code: 'endpoint_caught_up', what: 'has caught up with the others' },
}

/** The recent state of one endpoint. Each failure in a row doubles the time during which others are tried first. */
export class Health {
  readonly endpoint: Endpoint
  readonly host: string
  /** The host, and the place in the list where the host alone is not clear. The rest of a URL often holds a key. */
  readonly name: string
  readonly pace: Pace
  readonly headBlock: HeadBlock | undefined
  readonly times = new AnswerTimes()
  readonly counts = { requests: 0, failures: 0, timeouts: 0, slowDowns: 0, nulls: 0, incomplete: 0 }
  latencyMs: number | null = null
  head: number | undefined
  lag: number | undefined
  isLagging = false
  readonly #now: () => number
  readonly #onNotice: NoticeListener
  #failures = 0
  #failedAt = Number.NEGATIVE_INFINITY
  /** When the last call that was answered began. */
  #servedAt = Number.NEGATIVE_INFINITY
  #failure: { message: string; since: number } | undefined
  #restUntil = 0
  #mustRest = false
  #isLimited = false
  readonly #troubles = new Map<TroubleCode, Trouble>()
  readonly #deprioritized = new Map<string, { untilMs: number; times: number }>()

  constructor(endpoint: Endpoint, { now, onNotice, headBlock, place }: HealthOptions) {
    this.endpoint = endpoint
    this.headBlock = headBlock
    this.host = new URL(endpoint.url).host
    this.name = place === undefined ? this.host : `${this.host} (endpoint ${place})`
    this.pace = new Pace(now)
    this.#now = now
    this.#onNotice = onNotice
  }

  get restMs(): number {
    return Math.max(0, this.#restUntil - this.#now())
  }

  /** True if the endpoint itself asked for a pause. After a plain failure it is still tried when no other is left. */
  get mustRest(): boolean {
    return this.#mustRest && this.restMs > 0
  }

  /** How long to wait after a rate limit. */
  get limitedMs(): number {
    return this.#isLimited ? this.restMs : 0
  }

  /** True if calls only fail now. */
  get isDown(): boolean {
    return this.#failures >= downFailures && this.#now() - (this.#failure?.since ?? this.#now()) >= downMs
  }

  /** Why its last calls failed; undefined if it answered one of the last ten seconds. */
  get failure(): string | undefined {
    const { message, since } = this.#failure ?? { message: undefined, since: this.#now() }
    return this.#now() - since >= lastingMs ? message : undefined
  }

  /** A call that started before the last failure does not show that the endpoint works again. */
  succeeded(startedAt: number, result?: unknown, method?: string): void {
    const tookMs = this.#now() - startedAt
    this.latencyMs = this.latencyMs === null ? tookMs : this.latencyMs + (tookMs - this.latencyMs) / 8
    if (result === null) this.counts.nulls += 1
    if (method !== undefined) this.times.record(method, tookMs)
    this.#notifyEnds()
    this.#servedAt = Math.max(this.#servedAt, startedAt)
    if (startedAt < this.#failedAt) return
    this.pace.served()
    this.#failure = undefined
    this.#failures = 0
    this.#restUntil = 0
    this.#mustRest = false
    this.#isLimited = false
  }

  /** A call failed. If another one that began later was answered, this one was lost alone and only counts. */
  callFailed(error: UpstreamError, startedAt: number): void {
    if (isOverload(error) || startedAt >= this.#servedAt) this.failed(error, startedAt)
    else this.#countFailure(error)
  }

  failed(error: UpstreamError, startedAt: number): void {
    this.#countFailure(error)
    const isLimited = isOverload(error)
    if (isLimited) {
      this.counts.slowDowns += 1
      this.pace.slowDown()
      const about = Math.round(10 * (this.pace.perSecond ?? 0)) / 10
      this.reportTrouble(
        'endpoint_limiting',
        `rejects calls because of its rate limit; it now gets about ${about} calls per second: ${error.message}`,
      )
    }
    const pauseMs = error instanceof SlowDown ? error.retryAfterMs : undefined
    this.#failure = { message: error.message, since: this.#failure?.since ?? this.#now() }
    if (startedAt >= this.#failedAt) this.#rest(error, isLimited)
    if (pauseMs === undefined) return
    this.#mustRest = true
    this.#restUntil = this.#now() + Math.min(retryAfterMaxMs, pauseMs)
  }

  #countFailure(error: UpstreamError): void {
    this.counts.failures += 1
    if (error.kind === 'timeout') this.counts.timeouts += 1
  }

  /** Other endpoints are tried first for this method; each time in a row for twice as long. */
  deprioritize(method: string): void {
    const times = (this.#deprioritized.get(method)?.times ?? 0) + 1
    const ms = Math.min(deprioritizeMaxMs, deprioritizeFirstMs * 2 ** (times - 1))
    this.#deprioritized.set(method, { untilMs: this.#now() + ms, times })
  }

  /** The endpoint answered this method again. */
  restorePriority(method: string): void {
    this.#deprioritized.delete(method)
  }

  isDeprioritized(method: string | undefined): boolean {
    return method !== undefined && (this.#deprioritized.get(method)?.untilMs ?? 0) > this.#now()
  }

  /** Logs a trouble the first time and rarely while it continues. The number of occurrences is added to `what`. */
  reportTrouble(code: TroubleCode, what: string): void {
    const trouble = this.#troubles.get(code) ?? new Trouble(this.#now)
    this.#troubles.set(code, trouble)
    const count = trouble.recordOccurrence()
    if (!count) return
    const often = count.times > 1 ? ` (${count.times} times in ${count.seconds} s)` : ''
    this.notify(code, `${what}${often}`, 'warn')
  }

  #notifyEnds(): void {
    for (const [code, trouble] of this.#troubles) {
      const count = trouble.endIfCalm()
      const times = count?.times === 1 ? 'once' : `${count?.times} times`
      if (count) this.notify(endNotice[code].code, `${endNotice[code].what}; this happened ${times} before.`)
    }
  }

  notify(code: EndpointNoticeCode, what: string, level: 'info' | 'warn' = 'info'): void {
    this.#onNotice({ level, code, host: this.host, message: `${this.name} ${what}` })
  }

  #rest(error: UpstreamError, isLimited: boolean): void {
    this.#failedAt = this.#now()
    this.#mustRest = false
    this.#isLimited = isLimited
    this.#restUntil =
      this.#failedAt + Math.min(isLimited ? limitedMaxMs : coolDownMaxMs, coolDownFirstMs * 2 ** this.#failures)
    this.#failures += 1
    if (this.#failures >= failuresBeforeNotice && !isLimited)
      this.reportTrouble('endpoint_failing', `fails, so other endpoints are tried first: ${error.message}`)
  }
}

/** Order: available endpoints as given, then lagging ones, then paused ones by the end of their pause. */
export function byPreference(a: Health, b: Health): number {
  return Number(a.restMs > 0) - Number(b.restMs > 0) || Number(a.isLagging) - Number(b.isLagging) || delay(a) - delay(b)
}

function delay({ restMs, pace }: Health): number {
  return restMs + pace.waitMs
}
