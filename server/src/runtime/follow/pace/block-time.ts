import { BlockGaps } from './block-gaps.ts'

const gapsMax = 64
const gapsMin = 8
const expectedGapsMin = 3
const observedMinMs = 10_000
/** A chain with a gap longer than this many usual ones has no regular block time. */
const irregularFactor = 10
/** The heads whose mean gap by the clock is compared with the times of the blocks. */
const [seenMax, seenMin] = [17, 4]
const differenceShare = 1 / 4
const silentMinMs = 30_000
const silentBlocks = 5
const silentGaps = 3
/** The head is read every 5 s at least, so a head that stands still for this long is told within 60 s. */
const silentMaxMs = 54_000
/** No silence is told before this many of the longest gap, also on a chain with fixed times. */
const silentSlots = 2
const lateMinMs = 10_000
const lateMaxMs = 60_000

/** A time without a new block. `mayBeUsual`: too little is known of the chain to call it too long. */
export type Silence = { ms: number; mayBeUsual: boolean }

/**
 * Estimates the block time of a chain: the median of the last 64 gaps between heads, by the service's own clock. It is
 * known after 8 gaps in at least 10 s, and only while no gap is longer than ten medians. A development node makes blocks
 * only for transactions: it has no regular block time, and a short pause of such a chain is normal.
 */
export class BlockTime {
  readonly #now: () => number
  /** Milliseconds for one block, the newest last. */
  readonly #gaps: number[] = []
  #head: number | undefined
  #seenAt: number
  readonly #seen: { head: number; at: number }[] = []
  readonly #made = new BlockGaps()
  #median = 0
  #mean = 0
  #longest = 0

  constructor(now: () => number) {
    this.#now = now
    this.#seenAt = now()
  }

  recordHead(head: number): void {
    if (this.#head !== undefined && head <= this.#head) return
    const now = this.#now()
    if (this.#head !== undefined) this.#gaps.push((now - this.#seenAt) / (head - this.#head))
    if (this.#gaps.length > gapsMax) this.#gaps.shift()
    this.#measure()
    this.#head = head
    this.#seenAt = now
    this.#seen.push({ head, at: now })
    if (this.#seen.length > seenMax) this.#seen.shift()
  }

  /** Records a block that was applied, with the time that it names. */
  recordBlock(number: number, timestampMs: number | undefined): void {
    this.#made.record(number, timestampMs)
  }

  #measure(): void {
    const median = this.#gaps.toSorted((a, b) => a - b)[Math.floor(this.#gaps.length / 2)] ?? 0
    const near = this.#gaps.filter((gap) => Math.abs(gap - median) <= median / 2)
    this.#median = median
    this.#mean = near.reduce((sum, gap) => sum + gap, 0) / near.length
    this.#longest = Math.max(0, ...this.#gaps)
  }

  /** The time since the latest head was first seen. */
  get sinceHeadMs(): number {
    return this.#now() - this.#seenAt
  }

  /** The block time; undefined while it is not known and for chains without a regular one. */
  get usualMs(): number | undefined {
    return this.#isObserved && !this.#isIrregular ? this.#median : undefined
  }

  get #isObserved(): boolean {
    return this.#gaps.length >= gapsMin && this.#gaps.reduce((sum, gap) => sum + gap, 0) >= observedMinMs
  }

  /**
   * The block time for deciding when to read the head: known sooner, and the mean of the gaps near the median. If heads are read
   * late, the gaps between the reads are too long, and a median would keep them too long.
   */
  get expectedMs(): number | undefined {
    return this.#gaps.length < expectedGapsMin || this.#isIrregular ? undefined : this.#mean
  }

  get #isIrregular(): boolean {
    return this.#longest > irregularFactor * this.#median
  }

  /** The gap between blocks, for the longest wait between two reads of the head: it does not grow when heads are read late. */
  get gapMs(): number | undefined {
    const gaps = [this.#made.usualMs, this.#byClockMs].filter((ms) => ms !== undefined)
    return gaps.length > 0 ? Math.min(...gaps) : undefined
  }

  /** True if the blocks themselves show that they are made at fixed times, so that none is made before the next one is due. */
  get isRegular(): boolean {
    const { expectedMs } = this
    const byClockMs = this.#byClockMs
    if (expectedMs === undefined || byClockMs === undefined) return false
    return Math.abs(expectedMs - byClockMs) <= differenceShare * byClockMs && this.#made.isRegular(byClockMs)
  }

  /** The mean gap of the last heads by the service's own clock. Heads that are read late do not change it much. */
  get #byClockMs(): number | undefined {
    const [first, last] = [this.#seen[0], this.#seen.at(-1)]
    if (!first || !last || this.#seen.length < seenMin) return undefined
    return (last.at - first.at) / (last.head - first.head)
  }

  /**
   * True if the chain makes blocks at fixed times, and the next one is late. After a minute it counts as a chain that makes
   * no blocks.
   */
  get isLate(): boolean {
    const { usualMs, sinceHeadMs } = this
    if (usualMs === undefined || !this.isRegular || sinceHeadMs > lateMaxMs) return false
    return sinceHeadMs > Math.max(lateMinMs, silentBlocks * usualMs, 2 * this.#longest)
  }

  /**
   * The time without a new block, from when it is too long for the chain. At fixed times that is five block times or three of the
   * longest gap, at most 54 s, unless a gap of the chain was half as long. Otherwise gaps of any length may be usual, so it is
   * three of the longest one. While too few gaps are known it is 54 s, and `mayBeUsual` says that it may be usual.
   */
  get silence(): Silence | undefined {
    const { sinceHeadMs: ms } = this
    const silentAfterMs = this.#silentAfterMs
    return ms >= (silentAfterMs ?? silentMaxMs) ? { ms, mayBeUsual: silentAfterMs === undefined } : undefined
  }

  get #silentAfterMs(): number | undefined {
    if (!this.#isObserved) return undefined
    const learntMs = Math.max(silentBlocks * this.#median, silentGaps * this.#longest)
    if (this.#isIrregular) return Math.max(silentMaxMs, learntMs)
    if (!this.isRegular) return Math.max(silentMinMs, learntMs)
    return Math.max(silentMinMs, Math.min(silentMaxMs, learntMs), silentSlots * this.#longest)
  }
}
