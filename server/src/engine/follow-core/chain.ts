import type { ChainBlock } from '../sources/block.ts'

/** The chain as a follower sees it. Every call may fail with an UpstreamError, and two calls may see different chains. */
export type FollowedChain = {
  head(): Promise<SeenHead>
  /** Undefined when the chain has no such block now; with `skipsNumbers`, perhaps never. */
  block(number: number): Promise<ChainBlock | undefined>
  /** As `block`, where only its place in the chain is looked at. */
  link(number: number): Promise<Link | undefined>
  skipsNumbers: boolean
}
/** `hash` may be unknown where the head was announced. */
export type SeenHead = { number: number; hash?: string | undefined; timestampMs?: number | undefined }
export type Link = { number: number; hash: string; parentHash: string; timestampMs?: number | undefined }

/** Where blocks go. Both are kept for good when they resolve; when they throw, nothing has happened. */
export type BlockSink = {
  /** Blocks that follow one another and the last applied one. */
  apply(blocks: readonly ChainBlock[]): Promise<void>
  /** The newest first; `to` is the block that then is the last, undefined where none is known any more. */
  undo(blocks: readonly Link[], to: Link | undefined): Promise<void>
  /** From here on, without the blocks before. */
  begin(at: Link): Promise<void>
}
