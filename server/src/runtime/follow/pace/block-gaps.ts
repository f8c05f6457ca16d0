/** The blocks that the estimates are about, and the fewest of them. */
const [blocksMax, blocksMin] = [17, 9]
const gapsMin = 3
/** Most chains tell the time of a block in whole seconds, so a single gap may be wrong by this much. */
const resolutionMs = 1_000
/** Blocks of a regular chain are this near to their times, as a share of the block time. */
const jitterShare = 1 / 8
/** A longer gap is that of a slot without a block. */
const missedSlotShare = 1.75
const differenceShare = 1 / 4

type Made = { number: number; atMs: number }

/**
 * The gaps between the last 16 applied blocks, by the times that the blocks themselves name. So blocks that were read late
 * or together do not change them. The times come from the chain, so they decide only how often its head is read.
 */
export class BlockGaps {
  readonly #made: Made[] = []

  record(number: number, timestampMs: number | undefined): void {
    if (timestampMs === undefined) return
    // A reorg replaced the blocks from this number on.
    while (number <= (this.#made.at(-1)?.number ?? -1)) this.#made.pop()
    this.#made.push({ number, atMs: timestampMs })
    if (this.#made.length > blocksMax) this.#made.shift()
  }

  /**
   * The usual gap: the mean without the long ones, and not longer than that of the last three, so that a chain that wakes up
   * is read often soon. Undefined while it is not known, and if the blocks have no useful times.
   */
  get usualMs(): number | undefined {
    const gaps = this.#gaps()
    if (gaps.length < gapsMin || gaps.every((gap) => gap === 0)) return undefined
    const longest = 2 * medianOf(gaps) + resolutionMs
    return Math.min(meanOf(gaps.filter((gap) => gap <= longest)), meanOf(gaps.slice(-gapsMin)))
  }

  /** True if the chain makes its blocks at fixed times, about this far apart by the service's own clock. Slots may be missed. */
  isRegular(byClockMs: number): boolean {
    if (this.#made.length < blocksMin) return false
    const gaps = this.#gaps()
    const median = medianOf(gaps)
    const slots = gaps.map((gap) => (gap > missedSlotShare * median + resolutionMs ? Math.round(gap / median) : 1))
    const slotMs = sumOf(gaps) / sumOf(slots)
    if (!(Math.abs(slotMs - byClockMs) <= differenceShare * byClockMs)) return false
    let [lateMs, least, most] = [0, 0, 0]
    for (const [index, gap] of gaps.entries()) {
      lateMs += gap - slotMs * (slots[index] ?? 1)
      least = Math.min(least, lateMs)
      most = Math.max(most, lateMs)
    }
    return most - least <= resolutionMs + jitterShare * slotMs
  }

  #gaps(): number[] {
    return this.#made.slice(1).map(({ number, atMs }, index) => {
      const before = this.#made[index]
      return before ? Math.max(0, atMs - before.atMs) / (number - before.number) : 0
    })
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function meanOf(values: readonly number[]): number {
  return sumOf(values) / values.length
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
