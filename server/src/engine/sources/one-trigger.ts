import type { TriggerSpec } from '@tocsin/contract'
import type { SourceItem } from '../base/source-item.ts'
import { type IndexEntry, makeTriggerIndex } from '../match/index.ts'
import { bindItems } from './bindings.ts'
import type { ChainBlock } from './block.ts'
import type { Chain } from './chain.ts'
import { onlyMembers } from './factory.ts'
import { matchItems, type SpecIndex } from './match-items.ts'
import type { ItemReader, SpecItems } from './raw-items.ts'

/**
 * A triggerSpec in an index of its own, for try-outs: it finds the items of a block that the follow loop finds for the
 * trigger. The index has no conditions, because a try-out also counts the items that do not meet them.
 */
export type OneTrigger = {
  items: SpecItems
  /** The block that creates a member of the factory counts for the member too. */
  match(block: ChainBlock): SourceItem[]
  /** Adds the contracts that the factory creates in this block. `match` does it for its own block. */
  learn(block: ChainBlock): void
  addMembers(members: Iterable<string>): void
}

/** The fields that the chosen binding adds to the items. */
export type BoundFields = { binding: string; network: string }

export async function prepareOneTrigger(chain: Chain, spec: TriggerSpec, bound?: BoundFields): Promise<OneTrigger> {
  const items = await chain.items.prepare(spec)
  const members = new Set<string>()
  const index = indexSpec(items, makeReader(items, members, bound))
  const addMembers = (found: Iterable<string>) => {
    for (const member of found) members.add(member)
  }
  const learn = (block: ChainBlock) => {
    const { factory } = items
    if (factory && block.number >= (factory.fromBlock ?? 0)) addMembers(factory.membersIn(block) ?? [])
  }
  return {
    items,
    learn,
    addMembers,
    match(block) {
      learn(block)
      const found: SourceItem[] = []
      matchItems(block, chain.items, index, { addHits: (_hits, _rawItem, item) => found.push(item) })
      return found
    },
  }
}

function makeReader(items: SpecItems, members: ReadonlySet<string>, bound: BoundFields | undefined): ItemReader {
  const reader = bound ? bindItems(items, bound.binding, () => bound.network) : items
  return items.factory ? onlyMembers(reader, members) : reader
}

/** All keys have the same decoder, so an item that has several of them is found once. */
function indexSpec(items: SpecItems, decoder: ItemReader): SpecIndex<IndexEntry & { decoder: ItemReader }> {
  const index = makeTriggerIndex<IndexEntry & { decoder: ItemReader }>(items.indexing)
  for (const [at, keys] of items.keys.entries()) index.add({ id: String(at), keys, decoder })
  return { specs: () => [items], hasItems: index.hasEntries, lookUp: index.matches }
}
