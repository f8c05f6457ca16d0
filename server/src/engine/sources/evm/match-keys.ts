import type { SourceItem } from '../../base/source-item.ts'

export type EvmLogKeys = {
  type: 'evm_log'
  /** The contracts in lower case, each once; absent means every contract. */
  addresses?: readonly string[]
  topic0?: string
  topicsCount?: number
  dataBytes?: number
  /**
   * All that `params` and `args` are decoded from: by them a value is found in the topics or in the data, and what is not
   * among them no item has. Absent when that is not known before decoding. `logKeys` has them right.
   */
  inputs?: readonly AbiInput[]
  anonymous?: boolean
}
export type AbiInput = {
  name?: string
  type: string
  indexed?: boolean
  components?: readonly AbiInput[]
}
export type EvmTransactionKeys = { type: 'evm_transaction' }
export type EvmCallKeys = {
  type: 'evm_call'
  /** The called contracts in lower case, each once; absent means every contract. */
  addresses?: readonly string[]
  selector?: string
  success: boolean | 'any'
  /** False: only the transactions' own calls. `auto`: these alone if the block was read without its traces. */
  internal: boolean | 'auto'
  /** All that `params` and `args` are decoded from; none if they stay empty. */
  inputs: readonly AbiInput[]
}

/** A log as the node sent it, with hex in lower case like `EvmLog`. */
export type RawLog = { type: 'evm_log'; address: string; topics: readonly string[]; data: string }
/** Transactions are already items, because a block's transactions are decoded together. */
export type RawTransaction = { type: 'evm_transaction'; item: SourceItem }
/** A call before its arguments are decoded. `plain` has the fields of the item that need no decoding. */
export type RawCall = {
  type: 'evm_call'
  address: string | null
  selector: string | null
  input: string
  success: boolean
  depth: number
  /** The block was read with its traces. Without them, triggers on internal calls match nothing. */
  isTraced: boolean
  plain: SourceItem
}
