/** An open connection to a chain through its endpoints. */
import type { AddressType, Provider, SubstratePallet } from '@tocsin/contract'
import type { RecordCall } from '../../metrics/index.ts'
import type { SourceItem } from '../base/source-item.ts'
import type { Door } from '../outbound/door.ts'
import type {
  BlockOptions,
  BlockPart,
  BlockRange,
  BlockRef,
  ChainBlock,
  LogBlocks,
  LogFilter,
  UnreadablePart,
} from './block.ts'
import type { EndpointNotice, EndpointReport } from './endpoint-report.ts'

/** An open connection to one network through its endpoints. */
export type Connection = {
  head(): Promise<BlockRef>
  /** Undefined when the network has no such block yet. Throws an `UpstreamError` when the nodes fail. */
  block(number: number, parts?: readonly BlockPart[], options?: BlockOptions): Promise<ChainBlock | undefined>
  /**
   * The header of the first block from this number on, as cheaply as the chain allows; undefined if the chain has none yet. A
   * block without a time, such as the first one of some chains, has no `timestampMs`.
   */
  headerFrom(number: number): Promise<BlockRef | undefined>
  /** The block that contains a transaction or signature. The trigger index finds the items in it. */
  blockOfTransaction(
    hash: string,
    parts?: readonly BlockPart[],
    options?: BlockOptions,
  ): Promise<ChainBlock | undefined>
  /** A plain JSON-RPC call, for `rpc` providers with transport=source. */
  request(method: string, params: unknown): Promise<unknown>
  /** Runs a provider that reads the chain, with placeholders filled in, at the item's block. */
  read(provider: Provider, at: BlockRef | undefined): Promise<unknown>
  /**
   * Reads the logs of a range part by part, in the order that the range names. A part is read from an endpoint that has its
   * last block. Only on chains whose nodes can be asked for the logs of many blocks at once.
   */
  logBlocks?(filter: LogFilter, range: BlockRange): AsyncIterable<LogBlocks>
  /** Finds the first log that fits, by the times of blocks. Only on chains with `logBlocks`. */
  findLog?(wanted: WantedLog): Promise<LogSearch>
  /** The first block of a factory, or 0 if the nodes cannot tell. */
  firstBlockOf?(contract: string, head: number): Promise<number>
  /** Why a failed call failed, as its item says it. Only on chains whose blocks do not tell. */
  explainFailure?(item: SourceItem, fragment: unknown): Promise<Record<string, unknown> | undefined>
  /** The IDL that a program has on the chain. Only on chains with programs that describe themselves. */
  findIdl?(programId: string): Promise<FoundIdl>
  /** The pallets of the runtime at the head. Only on chains whose metadata describes them. */
  readPallets?(): Promise<FoundPallets>
  close(): Promise<void>
}

/** A log of a contract's event whose parameters have these values, in a block between these times. */
export type WantedLog = Pick<Extract<Provider, { type: 'other_chain_log' }>, 'contract' | 'event' | 'abiFragment'> & {
  match: Readonly<Record<string, unknown>>
  fromMs: number
  toMs: number
}
/** The item of the log; or null, and the time of the newest block that was read. Later blocks may have the log. */
export type LogSearch = { log: SourceItem } | { log: null; readToMs: number }

/** `error` says why there is no IDL, or why the IDL cannot be used. */
export type FoundIdl = { account: string | null; idl: Record<string, unknown> | null; error?: string }

export type FoundPallets = { ss58Prefix: number; pallets: readonly DescribedPallet[] }
export type DescribedPallet = Omit<SubstratePallet, 'events' | 'calls'> & {
  events: readonly DescribedEntry[]
  calls: readonly DescribedEntry[]
}
export type DescribedEntry = { name: string; docs: string[]; fields: readonly DescribedField[] }
/** `shape` is the type of the decoded value, if it is a plain one. */
export type DescribedField = {
  name?: string
  type: string
  shape?: { address: AddressType } | 'integer' | 'big-integer' | 'boolean' | 'text'
}

/** A connection with what a follower needs besides blocks. */
export type LiveConnection = Connection & {
  /** New heads as nodes push them, until the stream is closed. If no node pushes, the stream stays down and reports it. */
  heads(listener: HeadListener, options?: HeadStreamOptions): HeadStream
  /** The state of each endpoint, in the given order. */
  report(): EndpointReport[]
}

/** The latest block, as far as its announcement describes it: Substrate omits the hash, Solana sends only the slot. */
export type Head = { number: number; hash?: string; parentHash?: string }

export type HeadListener = {
  /** `from` is the endpoint's index in the list. It has the block, so calls may prefer it. */
  onHead(head: Head, from: number): void
  /** A node pushes heads, from now on or again. */
  onUp?(host: string): void
  /** No node pushes heads; the caller polls until `onUp`. Called once for each outage. */
  onDown?(reason: string): void
}

export type HeadStreamOptions = {
  /** The stream counts as dead after this time without a head (30 s), because nodes drop subscriptions silently. */
  quietMs?: number
  /** The first pause (1 s) after all endpoints failed. Each further pause is twice as long, up to a minute. */
  retryFirstMs?: number
}

/** Down until the first head. */
export type HeadStream = { readonly isUp: boolean; close(): void }

export type Verified = {
  network: string
  chainId?: string
  genesisHash?: string
  ss58Prefix?: number
  latestBlock: number
  endpoints: {
    url: string
    ok: boolean
    latencyMs: number
    latestBlock?: number
    capabilities: string[]
    error?: string
    /** Further information for the owner of the source. */
    notes?: { level: 'info' | 'warn'; message: string }[]
    /** The endpoint works but belongs to another network than the others. */
    isOfOtherNetwork?: boolean
    /** Parts of blocks that the endpoint refuses to return, whatever the block. */
    refusedParts?: readonly BlockPart[]
  }[]
  /** Parts of blocks that no working endpoint returns. */
  unreadable?: readonly UnreadablePart[]
  /** Messages for the tenant about accepted settings that have no effect. */
  notes?: string[]
}

export type ConnectOptions = {
  door: Door
  timeoutMs: number
  responseBytesMax: number
  extensions?: Record<string, unknown>
  /** How many calls one HTTP request may contain; the default is 1. */
  batchMaxCount?: number
  /** How long a call may wait for rate limits, in addition to its timeout; the default is 0. */
  limitWaitMs?: number
  onNotice?: (notice: EndpointNotice) => void
  /** Counts the calls to the nodes. */
  recordCall?: RecordCall
  /** EVM: check the receipts root of every block, or the bloom and a sample of roots; the default is bloom. */
  verify?: 'bloom' | 'receipts'
  /** The chain id or genesis hash, if it is known. An endpoint of another network is not used, even if it is the only one. */
  expectedNetwork?: string
}
