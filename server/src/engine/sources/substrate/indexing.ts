import type { SourceItem } from '../../base/source-item.ts'
import { type ChainIndexing, type Indexing, itemIndex, makeItemKey, shapeless } from '../../match/index.ts'
import { blockIndex } from '../block-items.ts'
import { foldCall, foldName } from './names.ts'

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

export type SubstrateCallKeys = {
  type: 'substrate_call'
  pallet?: string
  call?: string
  /** False for extrinsics' own calls alone. */
  nested: boolean
  /** Absent means calls with any result. */
  success?: boolean
}
export type RawSubstrateCall = {
  type: 'substrate_call'
  pallet: string
  call: string
  isNested: boolean
  success: boolean
  item: SourceItem
}

/** Nesting and result in one number, each with room for a wildcard. */
function callShape(nested: boolean, success: boolean | undefined): number {
  return (nested ? 0 : 1) + (success === undefined ? 0 : success ? 2 : 4)
}

const calls: Indexing<SubstrateCallKeys, RawSubstrateCall> = {
  keyPartsOf: ({ pallet, call, nested, success }) => ({
    first: pallet && foldName(pallet),
    second: call && foldCall(call),
    shape: callShape(nested, success),
  }),
  firstOf: ({ pallet }) => foldName(pallet),
  secondOf: ({ call }) => foldCall(call),
  hasShape: (raw, shape) => shapesOfCall(raw).includes(shape),
  shapesOf: shapesOfCall,
  toFieldKey: (requirement, _, fields) => makeItemKey(fields, requirement, '', ({ item }) => item),
}

function shapesOfCall({ isNested, success }: RawSubstrateCall): number[] {
  const everywhere = [callShape(true, undefined), callShape(true, success)]
  return isNested ? everywhere : [...everywhere, callShape(false, undefined), callShape(false, success)]
}

export const substrateIndexing: ChainIndexing = {
  substrate_event: itemIndex(events),
  substrate_call: itemIndex(calls),
  substrate_block: blockIndex,
}
