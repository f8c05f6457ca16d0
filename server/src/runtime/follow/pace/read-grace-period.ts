import { RpcError } from '../../../engine/outbound/json-rpc.ts'
import { UpstreamError } from '../../../engine/outbound/upstream-error.ts'
import { UnprovenBlock } from '../../../engine/sources/block.ts'
import type { BlockTime } from './block-time.ts'

const periodMinMs = 10_000
const periodMaxMs = 30_000
const periodBlocks = 5
/** A block whose answers fail a check counts after 25 s. */
const unprovenMs = 40_000

/**
 * A node often announces a head before it, or the other nodes behind one address, can serve the block. The grace period
 * is five block times, at least 10 s and at most 30 s. In that time the service reads the block again; after it, a block
 * that cannot be read is an error.
 */
export class ReadGracePeriod {
  readonly #blockTime: Pick<BlockTime, 'usualMs'>
  readonly #now: () => number
  #waiting: { number: number; since: number } | undefined

  constructor(blockTime: Pick<BlockTime, 'usualMs'>, now: () => number) {
    this.#blockTime = blockTime
    this.#now = now
  }

  /** True if the block that failed with this error should be read again. */
  allowsRetry(number: number, error: unknown): boolean {
    if (!isUnreadable(error)) return false
    if (this.#waiting?.number !== number) this.#waiting = { number, since: this.#now() }
    const fiveBlocksMs = periodBlocks * (this.#blockTime.usualMs ?? 0)
    const isUnproven = error instanceof UnprovenBlock
    const periodMs = isUnproven ? unprovenMs : Math.min(periodMaxMs, Math.max(periodMinMs, fiveBlocksMs))
    return this.#now() - this.#waiting.since < periodMs
  }
}

/** The node answered, but not with the block. A node that does not answer at all is a failure and gets no grace period. */
function isUnreadable(error: unknown): boolean {
  return error instanceof RpcError || (error instanceof UpstreamError && error.kind === 'bad_answer')
}
