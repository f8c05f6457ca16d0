const patienceMs = 25_000
const againMs = 60_000

/**
 * How long the rest of a block waits for a part that only some triggers need. The first block whose part cannot be read waits 25 s;
 * those after it do not wait, until the part is back. If nodes do not answer in time, it is requested only once a minute.
 */
export class PartPatience {
  readonly #now: () => number
  #waiting: { block: number | string; since: number } | undefined
  #isLost = false
  #skip: { untilMs: number; reason: string } | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  /** Why the part is not requested now; undefined if it is. */
  get skipped(): string | undefined {
    return this.#skip && this.#skip.untilMs > this.#now() ? this.#skip.reason : undefined
  }

  /** True if the block should be read without the part. */
  isOverFor(block: number | string): boolean {
    if (this.#waiting?.block !== block) this.#waiting = { block, since: this.#now() }
    return this.#isLost || this.#now() - this.#waiting.since >= patienceMs
  }

  /** A block was read without the part. `reason` is set if the part should not be requested for a while. */
  lose(reason?: string): void {
    this.#isLost = true
    if (reason !== undefined) this.#skip = { untilMs: this.#now() + againMs, reason }
  }

  succeeded(): void {
    this.#isLost = false
    this.#waiting = undefined
    this.#skip = undefined
  }
}
