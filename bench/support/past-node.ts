/**
 * An EVM node with a long past, in a process of its own. Arguments: how many blocks, and how many transfers, which are spread
 * evenly over the blocks. Each block is made when it is asked for, so that a hundred thousand cost nothing before. (The test
 * node makes as many blocks with one call, but those do not follow one another.) No block is added.
 */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bloomOf } from './bloom-of.ts'

type Call = { id: unknown; method: string; params?: unknown[] }

const [blocks = 0, events = 0] = process.argv.slice(2).map(Number)
const topic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const contract = `0x${'c0'.repeat(20)}`
const [secondsPerBlock, headTime] = [12, Math.floor(Date.now() / 1000)]
const hex = (value: number) => `0x${value.toString(16)}`
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
const parties = [word(10), word(11)]
const emptyBloom = `0x${'00'.repeat(256)}`
const bloom = bloomOf([contract, topic, ...parties])

/** The hash ends with the number of the block. */
function hashOf(number: number): string {
  const digest = createHash('sha256').update(String(number)).digest('hex')
  return `0x${digest.slice(0, 56)}${number.toString(16).padStart(8, '0')}`
}

/** The numbers of the transfers of a block; the first block has none. */
function transfersIn(number: number): number[] {
  const [first, next] = [Math.max(0, number - 1), number].map((each) => Math.floor((each * events) / blocks))
  return Array.from({ length: (next ?? 0) - (first ?? 0) }, (_, at) => (first ?? 0) + at)
}

function headerOf(number: number): object | null {
  if (!(number >= 0 && number <= blocks)) return null
  const hasLogs = transfersIn(number).length > 0
  return {
    number: hex(number),
    hash: hashOf(number),
    parentHash: number === 0 ? word(0) : hashOf(number - 1),
    timestamp: hex(headTime - secondsPerBlock * (blocks - number)),
    logsBloom: hasLogs ? bloom : emptyBloom,
    transactions: hasLogs ? [hashOf(number)] : [],
  }
}

function logsOf({ blockHash = '' }: { blockHash?: string }): object[] {
  const number = Number.parseInt(blockHash.slice(-8), 16)
  const place = { blockHash, blockNumber: hex(number), transactionHash: blockHash, transactionIndex: '0x0' }
  return transfersIn(number).map((value, at) => ({
    ...{ address: contract, topics: [topic, ...parties], data: word(value), logIndex: hex(at), removed: false },
    ...place,
  }))
}

function resultOf({ method, params: [first] = [] }: Call): unknown {
  if (method === 'eth_chainId') return hex(1_000)
  if (method === 'eth_blockNumber') return hex(blocks)
  if (method === 'eth_getBlockByNumber') return headerOf(String(first).startsWith('0x') ? Number(first) : blocks)
  if (method === 'eth_getBlockByHash') return headerOf(Number.parseInt(String(first).slice(-8), 16))
  if (method === 'eth_getLogs') return logsOf(first as { blockHash?: string })
  return method === 'eth_getBalance' ? '0x0' : null
}

const server = createServer(async (request, response) => {
  const sent: Call | Call[] = JSON.parse(Buffer.concat(await request.toArray()).toString())
  const answer = (call: Call) => ({ jsonrpc: '2.0', id: call.id, result: resultOf(call) })
  const answers = Array.isArray(sent) ? sent.map(answer) : answer(sent)
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answers))
})
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () =>
  console.log(`serving at http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
process.once('SIGTERM', () => process.exit())
