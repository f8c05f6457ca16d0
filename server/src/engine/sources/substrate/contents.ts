import type { SourceItem } from '../../base/source-item.ts'
import type { ChainBlock } from '../block.ts'

/** An event as triggers see it. Unnamed arguments are in `params` under their position. */
export type SubstrateEvent = SourceItem & {
  block: { number: number; hash: string; timestamp: number | null }
  /** Its index among the events of the block. */
  index: number
  pallet: string
  event: string
  phase: string
  /** The index of the extrinsic that caused it; null when the block itself did. */
  extrinsic: number | null
  args: unknown[]
  params: Record<string, unknown>
}

/** The type of `ChainBlock.contents` on Substrate: all events of the block, decoded. */
export class SubstrateContents {
  readonly events: readonly SubstrateEvent[]
  constructor(events: readonly SubstrateEvent[]) {
    this.events = events
  }
}

export function requireEvents(block: ChainBlock): readonly SubstrateEvent[] {
  if (!(block.contents instanceof SubstrateContents)) throw new Error('the block is not of a Substrate chain')
  return block.contents.events
}
