/** The interface of a chain. Everything else in the engine is written against it. */
import type { SourceKind } from '@tocsin/contract'
import type { Connection, ConnectOptions, LiveConnection, Verified } from './connection.ts'
import type { ChainItems } from './raw-items.ts'

/** One kind of chain. Each chain's folder exports one. */
export type Chain = {
  kind: SourceKind
  connect(endpoints: readonly string[], options: ConnectOptions): LiveConnection
  /** Checks every endpoint separately. The caller interprets the results. */
  verify(endpoints: readonly string[], options: ConnectOptions): Promise<Verified>
  items: ChainItems
  pace: ChainPace
}

/** Finds the names of addresses of one network; undefined if the network has no names. */
export type FindNames = (
  request: Connection['request'],
) => Promise<((address: string) => Promise<string | undefined>) | undefined>

/** The hash is undefined if the chain reports the number alone. */
export type LevelBlock = { number: number; hash?: string }

/** The timing of a chain, for the code that follows it. */
export type ChainPace = {
  /** How many of the latest blocks a reorg may replace, when the chain does not report finality. */
  replaceable: number
  /** The highest final block, when the chain reports it; undefined when it does not. */
  finalized?(connection: Connection): Promise<number | undefined>
  /**
   * The highest block that the node calls safe or finalized; undefined when it does not report it. Throws an `UpstreamError`
   * when no node answers.
   */
  level?(connection: Connection, name: 'safe' | 'finalized'): Promise<LevelBlock | undefined>
  /** True if some numbers never get a block. */
  skipsNumbers: boolean
  /** A source is lagging when it is more than this number of blocks behind the head. */
  laggingBeyond: number
}
