const patienceMs = 25_000
const againMs = 60_000
const blocksKept = 64

/**
 * How long the rest of a block waits for a part that only some triggers need. The first block whose part cannot be read waits 25 s;
 * those after it do not wait, until the part is back. If nodes do not answer in time, it is requested only once a minute.
 */
export class PartPatience {
  readonly #now: () => number
  /** Since when blocks wait. Several blocks are read at the same time. */
  readonly #waiting = new Map<number | string, number>()
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
    const since = this.#waiting.get(block) ?? this.#now()
    for (const [oldest] of this.#waiting) if (this.#waiting.size >= blocksKept) this.#waiting.delete(oldest)
    this.#waiting.set(block, since)
    return this.#isLost || this.#now() - since >= patienceMs
  }

  /** A block was read without the part. `reason` is set if the part should not be requested for a while. */
  lose(reason?: string): void {
    this.#isLost = true
    if (reason !== undefined) this.#skip = { untilMs: this.#now() + againMs, reason }
  }

  succeeded(): void {
    this.#isLost = false
    this.#skip = undefined
  }
}
