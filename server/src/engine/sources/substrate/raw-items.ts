import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { ChainBlock } from '../block.ts'
import type { ChainItems } from '../raw-items.ts'
import { requireEvents, type SubstrateEvent } from './contents.ts'
import { type RawSubstrateEvent, type SubstrateEventKeys, substrateIndexing } from './indexing.ts'

/** The events of Substrate blocks. They are decoded as a whole, because each event starts where the one before ends. */
export const substrateItems: ChainItems = {
  async prepare(spec) {
    if (spec.type !== 'substrate_event')
      throw new UpstreamError('refused', `A Substrate source has no items of ${spec.type}.`)
    const { pallet, event } = spec
    const keys: SubstrateEventKeys = { type: 'substrate_event', pallet, event }
    return {
      keys: [keys],
      decoder: requireEvents,
      indexing: substrateIndexing,
      neededParts: [],
      itemOf: (_, raw) => (raw instanceof EventEntry ? raw.item : undefined),
    }
  },
  *list(block) {
    for (const event of requireEvents(block)) yield new EventEntry(block, event)
  },
}

class EventEntry implements RawSubstrateEvent {
  readonly type = 'substrate_event'
  readonly pallet: string
  readonly event: string
  readonly item: SubstrateEvent
  readonly #block: ChainBlock

  constructor(block: ChainBlock, item: SubstrateEvent) {
    this.pallet = item.pallet
    this.event = item.event
    this.item = item
    this.#block = block
  }

  get key(): string {
    return `${this.#block.hash}:${this.item.index}`
  }
}
