import type { Provider, TriggerSpec } from '@tocsin/contract'

/** The words that the stages of the engine share. What a run may touch comes in as `World`; nothing else is reached. */

/** One thing that happened, as triggers see it: `source.*` in scripts and placeholders. Big integers are decimal strings. */
export type SourceItem = Record<string, unknown>

export type BlockRef = { number: number; hash: string; timestampMs?: number }

/** A block with everything in it that triggers can match, as its chain's folder keeps it. */
export type ChainBlock = BlockRef & { parentHash: string; contents: unknown }

/** What of a block matchers look at. A caller that passes on `Matcher.looksAt` spares calls; without it all is fetched. */
export type BlockPart = 'logs' | 'transactions'

/** A triggerSpec made ready: picks a block's matching items and decodes them, in the order of the chain. */
export type Matcher = { match(block: ChainBlock): SourceItem[]; looksAt?: readonly BlockPart[] }

/** An open way to one network through its endpoints. */
export type Connection = {
  head(): Promise<BlockRef>
  /** Undefined when the network has no such block (yet). A node that fails throws an `UpstreamError`. */
  block(number: number, parts?: readonly BlockPart[]): Promise<ChainBlock | undefined>
  /** The block that holds a transaction or signature, and the indexes of its matching items are the matcher's business. */
  blockOfTransaction(hash: string, parts?: readonly BlockPart[]): Promise<ChainBlock | undefined>
  /** JSON-RPC as it is, for `rpc` providers with transport=source. */
  request(method: string, params: unknown): Promise<unknown>
  /** `evm_read`, `substrate_storage` or `solana_account`, placeholders filled in, at the item's block. */
  read(provider: Provider, at: BlockRef | undefined): Promise<unknown>
  close(): Promise<void>
}

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
  }[]
  /** Sentences for the tenant about what was accepted and has no effect. */
  notes?: string[]
}

/** All that one kind of chain knows: `sources/evm`, `sources/substrate`, `sources/solana` each export one. */
export type Chain = {
  kind: 'evm' | 'substrate' | 'solana'
  prepare(spec: TriggerSpec): Promise<Matcher>
  connect(endpoints: readonly string[], options: ConnectOptions): Connection
  /** Looks at every endpoint by itself; the caller decides what the findings mean. */
  verify(endpoints: readonly string[], options: ConnectOptions): Promise<Verified>
}
export type ConnectOptions = {
  door: Door
  timeoutMs: number
  responseBytesMax: number
  extensions?: Record<string, unknown>
}

/** The one way to addresses that users wrote: see outbound.ts. */
export type Door = {
  fetch(url: string, request: OutboundRequest): Promise<OutboundResponse>
  webSocket(url: string, options: { timeoutMs: number; messageBytesMax?: number }): Promise<WebSocket>
}
export type OutboundRequest = {
  method?: string
  headers?: Record<string, string>
  body?: string
  timeoutMs: number
  responseBytesMax: number
}
export type OutboundResponse = { status: number; headers: Record<string, string>; text: string; url: string }

/** A remote party failed or answered nonsense: a sentence for the tenant, never our bug. */
export class UpstreamError extends Error {
  readonly kind: 'refused' | 'timeout' | 'failed' | 'too_large' | 'bad_answer'
  constructor(kind: UpstreamError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
