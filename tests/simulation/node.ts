import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Block, Chain } from './chain.ts'
import type { Chance } from './chance.ts'

/** A node of the chain that fails in every way nodes do, as often as it is told. */
export type SimulatedNode = { url: string; close(): Promise<void> }
type Trouble = 'error' | 'busy' | 'down' | 'html' | 'hang' | 'nothing' | 'behind' | 'omission'
type Call = { id: unknown; method: string; params?: unknown[] }

const troubles: readonly Trouble[] = ['error', 'busy', 'down', 'html', 'hang', 'nothing', 'behind', 'omission']

export async function startNode(chain: Chain, chance: Chance, troubleRate: () => number): Promise<SimulatedNode> {
  const trouble = () => (chance.happens(troubleRate()) ? troubles[chance.below(troubles.length)] : undefined)
  const server = createServer((request, response) => void serve(request, response, chain, chance, trouble()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  chain: Chain,
  chance: Chance,
  trouble: Trouble | undefined,
): Promise<void> {
  let text = ''
  for await (const chunk of request) text += chunk
  if (trouble === 'hang') return
  if (trouble === 'busy') return end(response, 429, 'slow down', { 'retry-after': '1' })
  if (trouble === 'down') return end(response, 500, 'oh no')
  if (trouble === 'html') return end(response, 200, '<html>maintenance</html>', { 'content-type': 'text/html' })
  const asked = JSON.parse(text) as Call | Call[]
  const answerOne = (call: Call) => ({ jsonrpc: '2.0', id: call.id, ...answer(call, chain, chance, trouble) })
  end(response, 200, JSON.stringify(Array.isArray(asked) ? asked.map(answerOne) : answerOne(asked)))
}

function end(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(text)
}

function answer({ method, params = [] }: Call, chain: Chain, chance: Chance, trouble: Trouble | undefined) {
  if (trouble === 'error') return { error: { code: -32000, message: 'header not found' } }
  if (trouble === 'nothing') return { result: null }
  const head = trouble === 'behind' ? (chain.byNumber(chain.head.number - 2) ?? chain.head) : chain.head
  switch (method) {
    case 'eth_chainId':
      return { result: '0x7a69' }
    case 'eth_blockNumber':
      return { result: hex(head.number) }
    case 'eth_getBalance':
      return { result: '0x0' }
    case 'eth_getBlockByNumber':
      return { result: header(blockAt(params[0], chain, head)) }
    case 'eth_getBlockByHash':
      return { result: header(chain.byHash(String(params[0]))) }
    case 'eth_getLogs':
      return logsAnswer(
        params[0] as { blockHash?: string; fromBlock?: string; toBlock?: string },
        chain,
        chance,
        trouble,
      )
    default:
      return { error: { code: -32601, message: 'the method does not exist' } }
  }
}

function blockAt(tag: unknown, chain: Chain, head: Block): Block | undefined {
  if (tag === 'latest') return head
  if (tag === 'finalized' || tag === 'safe') return chain.byNumber(Math.max(0, head.number - 40))
  const number = Number(tag)
  return number > head.number ? undefined : chain.byNumber(number)
}

function logsAnswer(
  filter: { blockHash?: string; fromBlock?: string; toBlock?: string },
  chain: Chain,
  chance: Chance,
  trouble: Trouble | undefined,
) {
  const block = filter.blockHash === undefined ? undefined : chain.byHash(filter.blockHash)
  if (filter.blockHash !== undefined && !block) return { error: { code: -32000, message: 'unknown block' } }
  const blocks = block ? [block] : range(chain, Number(filter.fromBlock), Number(filter.toBlock))
  const logs = blocks.flatMap(logsOf)
  return { result: trouble === 'omission' ? logs.filter(() => chance.happens(0.5)) : logs }
}

function range(chain: Chain, from: number, to: number): Block[] {
  const blocks: Block[] = []
  for (let number = from; number <= to; number++)
    blocks.push(...[chain.byNumber(number)].filter((one) => one !== undefined))
  return blocks
}

function header(block: Block | undefined) {
  if (!block) return null
  const { number, hash, parentHash, timestamp, bloom, logs } = block
  const transactions = logs.map((_, index) => transactionHash(block, index))
  return { number: hex(number), hash, parentHash, timestamp: hex(timestamp), logsBloom: bloom, transactions }
}

function logsOf(block: Block) {
  return block.logs.map(({ address, topics, data }, index) => ({
    address,
    topics,
    data,
    blockNumber: hex(block.number),
    blockHash: block.hash,
    transactionHash: transactionHash(block, index),
    transactionIndex: hex(index),
    logIndex: hex(index),
    removed: false,
  }))
}

function transactionHash(block: Block, index: number): string {
  return `0x${index.toString(16).padStart(4, '0')}${block.hash.slice(6)}`
}

function hex(number: number): string {
  return `0x${number.toString(16)}`
}
