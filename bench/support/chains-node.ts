/**
 * Many small EVM chains and a webhook receiver in one process of its own, cheap enough for 500 chains. Arguments: how many
 * chains; the block time of all chains, or a list of block times; and of how many blocks one has a transfer. The other
 * blocks have another log. The value of a transfer numbers it over all chains. The endpoints are `/<chain>`, over HTTP and
 * web socket. `POST /hook` takes the webhooks of the service, `POST /plain` those of a plain script. `GET /report` answers
 * with what was measured since the last `GET /reset`.
 */

import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { keccak256 } from '../../server/src/engine/sources/evm/abi/keccak.ts'

type Block = { number: number; madeAt: number; header: Record<string, unknown>; log: Record<string, unknown> }
type Chain = { blocks: Map<string, Block>; head: Block; read: number; sockets: Map<string, WebSocket> }
type Call = { id: unknown; method: string; params?: unknown[] }

const [chainCount = 1, blockTimes = '2000', every = '0'] = process.argv.slice(2)
const blockMs = blockTimes.split(',').map(Number)
const matchEvery = Number(every)
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const otherTopic = `0x${'ab'.repeat(32)}`
const contract = `0x${'c0'.repeat(20)}`
const keptBlocks = 100
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
const hex = (value: number) => `0x${value.toString(16)}`
const parties = [word(10), word(11)]
const blooms = new Map([transferTopic, otherTopic].map((topic) => [topic, bloomOf([contract, topic, ...parties])]))

let made = 0
let calls = 0
let subscriptions = 0
type Hook = { chain: number; ms: number }
/** By the value of the transfer. */
const transfers = new Map<number, { chain: number; madeAt: number }>()
const measured = {
  hooks: [] as Hook[],
  plain: [] as Hook[],
  readMs: [] as number[],
  lags: [] as number[],
  matches: 0,
}
const chains = Array.from({ length: Number(chainCount) }, (_, index): Chain => {
  const head = makeBlock(index, 1, word(0), otherTopic)
  return { blocks: new Map([[String(head.header.hash), head]]), head, read: 1, sockets: new Map() }
})

function makeBlock(chain: number, number: number, parentHash: string, topic: string): Block {
  const hash = `0x${createHash('sha256').update(`${chain} ${number}`).digest('hex')}`
  const at = { blockHash: hash, blockNumber: hex(number), transactionHash: hash, transactionIndex: '0x0' }
  const log = {
    address: contract,
    topics: [topic, ...parties],
    data: word(made),
    logIndex: '0x0',
    removed: false,
    ...at,
  }
  const timestamp = hex(Math.floor(Date.now() / 1000))
  const header = {
    number: hex(number),
    hash,
    parentHash,
    timestamp,
    logsBloom: blooms.get(topic),
    transactions: [hash],
  }
  return { number, madeAt: performance.now(), header, log }
}

function mine(index: number): void {
  const chain = chains[index]
  if (!chain) return
  made += 1
  const isMatch = matchEvery > 0 && made % matchEvery === 0
  const { head } = chain
  const block = makeBlock(index, head.number + 1, String(head.header.hash), isMatch ? transferTopic : otherTopic)
  if (isMatch) {
    transfers.set(made, { chain: index, madeAt: block.madeAt })
    measured.matches += 1
  }
  measured.lags.push(head.number - chain.read)
  chain.head = block
  chain.blocks.set(String(block.header.hash), block)
  if (chain.blocks.size > keptBlocks) chain.blocks.delete(chain.blocks.keys().next().value ?? '')
  for (const [subscription, socket] of chain.sockets)
    socket.send(JSON.stringify({ method: 'eth_subscription', params: { subscription, result: block.header } }))
}

function answer(index: number, { id, method, params = [] }: Call): string {
  calls += 1
  const chain = chains[index]
  if (!chain) throw new Error(`there is no chain ${index}`)
  return JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(chain, index, method, params) })
}

function resultOf(chain: Chain, index: number, method: string, params: unknown[]): unknown {
  const [first] = params
  if (method === 'eth_chainId') return hex(1_000 + index)
  if (method === 'eth_blockNumber') return hex(chain.head.number)
  if (method === 'eth_getBlockByNumber')
    return first === 'latest' ? chain.head.header : (blockAt(chain, Number(first))?.header ?? null)
  if (method === 'eth_getBlockByHash') return chain.blocks.get(String(first))?.header ?? null
  if (method === 'eth_getLogs') return logsOf(chain, first as { blockHash?: string })
  if (method === 'eth_getBalance') return '0x0'
  if (method === 'eth_subscribe') return hex(++subscriptions)
  return null
}

function logsOf(chain: Chain, { blockHash = '' }: { blockHash?: string }): unknown[] {
  const block = chain.blocks.get(blockHash)
  if (!block) return []
  if (block.number > chain.read) {
    chain.read = block.number
    measured.readMs.push(performance.now() - block.madeAt)
  }
  return [block.log]
}

function blockAt(chain: Chain, number: number): Block | undefined {
  if (number === chain.head.number) return chain.head
  for (const block of chain.blocks.values()) if (block.number === number) return block
  return undefined
}

/** The blocks of all chains are spread evenly over the block time. */
function startMining(index: number): void {
  const everyMs = blockMs[index] ?? blockMs[0] ?? 2_000
  let dueAt = performance.now() + (everyMs * index) / chains.length
  const next = () => {
    mine(index)
    dueAt += everyMs
    setTimeout(next, Math.max(0, dueAt - performance.now()))
  }
  setTimeout(next, Math.max(0, dueAt - performance.now()))
}

async function respond(request: IncomingMessage, body: string): Promise<string> {
  const [, path = ''] = (request.url ?? '').split('/')
  if (path === 'hook') return takeHook(measured.hooks, Number(JSON.parse(body).data.raw.params.value))
  if (path === 'plain') return takeHook(measured.plain, Number(JSON.parse(body).data))
  if (path === 'report') return JSON.stringify({ ...measured, calls, pid: process.pid })
  if (path === 'reset') return reset()
  const call: Call | Call[] = JSON.parse(body)
  if (!Array.isArray(call)) return answer(Number(path), call)
  return `[${call.map((one) => answer(Number(path), one)).join(',')}]`
}

function reset(): string {
  Object.assign(measured, { hooks: [], plain: [], readMs: [], lags: [], matches: 0 })
  calls = 0
  transfers.clear()
  return ''
}

function takeHook(into: Hook[], value: number): string {
  const transfer = transfers.get(value)
  if (transfer) into.push({ chain: transfer.chain, ms: performance.now() - transfer.madeAt })
  return ''
}

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString()
  response.setHeader('content-type', 'application/json').end(await respond(request, body))
})
new WebSocketServer({ server }).on('connection', (socket, request) => {
  const index = Number((request.url ?? '').slice(1))
  socket.on('message', (text) => {
    const call: Call = JSON.parse(String(text))
    const reply = answer(index, call)
    if (call.method === 'eth_subscribe') chains[index]?.sockets.set(JSON.parse(reply).result, socket)
    socket.send(reply)
  })
  socket.on('close', () => {
    for (const [id, known] of chains[index]?.sockets ?? []) if (known === socket) chains[index]?.sockets.delete(id)
  })
})
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', 4_096, () => {
  console.log(`serving at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  for (const index of chains.keys()) startMining(index)
})
process.once('SIGTERM', () => process.exit())

/** The bloom filter of a block whose logs have these addresses and topics. */
function bloomOf(values: readonly string[]): string {
  const bits = Buffer.alloc(256)
  for (const value of values) {
    const digest = Buffer.from(keccak256(Buffer.from(value.slice(2), 'hex')))
    for (const at of [0, 2, 4]) {
      const bit = digest.readUInt16BE(at) & 2047
      bits[255 - (bit >> 3)] = (bits[255 - (bit >> 3)] ?? 0) | (1 << (bit & 7))
    }
  }
  return `0x${bits.toString('hex')}`
}
