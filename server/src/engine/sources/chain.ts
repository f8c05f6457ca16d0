/** What a chain must bring. Everything else in the engine is written against this interface. */
import type { SourceKind, TriggerSpec } from '@tocsin/contract'
import type { Matcher } from './block.ts'
import type { Connection, ConnectOptions, LiveConnection, Verified } from './connection.ts'
import type { ChainItems } from './raw-items.ts'

/** All that one kind of chain knows: `sources/evm`, `sources/substrate`, `sources/solana` each export one. */
export type Chain = {
  kind: SourceKind
  prepare(spec: TriggerSpec): Promise<Matcher>
  connect(endpoints: readonly string[], options: ConnectOptions): LiveConnection
  /** Looks at every endpoint by itself; the caller decides what the findings mean. */
  verify(endpoints: readonly string[], options: ConnectOptions): Promise<Verified>
  items: ChainItems
  pace: ChainPace
}

/** How a chain moves, for whoever follows it. */
export type ChainPace = {
  /** So many of the latest blocks may still be replaced, as far as the chain itself does not tell. */
  replaceable: number
  /** The highest block that can no longer be replaced, where the chain tells; undefined: it did not. */
  finalized?(connection: Connection): Promise<number | undefined>
  /** Some numbers have no block, and never will. */
  skipsNumbers: boolean
  /** Further behind the head than this is lagging. */
  laggingBeyond: number
}
