import type { BlockTime } from './block-time.ts'

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
/** A chain without fixed times may make a block at any moment: the wait is at most a quarter of its gap and a little. */
const [mostMs, mostShare, mostMoreMs] = [5_000, 0.25, 50]
/** A timer may end this much before its time. */
const earlyTimerMs = 10
/**
 * After a read in time the next one comes a little earlier, after one that was too early twice as much later. After several
 * reads in time the reads are probably late, so each further one comes earlier by twice as much as the one before.
 */
const earlierSteps = 1 / 3
const laterSteps = 2 / 3
const usualInTime = 4
const doublingsMax = 4

type Times = Pick<BlockTime, 'expectedMs' | 'sinceHeadMs' | 'gapMs' | 'isRegular'>

/**
 * Decides when to read the head of a chain whose node does not announce it. Each read shows whether it came too early. From
 * that it keeps the time at which the next block is due: about two of three blocks are found by one read, within a tenth of
 * the block time after they were made.
 *
 * The next block of a chain that does not make its blocks at fixed times is never due. Its head is read after at most a
 * quarter of its gap and 50 ms. No wait is longer than 5 s.
 */
export class HeadPolling {
  readonly #blockTime: Times
  readonly #now: () => number
  #head: number | undefined
  #dueAt: number | undefined
  /** The reads since the last new head that found no new head. */
  #early = 0
  /** The blocks in a row that the first read found. */
  #inTime = 0

  constructor(blockTime: Times, now: () => number) {
    this.#blockTime = blockTime
    this.#now = now
  }

  /** Call it after `BlockTime.recordHead`. */
  recordHead(head: number): void {
    if (this.#head !== undefined && head <= this.#head) {
      // A read before the block is due shows nothing about that time.
      if (this.#dueAt === undefined || this.#now() >= this.#dueAt - earlyTimerMs) this.#early += 1
      return
    }
    this.#inTime = this.#early === 0 ? this.#inTime + 1 : 0
    this.#dueAt = this.#nextDueAt(head - (this.#head ?? head))
    this.#head = head
    this.#early = 0
  }

  /** The wait before the next read of the head, if no node announces heads. */
  get nextMs(): number {
    const { expectedMs, sinceHeadMs, gapMs, isRegular } = this.#blockTime
    const longestMs = gapMs === undefined ? mostMs : Math.min(mostMs, mostShare * gapMs + mostMoreMs)
    if (expectedMs === undefined || this.#dueAt === undefined)
      return Math.max(pollMinMs, Math.min(unknownMaxMs, longestMs, unknownShare * sinceHeadMs))
    if (!isRegular) return Math.max(pollMinMs, longestMs)
    const leastMs = expectedMs < fastBlockMs ? pollMinMs : stepOf(expectedMs)
    if (this.#early === 0) return Math.min(mostMs, Math.max(leastMs, this.#dueAt - this.#now()))
    const lateMs = Math.min(Math.max(unknownMaxMs, lateShare * expectedMs), leastMs * stepGrowth ** (this.#early - 1))
    return Math.max(leastMs, Math.min(longestMs, lateMs))
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
