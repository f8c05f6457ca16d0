import type { Link } from './chain.ts'

/** The first block that does not name the one before it as its parent; undefined if the blocks are one chain. */
export function findUnlinked<Block extends Pick<Link, 'hash' | 'parentHash'>>(
  blocks: readonly Block[],
): Block | undefined {
  return blocks.find(({ parentHash }, at) => at > 0 && parentHash !== blocks[at - 1]?.hash)
}
