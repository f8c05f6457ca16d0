import type { UpstreamError } from '../../outbound/upstream-error.ts'
import type { EndpointNotice, EndpointNoticeCode } from '../endpoint-report.ts'
import { type Endpoint, isOverload, SlowDown } from './endpoint.ts'
import type { HeadBlock } from './head-block.ts'
import { Pace } from './pace.ts'
import { Trouble } from './trouble.ts'

const coolDownFirstMs = 1000
const coolDownMostMs = 60_000
const retryAfterMostMs = 300_000
const failuresWorthALine = 3
const disfavourFirstMs = 10_000
const disfavourMostMs = 600_000

export type Tell = (notice: EndpointNotice) => void
export type HealthOptions = { now: () => number; tell: Tell; headBlock?: HeadBlock | undefined }
type TroubleCode =
  | 'endpoint_failing'
  | 'endpoint_limiting'
  | 'endpoint_lagging'
  | 'endpoint_incomplete'
  | 'endpoint_refusing'

/** What the log says when a trouble is over. */
const endOf: Readonly<Record<TroubleCode, { code: EndpointNoticeCode; what: string }>> = {
  endpoint_failing: { code: 'endpoint_recovered', what: 'answers again' },
  endpoint_limiting: { code: 'endpoint_recovered', what: 'no longer refuses calls as too many' },
  endpoint_refusing: { code: 'endpoint_recovered', what: 'no longer refuses calls' },
  endpoint_incomplete: { code: 'endpoint_recovered', what: 'gives complete answers again' },
  endpoint_lagging: { code: 'endpoint_caught_up', what: 'has caught up with the others' },
}

/** How one endpoint has been lately: each failure in a row doubles the time for which others go first. */
export class Health {
  readonly endpoint: Endpoint
  readonly host: string
  readonly pace: Pace
  readonly headBlock: HeadBlock | undefined
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
  #isLimited = false
  readonly #troubles = new Map<TroubleCode, Trouble>()
  readonly #disfavoured = new Map<string, { untilMs: number; times: number }>()

  constructor(endpoint: Endpoint, { now, tell, headBlock }: HealthOptions) {
    this.endpoint = endpoint
    this.headBlock = headBlock
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

  /** How long to wait for it after it refused a call as one too many. */
  get limitedMs(): number {
    return this.#isLimited ? this.restMs : 0
  }

  /** What began before the last failure says nothing of the time after it: it may be of the same moment. */
  succeeded(startedAt: number, result?: unknown): void {
    const tookMs = this.#now() - startedAt
    this.latencyMs = this.latencyMs === null ? tookMs : this.latencyMs + (tookMs - this.latencyMs) / 8
    if (result === null) this.counts.nulls += 1
    this.#tellEnds()
    if (startedAt < this.#failedAt) return
    this.#failures = 0
    this.#restUntil = 0
    this.#mustRest = false
    this.#isLimited = false
  }

  failed(error: UpstreamError, startedAt: number): void {
    this.counts.failures += 1
    if (error.kind === 'timeout') this.counts.timeouts += 1
    const isLimited = isOverload(error)
    if (isLimited) {
      this.counts.slowDowns += 1
      this.pace.slowDown()
      const about = Math.round(10 * (this.pace.perSecond ?? 0)) / 10
      this.complain('endpoint_limiting', `refuses calls as too many; it gets about ${about} a second: ${error.message}`)
    }
    const asked = error instanceof SlowDown ? error.retryAfterMs : undefined
    if (startedAt >= this.#failedAt) this.#rest(error, isLimited)
    if (asked === undefined) return
    this.#mustRest = true
    this.#restUntil = this.#now() + Math.min(retryAfterMostMs, asked)
  }

  /** Others go first for this method: each time in a row for twice as long. */
  disfavour(method: string): void {
    const times = (this.#disfavoured.get(method)?.times ?? 0) + 1
    const ms = Math.min(disfavourMostMs, disfavourFirstMs * 2 ** (times - 1))
    this.#disfavoured.set(method, { untilMs: this.#now() + ms, times })
  }

  /** It did what another time it did not. */
  favour(method: string): void {
    this.#disfavoured.delete(method)
  }

  isDisfavoured(method: string | undefined): boolean {
    return method !== undefined && (this.#disfavoured.get(method)?.untilMs ?? 0) > this.#now()
  }

  /** A line for the first time, and seldom while it goes on; `what` is followed by how often it happened. */
  complain(code: TroubleCode, what: string): void {
    const trouble = this.#troubles.get(code) ?? new Trouble(this.#now)
    this.#troubles.set(code, trouble)
    const count = trouble.happened()
    if (!count) return
    const often = count.times > 1 ? ` (${count.times} times in ${count.seconds} s)` : ''
    this.tell(code, `${what}${often}`, 'warn')
  }

  #tellEnds(): void {
    for (const [code, trouble] of this.#troubles) {
      const count = trouble.ended()
      const times = count?.times === 1 ? 'once' : `${count?.times} times`
      if (count) this.tell(endOf[code].code, `${endOf[code].what}; before, it went wrong ${times}.`)
    }
  }

  tell(code: EndpointNoticeCode, what: string, level: 'info' | 'warn' = 'info'): void {
    this.#tell({ level, code, host: this.host, message: `${this.host} ${what}` })
  }

  #rest(error: UpstreamError, isLimited: boolean): void {
    this.#failedAt = this.#now()
    this.#mustRest = false
    this.#isLimited = isLimited
    this.#restUntil = this.#failedAt + Math.min(coolDownMostMs, coolDownFirstMs * 2 ** this.#failures)
    this.#failures += 1
    if (this.#failures >= failuresWorthALine && !isLimited)
      this.complain('endpoint_failing', `fails, so other endpoints go first: ${error.message}`)
  }
}

/** Rested ones in the order they were given, those that lag behind after them, then those that rest, the soonest first. */
export function byPreference(a: Health, b: Health): number {
  return Number(a.restMs > 0) - Number(b.restMs > 0) || Number(a.isLagging) - Number(b.isLagging) || delay(a) - delay(b)
}

function delay({ restMs, pace }: Health): number {
  return restMs + pace.waitMs
}
