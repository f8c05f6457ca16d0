/** Blocks as the engine sees them, whatever their chain. */
import type { SourceItem } from '../base/source-item.ts'

export type BlockRef = { number: number; hash: string; timestampMs?: number }

/** A block with everything in it that triggers can match, as its chain's folder keeps it. */
export type ChainBlock = BlockRef & {
  parentHash: string
  contents: unknown
  /** Parts that were wanted and that no endpoint gave in a readable form; only where the caller allows it. */
  unreadable?: readonly UnreadablePart[]
  /** Parts of which the block has nothing: it does not show whether they can be read. */
  empty?: readonly BlockPart[]
}

/** A part of a block that cannot be read, why, and the types of triggerSpec that need it. */
export type UnreadablePart = { part: BlockPart; reason: string; specTypes: readonly string[] }

/** What of a block matchers look at. A caller that passes on `Matcher.looksAt` spares calls; without it all is fetched. */
export type BlockPart = 'logs' | 'transactions'

/** A triggerSpec made ready: picks a block's matching items and decodes them, in the order of the chain. */
export type Matcher = {
  match(block: ChainBlock): SourceItem[]
  looksAt?: readonly BlockPart[]
  /** The contracts whose logs it looks at; absent: those of all. */
  addresses?: readonly string[]
}

/** The parts of a source's blocks that somebody looks at, and the contracts whose logs matter; absent: those of all. */
export type WantedParts = { parts: readonly BlockPart[]; addresses?: readonly string[] }

/** How a block is read, for chains that can be read in more than one way. */
export type BlockOptions = {
  /** Only the logs of these contracts matter: an endpoint that gives no others is good enough. */
  addresses?: readonly string[] | undefined
  /** A part that cannot be read is left out and named in `unreadable`; without it the call fails. */
  mayLack?: boolean
}
