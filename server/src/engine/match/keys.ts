import type { SourceItem } from '../base/source-item.ts'
import type { Requirement } from '../conditions/index.ts'

/** What a triggerSpec asks of a raw item, before anything is decoded; an absent field is a wildcard. */
export type MatchKeys = EvmLogKeys | EvmTransactionKeys | SubstrateEventKeys | SolanaEventKeys

export type EvmLogKeys = {
  type: 'evm_log'
  address?: string
  topic0?: string
  topicsCount?: number
  dataBytes?: number
  /**
   * All that `params` and `args` are decoded from: by them a value is found in the topics or in the data, and what is not
   * among them no item has. Absent when that is not known before decoding. `LogMatcher.keys` has them right.
   */
  inputs?: readonly EventInput[]
  anonymous?: boolean
}
export type EventInput = {
  name?: string
  type: string
  indexed?: boolean
  components?: readonly EventInput[]
}

export type EvmTransactionKeys = { type: 'evm_transaction' }
export type SubstrateEventKeys = { type: 'substrate_event'; pallet?: string; event?: string }
/** `discriminator` is hexadecimal; `decoder` names the IDL, and with it what `params` holds. */
export type SolanaEventKeys = { type: 'solana_event'; programId?: string; discriminator?: string; decoder?: string }

/**
 * A trigger, or a subscription of one, as the index holds it. Of every list in `requirements` one must hold in the source
 * item, else the entry is not concerned; `readRequirements` gives them. Keys may be shared by any number of entries.
 */
export type IndexEntry = {
  id: string
  keys: MatchKeys
  requirements?: readonly (readonly Requirement[])[]
  /** An item in which one of each list holds concerns the entry: only then can the index prove anything. */
  requirementsSuffice?: boolean
  /** What makes the item of a raw one: what is found is grouped by it, so that nothing is decoded twice. */
  decoder?: unknown
}

/**
 * What the index looks at. A log is taken as the node sent it; transactions and Substrate events are items already, as
 * their chains decode a block whole; a Solana event is decoded by an IDL only when some entry asks for a value in it.
 */
export type RawItem = RawLog | RawTransaction | RawSubstrateEvent | RawSolanaEvent
/** Hex in lower case, as `EvmLog` has it. */
export type RawLog = { type: 'evm_log'; address: string; topics: readonly string[]; data: string }
export type RawTransaction = { type: 'evm_transaction'; item: SourceItem }
export type RawSubstrateEvent = { type: 'substrate_event'; pallet: string; event: string; item: SourceItem }
export type RawSolanaEvent = {
  type: 'solana_event'
  programId: string
  /** Discriminators differ in length: a list holds every beginning of the data that may be one. */
  discriminator: string | readonly string[]
  /** Undefined when this IDL does not know the event. */
  item(decoder: string): SourceItem | undefined
}
