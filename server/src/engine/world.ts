import type { Provider, TriggerSpec } from '@tocsin/contract'
import type { ChainItems } from './sources/raw-items.ts'

/** The words that the stages of the engine share. What a run may touch comes in as `World`; nothing else is reached. */

/** One thing that happened, as triggers see it: `source.*` in scripts and placeholders. Big integers are decimal strings. */
export type SourceItem = Record<string, unknown>

export type BlockRef = { number: number; hash: string; timestampMs?: number }

/** A block with everything in it that triggers can match, as its chain's folder keeps it. */
export type ChainBlock = BlockRef & {
  parentHash: string
  contents: unknown
  /** Parts that were wanted and that no endpoint gave in a readable form; only where the caller allows it. */
  unreadable?: readonly UnreadablePart[]
  /** Parts of which the block has nothing: it does not show whether they can be read. */
  empty?: readonly BlockPart[]
}
/** A part of a block that cannot be read, why, and the types of triggerSpec that need it. */
export type UnreadablePart = { part: BlockPart; reason: string; specTypes: readonly string[] }

/** What of a block matchers look at. A caller that passes on `Matcher.looksAt` spares calls; without it all is fetched. */
export type BlockPart = 'logs' | 'transactions'

/** A triggerSpec made ready: picks a block's matching items and decodes them, in the order of the chain. */
export type Matcher = {
  match(block: ChainBlock): SourceItem[]
  looksAt?: readonly BlockPart[]
  /** The contracts whose logs it looks at; absent: those of all. */
  addresses?: readonly string[]
}

/** The parts of a source's blocks that somebody looks at, and the contracts whose logs matter; absent: those of all. */
export type WantedParts = { parts: readonly BlockPart[]; addresses?: readonly string[] }

/** How a block is read, for chains that can be read in more than one way. */
export type BlockOptions = {
  /** Only the logs of these contracts matter: an endpoint that gives no others is good enough. */
  addresses?: readonly string[] | undefined
  /** A part that cannot be read is left out and named in `unreadable`; without it the call fails. */
  mayLack?: boolean
}

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

/** How an endpoint has been since the connection was opened. It holds no URL: keys stand there. */
export type EndpointReport = {
  host: string
  requests: number
  failures: number
  timeouts: number
  /** How often it asked to be asked less. */
  slowDowns: number
  /** Answers that were null. */
  nulls: number
  /** Answers that were not all of the truth. */
  incomplete: number
  /** A moving average; null before the first answer. */
  latencyMs: number | null
  /** For how long others still go first. */
  restMs: number
  /** Calls a second that it is asked at the most; null while it never complained. */
  perSecond: number | null
  /** Its latest block and how far that is behind the others, as last seen. */
  head?: number
  lag?: number
}

/** What happens to an endpoint and its owner should read in the source's log. It names the host, never the whole URL. */
export type EndpointNotice = { level: 'info' | 'warn'; code: EndpointNoticeCode; host: string; message: string }
export type EndpointNoticeCode =
  /** Failed several times in a row: the others go first. */
  | 'endpoint_failing'
  | 'endpoint_recovered'
  /** Its head is behind those of the others. */
  | 'endpoint_lagging'
  | 'endpoint_caught_up'
  /** Its answer could not be all of the truth; another endpoint had it. */
  | 'endpoint_incomplete'
  /** It refuses calls as too many, so they wait. */
  | 'endpoint_limiting'
  /** It answers a call with an error that another endpoint answers. */
  | 'endpoint_refusing'
  /** It is of another network than the others and is not asked. */
  | 'endpoint_of_other_network'
  /** It gave transactions of a version that this release cannot read; the others of the block were read. */
  | 'transactions_unreadable'
  /** It takes no batches, so calls go one by one. */
  | 'endpoint_without_batches'
  /** By which calls it gives logs. */
  | 'endpoint_log_way'
  /** Its logs cannot be checked for completeness; they are used because no endpoint whose logs can be checked answers. */
  | 'logs_unchecked'
  /** Logs that can be checked are read again. */
  | 'logs_checked_again'
  /** The receipts root of a sampled block does not fit. */
  | 'sample_failed'
  /** The chain makes receipts roots by rules that are not known here. */
  | 'receipts_root_unknown'

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

/** All that one kind of chain knows: `sources/evm`, `sources/substrate`, `sources/solana` each export one. */
export type Chain = {
  kind: 'evm' | 'substrate' | 'solana'
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

/** The one way to addresses that users wrote: see outbound.ts. */
export type Door = {
  fetch(url: string, request: OutboundRequest): Promise<OutboundResponse>
  webSocket(url: string, options: { timeoutMs: number; messageBytesMax?: number }): Promise<WebSocket>
}
/** The same door for messages that go out: one request (POST unless told), redirects not followed, the answer cut at `responseBytesMax`. */
export type PostDoor = {
  post(url: string, request: OutboundPost): Promise<OutboundResponse>
  /** On a thread of its own, where those of one queue wait for their turn. Throws NotSent where it did not come. */
  enqueue(queue: WebhookQueue, webhook: Webhook): Promise<QueuedAnswer>
}
export type OutboundPost = {
  method?: 'POST' | 'PATCH'
  headers: Record<string, string>
  body: string
  timeoutMs: number
  responseBytesMax: number
  /** Whoever asked does not wait any longer. */
  signal?: AbortSignal
}
/** A message after Standard Webhooks; the time in seconds. */
export type Webhook = { id: string; timestamp: string; body: string }
/** Where webhooks go, the keys that sign them, in base64, and how many may be on their way at once. */
export type WebhookQueue = { name: string; url: string; keys: readonly string[]; atOnce: number; timeoutMs: number }
/** Headers only of an answer that is no success; the time from when its turn came. */
export type QueuedAnswer = { status: number; headers: Record<string, string>; tookMs: number }
export type OutboundRequest = {
  method?: string
  headers?: Record<string, string>
  body?: string
  timeoutMs: number
  responseBytesMax: number
}
export type OutboundResponse = { status: number; headers: Record<string, string>; text: string; url: string }

/** Another of the same queue did not arrive, or all took too long: whoever asked may want to do something else now. */
export class NotSent extends Error {
  constructor() {
    super('It was not sent.')
  }
}

/** A remote party failed or answered nonsense: a sentence for the tenant, never our bug. */
export class UpstreamError extends Error {
  readonly kind: 'refused' | 'timeout' | 'failed' | 'too_large' | 'bad_answer'
  constructor(kind: UpstreamError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}
