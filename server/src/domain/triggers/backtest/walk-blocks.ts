import type { BlockPart, ChainBlock } from '../../../engine/sources/block.ts'
import type { Connection } from '../../../engine/sources/connection.ts'

/** How many blocks are fetched at the same time. */
const stride = 16

/** The blocks of a range in order, fetched in groups. Slots without a block are skipped. Ends if the reader stops. */
export async function* walkBlocks(
  connection: Connection,
  { from, to }: { from: number; to: number },
  parts: readonly BlockPart[],
  signal: AbortSignal,
  addresses?: readonly string[],
): AsyncIterable<{ blocks: ChainBlock[]; upTo: number }> {
  for (let first = from; first <= to && !signal.aborted; first += stride) {
    const numbers = Array.from({ length: Math.min(stride, to - first + 1) }, (_, offset) => first + offset)
    const blocks = await Promise.all(numbers.map((number) => connection.block(number, parts, { addresses })))
    yield { blocks: blocks.filter((block) => block !== undefined), upTo: first + numbers.length - 1 }
  }
}
