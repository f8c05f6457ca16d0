const repeatFirstMs = 10 * 60_000
const repeatMaxMs = 4 * 3_600_000
/** A trouble that stops and returns counts as one. It ends only after this time without an occurrence. */
const calmMs = 5 * 60_000

export type TroubleCount = { times: number; seconds: number }

/**
 * One kind of trouble at one endpoint. It decides when the log gets a line: at the start, at the end, and while it
 * continues after 10 min, then after 20 min, and so on up to every 4 h.
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

  /** Records an occurrence. Returns the count if a log line is due. */
  recordOccurrence(): TroubleCount | undefined {
    const now = this.#now()
    this.#lastAt = now
    this.#times += 1
    if (this.#times === 1) {
      this.#since = now
      this.#repeatMs = repeatFirstMs
    } else if (now < this.#repeatAt) return undefined
    else this.#repeatMs = Math.min(repeatMaxMs, this.#repeatMs * 2)
    this.#repeatAt = now + this.#repeatMs
    return this.#count()
  }

  /** Called after a success. Returns the count if the trouble has ended. */
  endIfCalm(): TroubleCount | undefined {
    if (this.#times === 0 || this.#now() - this.#lastAt < calmMs) return undefined
    const count = this.#count()
    this.#times = 0
    return count
  }

  #count(): TroubleCount {
    return { times: this.#times, seconds: Math.round((this.#lastAt - this.#since) / 1000) }
  }
}
