import type { Issue, TriggerSpec } from '@tocsin/contract'
import type { SourceItem } from '../base/source-item.ts'
import type { ChainIndexing, MatchKeys, RawItem } from '../match/index.ts'
import type { BlockPart, ChainBlock, Factory, LogFilter } from './block.ts'

/** A raw item as the trigger index reads it. `key` identifies it among all items of its chain in this block. */
export type RawEntry = RawItem & { readonly key: string }

/** A compiled triggerSpec: the keys under which the index finds its items, and the decoder. */
export type SpecItems = {
  /** One index entry for each. An empty list means that the spec can never match. */
  keys: readonly MatchKeys[]
  /** How the index looks up each type of item of the chain. */
  indexing: ChainIndexing
  neededParts: readonly BlockPart[]
  /** The contracts whose logs it reads; absent means all contracts. */
  addresses?: readonly string[]
  /** The logs that its items are made of, if nodes can be asked for them over many blocks at once. */
  logs?: LogFilter
  /** Set if only the contracts that a factory creates count. `itemOf` makes items of all contracts. */
  factory?: Factory
  /** What in the spec the chain does not have at this block, so that nothing can match. */
  issuesIn?(block: ChainBlock): Issue[]
  /**
   * Specs with the same decoder make the same item from a raw item that has their keys, so matching decodes it once for all
   * of them. Absent means that no other spec shares the decoder.
   */
  decoder?: object
  /**
   * Decodes a raw item that has one of the keys. Undefined when it does not match the spec after decoding. Several triggers
   * share the result, so nobody may change it.
   */
  itemOf(block: ChainBlock, raw: RawEntry): SourceItem | undefined
}

/** The items of one kind of chain. */
export type ChainItems = {
  prepare(spec: TriggerSpec): Promise<SpecItems>
  /**
   * The items of a block that these specs could match, in the order of the chain. Parts that were not fetched are left out,
   * and so may be the items of types that are not wanted.
   */
  list(block: ChainBlock, specs: Iterable<SpecItems>, isWanted?: (type: string) => boolean): Iterable<RawEntry>
  /** The transactions of a block that may have had events for these specs which nobody can see. Absent: there are none. */
  listLost?(block: ChainBlock, specs: Iterable<SpecItems>): LostEvents[]
}

/** A transaction whose events are not recorded completely, and why. */
export type LostEvents = { transaction: string; reason: string }

/** Makes items from raw items. */
export type ItemReader = Pick<SpecItems, 'decoder' | 'itemOf'>
