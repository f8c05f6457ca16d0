import type { BlockTime } from './block-time.ts'

/** Heads are still read while a node announces them, because the stream may have stopped silently. */
const announcedMs = 5_000
/** Chains with shorter block times are not read for each block, so that their nodes do not get more calls. */
const fastBlockMs = 500
const pollMinMs = 250
/** Without a known block time, the wait is a share of the time since the last head, so that fast chains are read often. */
const unknownMaxMs = 500
const unknownShare = 0.25
/** After a read that came too early, the wait is a twelfth of the block time; it grows with each further such read. */
const stepsPerBlock = 12
const stepMinMs = 50
const stepMaxMs = 1_000
const stepGrowth = 1.2
const lateShare = 0.25
/**
 * After a read in time the next one comes a little earlier, after one that was too early twice as much later. After several
 * reads in time the reads are probably late, so each further one comes earlier by twice as much as the one before.
 */
const earlierSteps = 1 / 3
const laterSteps = 2 / 3
const usualInTime = 4
const doublingsMax = 4

/**
 * Decides when to read the head of a chain whose node does not announce it. Each read shows whether it came too early. From
 * that it keeps the time at which the next block is due: about two of three blocks are found by one read, within a tenth of
 * the block time after they were made.
 */
export class HeadPolling {
  readonly #blockTime: Pick<BlockTime, 'expectedMs' | 'sinceHeadMs'>
  readonly #now: () => number
  #head: number | undefined
  #dueAt: number | undefined
  /** The reads since the last new head that found no new head. */
  #early = 0
  /** The blocks in a row that the first read found. */
  #inTime = 0

  constructor(blockTime: Pick<BlockTime, 'expectedMs' | 'sinceHeadMs'>, now: () => number) {
    this.#blockTime = blockTime
    this.#now = now
  }

  /** Call it after `BlockTime.recordHead`. */
  recordHead(head: number): void {
    if (this.#head !== undefined && head <= this.#head) {
      this.#early += 1
      return
    }
    this.#inTime = this.#early === 0 ? this.#inTime + 1 : 0
    this.#dueAt = this.#nextDueAt(head - (this.#head ?? head))
    this.#head = head
    this.#early = 0
  }

  /** The wait before the next read of the head. */
  nextMs(areHeadsAnnounced: boolean): number {
    if (areHeadsAnnounced) return announcedMs
    const { expectedMs, sinceHeadMs } = this.#blockTime
    if (expectedMs === undefined || this.#dueAt === undefined)
      return Math.min(unknownMaxMs, Math.max(pollMinMs, unknownShare * sinceHeadMs))
    const leastMs = expectedMs < fastBlockMs ? pollMinMs : stepOf(expectedMs)
    if (this.#early === 0) return Math.max(leastMs, this.#dueAt - this.#now())
    return Math.min(Math.max(unknownMaxMs, lateShare * expectedMs), leastMs * stepGrowth ** (this.#early - 1))
  }

  #nextDueAt(blocks: number): number | undefined {
    const { expectedMs } = this.#blockTime
    if (expectedMs === undefined) return undefined
    const now = this.#now()
    const stepMs = stepOf(expectedMs)
    // The block was made at some time since the read before. Only small corrections, so that chance moves it little.
    const expected = this.#dueAt === undefined || blocks !== 1 || this.#early > 1 ? now - stepMs / 2 : this.#dueAt
    return Math.min(now, Math.max(now - expectedMs / 2, expected + stepMs * this.#correction())) + expectedMs
  }

  #correction(): number {
    if (this.#early > 0) return this.#early === 1 ? laterSteps : 0
    const doublings = Math.min(doublingsMax, Math.max(0, this.#inTime - usualInTime))
    return -earlierSteps * 2 ** doublings
  }
}

function stepOf(expectedMs: number): number {
  return Math.min(stepMaxMs, Math.max(stepMinMs, expectedMs / stepsPerBlock))
}
