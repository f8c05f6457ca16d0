/** Blocks as the engine sees them, for any chain. */
import { UpstreamError } from '../outbound/upstream-error.ts'

export type BlockRef = { number: number; hash: string; timestampMs?: number }

/** A block with everything that triggers can match. `contents` has the format of its chain's folder. */
export type ChainBlock = BlockRef & {
  parentHash: string
  contents: unknown
  /** About how many bytes of memory the contents need; absent if it is little. */
  bytes?: number
  /** How it was checked that no log or receipt is missing; absent on chains without such a check. */
  checked?: BlockCheck
  /** Which check the block failed. It counts all the same, because all nodes went on to answer the same. */
  doubt?: string
  /** Requested parts that no endpoint returned in a readable form; only if the caller allows it. */
  unreadable?: readonly UnreadablePart[]
  /** Parts that are empty in this block, so that the block does not show whether they can be read. */
  empty?: readonly BlockPart[]
}

/** By the receipts root, by the bloom of the block, or not at all. */
export type BlockCheck = 'receipts' | 'bloom' | 'none'

/**
 * A part of a block that cannot be read, the reason, and the types of triggerSpec that read it. With `specFlag`, only specs
 * in which this field has this value read it. With `stillMatches`, they go on without the part and match less.
 */
export type UnreadablePart = {
  part: BlockPart
  reason: string
  specTypes: readonly string[]
  specFlag?: readonly [field: string, value: string]
  stillMatches?: string
}

/**
 * A part of a block that triggers read. Without a list of parts, a connection fetches all of them. `any_traces` are the
 * traces for triggers that do without them where no endpoint has them.
 */
export type BlockPart = 'header' | 'logs' | 'transactions' | 'traces' | 'any_traces' | 'author'

/** A factory as a triggerSpec names it. Its events name the contracts that it creates, the members. */
export type Factory = {
  /** Equal for equal definitions. Members that were learned under it stay valid after an edit of the rest. */
  key: string
  /** The contract of the factory, in lower case. */
  contract: string
  /** The logs that name its contracts. */
  logs: LogFilter
  /** Members of earlier blocks do not count. Absent means the first block of the factory. */
  fromBlock?: number
  /** The members that this block creates, in lower case; undefined if the block was read without its logs. */
  membersIn(block: ChainBlock): string[] | undefined
}

/** A range of blocks, its ends included. */
export type BlockRange = { from: number; to: number; isNewestFirst?: boolean }
/** Logs of these contracts, in lower case, that have one of these first topics. An absent list means any. */
export type LogFilter = { addresses?: readonly string[]; topics?: readonly string[] }
/** A part of a range that was read, and its blocks with logs of a filter. They have nothing but these logs, and no time. */
export type LogBlocks = BlockRange & { blocks: readonly ChainBlock[] }

/** The parts of a source's blocks that its triggers need, and the contracts whose logs they need; absent means all. */
export type WantedParts = { parts: readonly BlockPart[]; addresses?: readonly string[] }

/** How to read a block, for chains that offer more than one way. */
export type BlockOptions = {
  /** Only the logs of these contracts are needed, so an endpoint that returns no others is good enough. */
  addresses?: readonly string[] | undefined
  /** Leaves out a part that cannot be read and names it in `unreadable`. Without it, the call fails. */
  mayLack?: boolean
}

/** The nodes answer for a block, and their answers fail a check. If that lasts, the connection takes the block as it is. */
export class UnprovenBlock extends UpstreamError {
  constructor(message: string) {
    super('bad_answer', message)
  }
}
