import type { IndexEntry } from '../../server/src/engine/match/index.ts'
import type { BlockKeys, RawBlock } from '../../server/src/engine/sources/block-items.ts'
import { evmIndexing } from '../../server/src/engine/sources/evm/indexing.ts'
import type {
  EvmCallKeys,
  EvmLogKeys,
  EvmTransactionKeys,
  RawCall,
  RawLog,
  RawTransaction,
} from '../../server/src/engine/sources/evm/match-keys.ts'
import {
  type RawSolanaEvent,
  type RawSolanaInstruction,
  type SolanaEventKeys,
  type SolanaInstructionKeys,
  solanaIndexing,
} from '../../server/src/engine/sources/solana/indexing.ts'
import {
  type RawSubstrateCall,
  type RawSubstrateEvent,
  type SubstrateCallKeys,
  type SubstrateEventKeys,
  substrateIndexing,
} from '../../server/src/engine/sources/substrate/indexing.ts'

/** Raw items of all chains, for tests that apply to each chain. */
export const everyIndexing = { ...evmIndexing, ...substrateIndexing, ...solanaIndexing }
type BlockType = { type: 'evm_block' | 'substrate_block' }
export type AnyKeys =
  | EvmLogKeys
  | EvmTransactionKeys
  | (BlockKeys & BlockType)
  | EvmCallKeys
  | SubstrateEventKeys
  | SubstrateCallKeys
  | SolanaEventKeys
  | SolanaInstructionKeys
export type AnyRawItem =
  | RawLog
  | RawTransaction
  | (RawBlock & BlockType)
  | RawCall
  | RawSubstrateEvent
  | RawSubstrateCall
  | RawSolanaEvent
  | RawSolanaInstruction
export type AnyEntry = Omit<IndexEntry, 'keys'> & { keys: AnyKeys }
