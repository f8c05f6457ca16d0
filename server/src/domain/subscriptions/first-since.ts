import { UpstreamError } from '../../engine/outbound/upstream-error.ts'
import type { Connection } from '../../engine/sources/connection.ts'

type Range = { sinceMs: number; lowest: number; head: number }
/** `isCutBy`: the node cannot read the block before, so earlier blocks may be of that time too. */
export type FirstSince = { number: number; isCutBy?: UpstreamError }

/** The most numbers in a row without a block, on chains that skip numbers. */
const skippedMax = 1_000

/**
 * Finds the first block of a time or later, from `lowest` on, by bisection over the timestamps: about log2(blocks) calls. If
 * even the head is older, the result is the number after it.
 */
export async function findFirstSince(connection: Connection, { sinceMs, lowest, head }: Range): Promise<FirstSince> {
  let [low, high] = [lowest, head + 1]
  let isCutBy: UpstreamError | undefined
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const at = await timeOf(connection, middle, lowest)
    if (at instanceof UpstreamError) isCutBy = at
    if (!(at instanceof UpstreamError) && (at === undefined || at >= sinceMs)) high = middle
    else low = middle + 1
    if (!(at instanceof UpstreamError) && low > middle) isCutBy = undefined
  }
  return { number: high, ...(isCutBy && { isCutBy }) }
}

/** The time of the block, or of the last block before it; undefined if there is none from `lowest` on. */
async function timeOf(
  connection: Connection,
  number: number,
  lowest: number,
): Promise<number | UpstreamError | undefined> {
  try {
    for (let at = number; at >= Math.max(lowest, number - skippedMax); at -= 1) {
      const block = await connection.block(at, [])
      if (block?.timestampMs !== undefined) return block.timestampMs
    }
    return undefined
  } catch (error) {
    if (error instanceof UpstreamError) return error
    throw error
  }
}
