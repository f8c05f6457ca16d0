const windowMs = 1000
const perSecondMin = 2
const unlimitedFrom = 500
const growthPerSecond = 1.1
/** For this time after a rate limit, the rate stays below the rate that caused it. */
const cautiousMs = 60_000
const cautiousFactor = 0.9
/** An endpoint that refused every call for this time was down. What it refused says nothing about its rate. */
const outageMinMs = 5_000
/** An endpoint that refuses again this soon after such an outage has a limit of long periods. */
const outagesApartMs = 60_000

/**
 * An adaptive rate limiter for one endpoint: a token bucket without a limit until the endpoint sends a rate limit. Then the
 * rate is halved, and grows again to just below the rate that caused it. After a minute without a rate limit it may grow further.
 */
export class Pace {
  readonly #now: () => number
  #perSecond = Number.POSITIVE_INFINITY
  /** Negative when calls have reserved tokens and still wait. */
  #tokens = 0
  #countedAt = 0
  #rejectedRate = Number.POSITIVE_INFINITY
  #slowedAt = Number.NEGATIVE_INFINITY
  /** Since when every call is refused, and the rates before. */
  #refusing: { since: number; perSecond: number; rejectedRate: number } | undefined
  #restoredAt = Number.NEGATIVE_INFINITY
  #window = { startedAt: 0, calls: 0, before: 0 }

  constructor(now: () => number) {
    this.#now = now
  }

  get perSecond(): number | null {
    return Number.isFinite(this.#perSecond) ? this.#perSecond : null
  }

  /** How long the next call would have to wait. */
  get waitMs(): number {
    this.#refill()
    if (!Number.isFinite(this.#perSecond)) return 0
    return Math.max(0, Math.ceil(((1 - this.#tokens) / this.#perSecond) * 1000))
  }

  /** Reserves a token for one call and returns how long the call has to wait. */
  take(): number {
    const { waitMs } = this
    this.#count()
    this.#tokens -= 1
    return waitMs
  }

  /** Many calls may be rejected together; that counts once. */
  slowDown(): void {
    const now = this.#now()
    if (now - this.#slowedAt < windowMs) return
    this.#refusing ??= { since: now, perSecond: this.#perSecond, rejectedRate: this.#rejectedRate }
    const { calls, before } = this.#window
    this.#rejectedRate = Math.min(this.#perSecond, Math.max(calls, before))
    this.#perSecond = Math.max(perSecondMin, this.#rejectedRate / 2)
    this.#slowedAt = now
    this.#countedAt = now
    this.#tokens = 0
  }

  /** The endpoint answered a call. After an outage the rate is what it was before. */
  served(): void {
    const refusing = this.#refusing
    if (!refusing) return
    this.#refusing = undefined
    const now = this.#now()
    if (now - refusing.since < outageMinMs || now - this.#restoredAt < outagesApartMs) return
    this.#restoredAt = now
    this.#perSecond = refusing.perSecond
    this.#rejectedRate = refusing.rejectedRate
    this.#slowedAt = Number.NEGATIVE_INFINITY
    this.#countedAt = now
    this.#tokens = 0
  }

  #refill(): void {
    const now = this.#now()
    const seconds = Math.max(0, now - this.#countedAt) / 1000
    this.#countedAt = now
    if (!Number.isFinite(this.#perSecond)) return
    this.#perSecond = Math.min(this.#perSecond * growthPerSecond ** seconds, this.#perSecondMaxAt(now))
    if (this.#perSecond >= unlimitedFrom) this.#perSecond = Number.POSITIVE_INFINITY
    else this.#tokens = Math.min(this.#perSecond, this.#tokens + seconds * this.#perSecond)
  }

  #perSecondMaxAt(now: number): number {
    if (now - this.#slowedAt >= cautiousMs) return Number.POSITIVE_INFINITY
    return Math.max(perSecondMin, cautiousFactor * this.#rejectedRate)
  }

  #count(): void {
    const now = this.#now()
    const { startedAt, calls } = this.#window
    if (now - startedAt < windowMs) this.#window.calls += 1
    else this.#window = { startedAt: now, calls: 1, before: now - startedAt < 2 * windowMs ? calls : 0 }
  }
}
