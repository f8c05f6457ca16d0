const gapsMax = 64
const gapsMin = 8
const observedMinMs = 10_000
/** A chain with a gap longer than this many usual ones has no regular block time. */
const irregularFactor = 10
const silentMinMs = 30_000
const silentBlocks = 5
const silentGaps = 3

/**
 * Estimates the block time of a chain: the median of the last 64 gaps between heads, by the service's own clock. It is
 * known after 8 gaps in at least 10 s, and only while no gap is longer than ten medians. A development node makes blocks
 * only for transactions: it has no regular block time, and a pause of such a chain is normal.
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

  recordHead(head: number): void {
    if (this.#head !== undefined && head <= this.#head) return
    const now = this.#now()
    if (this.#head !== undefined) this.#gaps.push((now - this.#seenAt) / (head - this.#head))
    if (this.#gaps.length > gapsMax) this.#gaps.shift()
    this.#head = head
    this.#seenAt = now
  }

  /** The time since the latest head was first seen. */
  get sinceHeadMs(): number {
    return this.#now() - this.#seenAt
  }

  /** The block time; undefined while it is not known and for chains without a regular one. */
  get usualMs(): number | undefined {
    const median = this.#gaps.toSorted((a, b) => a - b)[Math.floor(this.#gaps.length / 2)]
    const observedMs = this.#gaps.reduce((sum, gap) => sum + gap, 0)
    if (median === undefined || this.#gaps.length < gapsMin || observedMs < observedMinMs) return undefined
    return Math.max(...this.#gaps) > irregularFactor * median ? undefined : median
  }

  /** The time without a new block; undefined while it is within what is usual for the chain. */
  get silentMs(): number | undefined {
    const { usualMs, sinceHeadMs } = this
    if (usualMs === undefined) return undefined
    const longest = Math.max(...this.#gaps)
    const allowedMs = Math.max(silentMinMs, silentBlocks * usualMs, silentGaps * longest)
    return sinceHeadMs >= allowedMs ? sinceHeadMs : undefined
  }
}
