import type { TriggerSpec } from '@tocsin/contract'
import type { SourceItem } from '../base/source-item.ts'
import type { ChainIndexing, MatchKeys, RawItem } from '../match/index.ts'
import type { BlockPart, ChainBlock } from './block.ts'

/** An item as the trigger index looks at it. `key` names it among all items of its chain, in this block. */
export type RawEntry = RawItem & { readonly key: string }

/** A triggerSpec as ingestion needs it: how the index finds its items, and how they are decoded. */
export type SpecItems = {
  /** One entry of the index for each; none at all means that it can never match. */
  keys: readonly MatchKeys[]
  /** How each type of item of its chain is looked up. */
  indexing: ChainIndexing
  looksAt: readonly BlockPart[]
  /** The contracts whose logs it looks at; absent: those of all. */
  addresses?: readonly string[]
  /** Undefined when the item is not one of the spec's after all. The same item may be given to many: nobody changes it. */
  itemOf(block: ChainBlock, raw: RawEntry): SourceItem | undefined
}

/** What one kind of chain gives to ingestion. */
export type ChainItems = {
  prepare(spec: TriggerSpec): Promise<SpecItems>
  /** What of a block these specs could match, in the order of the chain; parts that were not fetched are left out. */
  list(block: ChainBlock, specs: Iterable<SpecItems>): Iterable<RawEntry>
}
