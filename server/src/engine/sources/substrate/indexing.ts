import type { SourceItem } from '../../base/source-item.ts'
import { type ChainIndexing, type Indexing, itemIndex, makeItemKey, shapeless } from '../../match/index.ts'
import { foldName } from './names.ts'

export type SubstrateEventKeys = { type: 'substrate_event'; pallet?: string; event?: string }
/** Events are already items, because a block's events are decoded together. */
export type RawSubstrateEvent = { type: 'substrate_event'; pallet: string; event: string; item: SourceItem }

const events: Indexing<SubstrateEventKeys, RawSubstrateEvent> = {
  ...shapeless,
  keyPartsOf: ({ pallet, event }) => ({
    first: pallet && foldName(pallet),
    second: event && foldName(event),
    shape: 0,
  }),
  firstOf: ({ pallet }) => foldName(pallet),
  secondOf: ({ event }) => foldName(event),
  toFieldKey: (requirement, _, fields) => makeItemKey(fields, requirement, '', ({ item }) => item),
}

export const substrateIndexing: ChainIndexing = { substrate_event: itemIndex(events) }
