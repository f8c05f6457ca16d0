import type { ChainBlock } from '../sources/block.ts'

/** A follower's view of a chain. Every call may throw an UpstreamError, and two calls may see different forks. */
export type FollowedChain = {
  head(): Promise<ChainHead>
  /** Undefined if the chain has no such block now. With `skipsNumbers` the number may never have a block. */
  block(number: number): Promise<ChainBlock | undefined>
  /** Like `block`, but returns only the hashes and the number. */
  link(number: number): Promise<Link | undefined>
  skipsNumbers: boolean
}
/** `hash` may be undefined if a subscription announced the head. */
export type ChainHead = { number: number; hash?: string | undefined; timestampMs?: number | undefined }
export type Link = { number: number; hash: string; parentHash: string; timestampMs?: number | undefined }

/** The target of blocks. A call that resolves is durable. A call that throws has changed nothing. */
export type BlockSink = {
  /** The blocks follow one another and the last applied block. */
  apply(blocks: readonly ChainBlock[]): Promise<void>
  /** `blocks` has the newest first. `to` is the last block afterwards; undefined if none is known. */
  undo(blocks: readonly Link[], to: Link | undefined): Promise<void>
  /** Starts at this block, without the blocks before it. */
  begin(at: Link): Promise<void>
}

/** The first block that does not name the one before it as its parent; undefined if the blocks are one chain. */
export function findUnlinked<Block extends Pick<Link, 'hash' | 'parentHash'>>(
  blocks: readonly Block[],
): Block | undefined {
  return blocks.find(({ parentHash }, at) => at > 0 && parentHash !== blocks[at - 1]?.hash)
}
