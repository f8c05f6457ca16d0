import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  ContractDecoder,
  EdrContext,
  L1_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkFromString,
  l1ProviderFactory,
  MineOrdering,
  PRAGUE,
  type ProviderConfig,
  type SubscriptionEvent,
} from '@nomicfoundation/edr'
import { type WebSocket, WebSocketServer } from 'ws'
import { deployment, emitter } from './evm-contracts.ts'
import { type TraceMethod, traceBlock } from './evm-traces.ts'

/**
 * A real Ethereum node on free ports: EDR, the engine of Hardhat's node, in this process, behind our own HTTP and web
 * socket servers. It lacks `eth_getBlockReceipts`; `blockReceipts` builds it from single receipts. It traces single
 * transactions only; `traces` builds one of the two requests for the traces of a block from them. It has no call for a
 * reorg: take a snapshot, mine, call `evm_revert`, and mine something else.
 */
export type EvmNode = {
  url: string
  wsUrl: string
  account: string
  /** The private key of the account, for transactions that the node does not sign. */
  key: `0x${string}`
  request(method: string, params?: unknown[]): Promise<unknown>
  /** Sends a transaction, which is mined at once and alone in its block unless `evm_setAutomine` is off. Returns its hash, even if it reverts. */
  send(transaction: { to?: string; data?: string; value?: string }): Promise<string>
  deploy(runtime: string, storage?: Record<string, string>): Promise<string>
  /** Sends a transaction that emits this log. There is one contract per number of topics. */
  emit(topics: readonly string[], data?: string): Promise<{ contract: string; hash: string }>
  /** Closes every web socket; the node keeps running. */
  cut(): void
  close(): Promise<void>
}
type Options = { chainId?: number; blockReceipts?: boolean; traces?: TraceMethod }
type Call = { jsonrpc: '2.0'; id: unknown; method: string; params?: unknown[] }
type Answer = {
  jsonrpc: '2.0'
  id: unknown
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
}
/** The reply as text: it may have megabytes and is not parsed here. */
type Handle = (call: Call) => Promise<string>

const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const account = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

export async function startEvmNode(options: Options = {}): Promise<EvmNode> {
  const sockets = new Map<string, WebSocket>()
  const provider = await openProvider(options.chainId ?? 31337, (event) => notify(sockets, event))
  const ask: Handle = async (call) => {
    // EDR refuses a call without params, which other nodes accept.
    const { data } = await provider.handleRequest(JSON.stringify({ params: [], ...call }))
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    return `{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},${text.slice(1)}`
  }
  const handle: Handle = (call) => {
    if (options.blockReceipts && call.method === 'eth_getBlockReceipts') return blockReceipts(ask, call)
    return call.method === options.traces ? traceAnswer(ask, call) : ask(call)
  }
  const server = await listen(handle, sockets)
  const request = requester(handle)
  return { ...server, account, key, request, ...actions(request) }
}

let context: Promise<EdrContext> | undefined

/** EDR needs one context per process; it can hold any number of chains. */
async function openProvider(chainId: number, subscriptionCallback: (event: SubscriptionEvent) => void) {
  context ??= openContext()
  const silent = { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} }
  const chain = chainConfig(BigInt(chainId))
  return (await context).createProvider(L1_CHAIN_TYPE, chain, silent, { subscriptionCallback }, new ContractDecoder())
}

async function openContext(): Promise<EdrContext> {
  const opened = new EdrContext()
  await opened.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory())
  return opened
}

function chainConfig(chainId: bigint): ProviderConfig {
  const gasLimit = 30_000_000n
  return {
    chainId,
    networkId: chainId,
    hardfork: PRAGUE,
    genesisState: [
      ...l1GenesisState(l1HardforkFromString(PRAGUE)),
      { address: Buffer.from(account.slice(2), 'hex'), balance: 10n ** 24n },
    ],
    ownedAccounts: [key],
    coinbase: Buffer.alloc(20, 0xc0),
    network: { genesisBlockGasLimit: gasLimit, genesisBlockTime: 1_700_000_000n },
    mining: { autoMine: true, blockGasLimit: gasLimit, memPool: { order: MineOrdering.Fifo } },
    defaultTransactionGasLimit: 10_000_000n,
    initialBaseFeePerGas: 1_000_000_000n,
    initialParentBeaconBlockRoot: Buffer.alloc(32),
    minGasPrice: 0n,
    allowBlocksWithSameTimestamp: false,
    allowUnlimitedContractSize: true,
    bailOnCallFailure: true,
    bailOnTransactionFailure: false,
    observability: {},
    precompileOverrides: [],
  }
}

async function traceAnswer(ask: Handle, { id, method, params = [] }: Call): Promise<string> {
  const result = await traceBlock(asker(ask), method as TraceMethod, String(params[0]))
  return JSON.stringify({ jsonrpc: '2.0', id, result } satisfies Answer)
}

function asker(ask: Handle) {
  return async (method: string, params: unknown[]) =>
    (JSON.parse(await ask({ jsonrpc: '2.0', id: 1, method, params })) as Answer).result
}

async function blockReceipts(ask: Handle, { id, params }: Call): Promise<string> {
  const call = asker(ask)
  const by = String(params?.[0]).length === 66 ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
  const block = (await call(by, [params?.[0], false])) as { transactions: string[] } | null
  const receipts = block?.transactions.map((hash) => call('eth_getTransactionReceipt', [hash]))
  return JSON.stringify({ jsonrpc: '2.0', id, result: receipts ? await Promise.all(receipts) : null } satisfies Answer)
}

async function listen(handle: Handle, subscriptions: Map<string, WebSocket>) {
  const server = createServer(async (request, response) => {
    const answer = await answerAll(handle, await readBody(request))
    response.setHeader('content-type', 'application/json').end(answer)
  })
  const webSockets = new WebSocketServer({ server })
  webSockets.on('connection', (socket) => {
    socket.on('message', async (text) => {
      const call = JSON.parse(String(text))
      const answer = await answerAll(handle, String(text))
      if (call.method === 'eth_subscribe') subscriptions.set(String(JSON.parse(answer).result), socket)
      socket.send(answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const cut = () => {
    for (const socket of webSockets.clients) socket.terminate()
  }
  const close = async () => {
    cut()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${port}`, wsUrl: `ws://127.0.0.1:${port}`, cut, close }
}

async function answerAll(handle: Handle, text: string): Promise<string> {
  const body: Call | Call[] = JSON.parse(text)
  return Array.isArray(body) ? `[${(await Promise.all(body.map(handle))).join(',')}]` : handle(body)
}

function notify(subscriptions: Map<string, WebSocket>, { filterId, result }: SubscriptionEvent): void {
  const subscription = `0x${filterId.toString(16)}`
  const results: unknown[] = Array.isArray(result) ? result : [result]
  for (const result of results) {
    const notice = { jsonrpc: '2.0', method: 'eth_subscription', params: { subscription, result } }
    subscriptions.get(subscription)?.send(JSON.stringify(notice))
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  return body
}

function requester(handle: Handle): EvmNode['request'] {
  return async (method, params = []) => {
    const { error, result }: Answer = JSON.parse(await handle({ jsonrpc: '2.0', id: 1, method, params }))
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }
}

function actions(request: EvmNode['request']): Pick<EvmNode, 'send' | 'deploy' | 'emit'> {
  const emitters = new Map<number, Promise<string>>()
  const send: EvmNode['send'] = async (transaction) =>
    String(await request('eth_sendTransaction', [{ from: account, gas: '0x989680', ...transaction }]))
  const deploy: EvmNode['deploy'] = async (runtime, storage) => {
    const hash = await send({ data: deployment(runtime, storage) })
    const receipt = (await request('eth_getTransactionReceipt', [hash])) as { contractAddress: string }
    return receipt.contractAddress
  }
  const emit: EvmNode['emit'] = async (topics, data = '0x') => {
    const known = emitters.get(topics.length) ?? deploy(emitter(topics.length))
    emitters.set(topics.length, known)
    const contract = await known
    const words = topics.map((topic) => topic.slice(2)).join('')
    return { contract, hash: await send({ to: contract, data: `0x${words}${data.slice(2)}` }) }
  }
  return { send, deploy, emit }
}
