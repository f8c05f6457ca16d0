/** An open connection to a chain through its endpoints. */
import type { Provider } from '@tocsin/contract'
import type { Door } from '../outbound/door.ts'
import type { BlockOptions, BlockPart, BlockRef, ChainBlock } from './block.ts'
import type { EndpointNotice, EndpointReport } from './endpoint-report.ts'

/** An open way to one network through its endpoints. */
export type Connection = {
  head(): Promise<BlockRef>
  /** Undefined when the network has no such block (yet). A node that fails throws an `UpstreamError`. */
  block(number: number, parts?: readonly BlockPart[], options?: BlockOptions): Promise<ChainBlock | undefined>
  /** The block that holds a transaction or signature, and the indexes of its matching items are the matcher's business. */
  blockOfTransaction(
    hash: string,
    parts?: readonly BlockPart[],
    options?: BlockOptions,
  ): Promise<ChainBlock | undefined>
  /** JSON-RPC as it is, for `rpc` providers with transport=source. */
  request(method: string, params: unknown): Promise<unknown>
  /** `evm_read`, `substrate_storage` or `solana_account`, placeholders filled in, at the item's block. */
  read(provider: Provider, at: BlockRef | undefined): Promise<unknown>
  close(): Promise<void>
}

/** A connection with what a follower needs beside blocks. */
export type LiveConnection = Connection & {
  /** New heads as nodes push them, until the stream is closed; where none does, it stays down and tells so. */
  heads(listener: HeadListener, options?: HeadStreamOptions): HeadStream
  /** How each endpoint has been, in the order in which they were given. */
  report(): EndpointReport[]
}

/** The latest block, as far as its announcement tells: Substrate leaves out the hash, Solana tells the slot alone. */
export type Head = { number: number; hash?: string; parentHash?: string }

export type HeadListener = {
  /** `from` is the endpoint's place in the list: it has the block, and calls may prefer it. */
  onHead(head: Head, from: number): void
  /** Heads come by themselves, from now on or again. */
  onUp?(host: string): void
  /** They do not, or no longer: whoever needs them polls until `onUp`. Told once for each outage. */
  onDown?(reason: string): void
}

export type HeadStreamOptions = {
  /** Without a head for so long (30 s), the stream is taken for dead: nodes forget subscriptions without a word. */
  quietMs?: number
  /** The first pause (1 s) after all have failed; each further one is twice as long, up to a minute. */
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
    /** What the owner of the source should know beside that. */
    notes?: { level: 'info' | 'warn'; message: string }[]
    /** It is well by itself, and of no use beside the others. */
    isOfOtherNetwork?: boolean
  }[]
  /** Sentences for the tenant about what was accepted and has no effect. */
  notes?: string[]
}

export type ConnectOptions = {
  door: Door
  timeoutMs: number
  responseBytesMax: number
  extensions?: Record<string, unknown>
  /** How many calls one HTTP request may carry; 1 unless told. */
  batchMaxCount?: number
  /** How long a call may wait for the limits of the endpoints, beside its time; 0 unless told. */
  limitWaitMs?: number
  onNotice?: (notice: EndpointNotice) => void
  /** EVM: whether the receipts root is checked for every block, or the bloom and a sample of roots; bloom unless told. */
  verify?: 'bloom' | 'receipts'
  /** The chain id or genesis hash, where it is known: an endpoint of another network is not asked, though it be the only one. */
  expectedNetwork?: string
}
