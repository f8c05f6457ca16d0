const repeatFirstMs = 10 * 60_000
const repeatMostMs = 4 * 3_600_000
/** A trouble that comes and goes is one trouble: it is over only after this long without it. */
const calmMs = 5 * 60_000

export type TroubleCount = { times: number; seconds: number }

/**
 * One kind of trouble at one endpoint. A line in the log is due when it begins, when it is over, and while it goes on
 * after 10 min, then after 20 min, and so on up to every 4 h.
 */
export class Trouble {
  readonly #now: () => number
  #times = 0
  #since = 0
  #lastAt = 0
  #repeatAt = 0
  #repeatMs = repeatFirstMs

  constructor(now: () => number) {
    this.#now = now
  }

  /** Answers how often it has happened, if a line is due. */
  happened(): TroubleCount | undefined {
    const now = this.#now()
    this.#lastAt = now
    this.#times += 1
    if (this.#times === 1) {
      this.#since = now
      this.#repeatMs = repeatFirstMs
    } else if (now < this.#repeatAt) return undefined
    else this.#repeatMs = Math.min(repeatMostMs, this.#repeatMs * 2)
    this.#repeatAt = now + this.#repeatMs
    return this.#count()
  }

  /** The endpoint did well: answers what there was, if it is over now. */
  ended(): TroubleCount | undefined {
    if (this.#times === 0 || this.#now() - this.#lastAt < calmMs) return undefined
    const count = this.#count()
    this.#times = 0
    return count
  }

  #count(): TroubleCount {
    return { times: this.#times, seconds: Math.round((this.#lastAt - this.#since) / 1000) }
  }
}
