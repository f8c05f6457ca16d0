const windowMs = 1000
const leastPerSecond = 2
const unlimitedFrom = 500
const growthPerSecond = 1.1
/** For so long after a complaint, calls stay below the rate that led to it. */
const cautiousMs = 60_000
const cautiousShare = 0.9

/**
 * How often an endpoint is asked: as often as calls come, until it complains; then half as often, and more again up to
 * just below the rate of the complaint. After a minute without another complaint it is tried with more.
 */
export class Pace {
  readonly #now: () => number
  #perSecond = Number.POSITIVE_INFINITY
  /** Below zero when calls are promised that have not gone yet. */
  #tokens = 0
  #countedAt = 0
  #complainedAtRate = Number.POSITIVE_INFINITY
  #slowedAt = Number.NEGATIVE_INFINITY
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

  /** Promises a place to one call and tells how long it waits for it. */
  take(): number {
    const { waitMs } = this
    this.#count()
    this.#tokens -= 1
    return waitMs
  }

  /** Many calls at once are refused together; that is one complaint. */
  slowDown(): void {
    const now = this.#now()
    if (now - this.#slowedAt < windowMs) return
    const { calls, before } = this.#window
    this.#complainedAtRate = Math.min(this.#perSecond, Math.max(calls, before))
    this.#perSecond = Math.max(leastPerSecond, this.#complainedAtRate / 2)
    this.#slowedAt = now
    this.#countedAt = now
    this.#tokens = 0
  }

  #refill(): void {
    const now = this.#now()
    const seconds = Math.max(0, now - this.#countedAt) / 1000
    this.#countedAt = now
    if (!Number.isFinite(this.#perSecond)) return
    this.#perSecond = Math.min(this.#perSecond * growthPerSecond ** seconds, this.#mostPerSecond(now))
    if (this.#perSecond >= unlimitedFrom) this.#perSecond = Number.POSITIVE_INFINITY
    else this.#tokens = Math.min(this.#perSecond, this.#tokens + seconds * this.#perSecond)
  }

  #mostPerSecond(now: number): number {
    if (now - this.#slowedAt >= cautiousMs) return Number.POSITIVE_INFINITY
    return Math.max(leastPerSecond, cautiousShare * this.#complainedAtRate)
  }

  #count(): void {
    const now = this.#now()
    const { startedAt, calls } = this.#window
    if (now - startedAt < windowMs) this.#window.calls += 1
    else this.#window = { startedAt: now, calls: 1, before: now - startedAt < 2 * windowMs ? calls : 0 }
  }
}
