const keptGaps = 64
const gapsLeast = 8
const watchedLeastMs = 10_000
const irregularBeyond = 10
const silentLeastMs = 30_000
const silentBlocks = 5
const silentGaps = 3

/**
 * The usual time between blocks, learned from when heads were first seen. It is known after 8 blocks in at least 10 s,
 * while none of the last 64 gaps is longer than ten usual ones: a node that makes blocks only when somebody sends a
 * transaction has no usual time, and its silence means nothing.
 */
export class BlockTime {
  readonly #now: () => number
  /** Milliseconds for one block, the newest last. */
  readonly #gaps: number[] = []
  #head: number | undefined
  #seenAt: number

  constructor(now: () => number) {
    this.#now = now
    this.#seenAt = now()
  }

  see(head: number): void {
    if (this.#head !== undefined && head <= this.#head) return
    const now = this.#now()
    if (this.#head !== undefined) this.#gaps.push((now - this.#seenAt) / (head - this.#head))
    if (this.#gaps.length > keptGaps) this.#gaps.shift()
    this.#head = head
    this.#seenAt = now
  }

  /** How long ago the latest head was first seen. */
  get sinceHeadMs(): number {
    return this.#now() - this.#seenAt
  }

  /** Undefined while it is not known, and where blocks come at no regular pace. */
  get usualMs(): number | undefined {
    const median = this.#gaps.toSorted((a, b) => a - b)[Math.floor(this.#gaps.length / 2)]
    const watchedMs = this.#gaps.reduce((sum, gap) => sum + gap, 0)
    if (median === undefined || this.#gaps.length < gapsLeast || watchedMs < watchedLeastMs) return undefined
    return Math.max(...this.#gaps) > irregularBeyond * median ? undefined : median
  }

  /** How long there has been no new block, once that is longer than can be usual for the chain. */
  get silentMs(): number | undefined {
    const { usualMs, sinceHeadMs } = this
    if (usualMs === undefined) return undefined
    const longest = Math.max(...this.#gaps)
    const allowedMs = Math.max(silentLeastMs, silentBlocks * usualMs, silentGaps * longest)
    return sinceHeadMs >= allowedMs ? sinceHeadMs : undefined
  }
}
