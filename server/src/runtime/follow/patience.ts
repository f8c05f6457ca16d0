import { RpcError } from '../../engine/outbound/json-rpc.ts'
import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import type { BlockTime } from './block-time.ts'

const leastMs = 10_000
const mostMs = 30_000
const blocks = 5

/**
 * Nodes tell of a head before all of them, or even they themselves, can serve its block. For five block times, and for
 * 10 s to 30 s, the service waits and asks again; a block that cannot be read after that is an error.
 */
export class Patience {
  readonly #blockTime: Pick<BlockTime, 'usualMs'>
  readonly #now: () => number
  #waiting: { number: number; since: number } | undefined

  constructor(blockTime: Pick<BlockTime, 'usualMs'>, now: () => number) {
    this.#blockTime = blockTime
    this.#now = now
  }

  /** Whether to ask again for a block that could not be read for this reason. */
  allows(number: number, error: unknown): boolean {
    if (!isUnreadable(error)) return false
    if (this.#waiting?.number !== number) this.#waiting = { number, since: this.#now() }
    const limitMs = Math.min(mostMs, Math.max(leastMs, blocks * (this.#blockTime.usualMs ?? 0)))
    return this.#now() - this.#waiting.since < limitMs
  }
}

/** The node answered, but not with the block. A node that does not answer has not merely to be waited for. */
function isUnreadable(error: unknown): boolean {
  return error instanceof RpcError || (error instanceof UpstreamError && error.kind === 'bad_answer')
}
