import type { TriggerSpec } from '@tocsin/contract'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { ChainBlock } from '../block.ts'
import { BlockEntry, blockItems } from '../block-items.ts'
import type { ChainItems, SpecItems } from '../raw-items.ts'
import { substrateBlocks } from './block-kind.ts'
import { issuesOfNames, requireContents, type SubstrateCall, type SubstrateEvent } from './contents.ts'
import {
  type RawSubstrateCall,
  type RawSubstrateEvent,
  type SubstrateCallKeys,
  type SubstrateEventKeys,
  substrateIndexing,
} from './indexing.ts'

type SubstrateEventSpec = Extract<TriggerSpec, { type: 'substrate_event' }>
type SubstrateCallSpec = Extract<TriggerSpec, { type: 'substrate_call' }>

/**
 * The events and calls of Substrate blocks, and the blocks themselves. Events and calls are decoded as a whole, because each event starts where the one before ends
 * and the result of a call is among the events.
 */
export const substrateItems: ChainItems = {
  async prepare(spec) {
    if (spec.type === 'substrate_event') return eventItems(spec)
    if (spec.type === 'substrate_call') return callItems(spec)
    if (spec.type === 'substrate_block') return blockItems(substrateBlocks, substrateIndexing, spec.every)
    throw new UpstreamError('refused', `A Substrate source has no items of ${spec.type}.`)
  },
  *list(block) {
    const { header, events, calls = [] } = requireContents(block)
    for (const event of events) yield new EventEntry(block, event)
    for (const call of calls) yield new CallEntry(block, call)
    if (header) yield new BlockEntry(substrateBlocks, block)
  },
}

/** All specs make the same item of an event, and of a call, so they share the class of its entries as their decoder. */
function eventItems({ type, pallet, event }: SubstrateEventSpec): SpecItems {
  const keys: SubstrateEventKeys = { type, pallet, event }
  return {
    keys: [keys],
    decoder: EventEntry,
    indexing: substrateIndexing,
    neededParts: [],
    issuesIn: (block) => issuesOfNames(block, { pallet, event }),
    itemOf: (_, raw) => (raw instanceof EventEntry ? raw.item : undefined),
  }
}

function callItems({ type, pallet, call, nested = true, success = true }: SubstrateCallSpec): SpecItems {
  const keys: SubstrateCallKeys = { type, pallet, call, nested, ...(success !== 'any' && { success }) }
  return {
    keys: [keys],
    decoder: CallEntry,
    indexing: substrateIndexing,
    neededParts: ['transactions'],
    issuesIn: (block) => issuesOfNames(block, { pallet, call }),
    itemOf: (_, raw) => (raw instanceof CallEntry ? raw.item : undefined),
  }
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

class CallEntry implements RawSubstrateCall {
  readonly type = 'substrate_call'
  readonly pallet: string
  readonly call: string
  readonly isNested: boolean
  readonly success: boolean
  readonly item: SubstrateCall
  readonly #block: ChainBlock

  constructor(block: ChainBlock, item: SubstrateCall) {
    this.pallet = item.pallet
    this.call = item.call
    this.isNested = item.path !== '0'
    this.success = item.success
    this.item = item
    this.#block = block
  }

  get key(): string {
    return `${this.#block.hash}:c${this.item.index}:${this.item.path}`
  }
}
