import type { ChainBlock } from '../../server/src/engine/sources/block.ts'
import { type EvmBlock, freshBlock } from './evm-blocks.ts'

/** A block to match: the replies that it is read from, and a function that reads it from them again. */
export type MeasuredBlock = { name: string; texts: readonly string[]; fresh(): ChainBlock }

/** The block as it is read for triggers on logs. */
export function withLogs(block: EvmBlock): MeasuredBlock {
  const { name, blockText, logsText } = block
  return { name, texts: [blockText, logsText], fresh: () => freshBlock(block) }
}
