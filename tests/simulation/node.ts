import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TraceMethod } from '../nodes/evm-traces.ts'
import { headerAnswer, hex, isTransactionOf, logAnswers, padding, receiptAnswers, traceAnswers } from './answers.ts'
import type { Block, Chain } from './chain.ts'
import type { Chance } from './chance.ts'
import { refusalOf } from './refusals.ts'
import { serveSockets } from './stale-sockets.ts'
import { hasCheckableLogs, hasUsefulBlooms, type Refusal, type Traits } from './traits.ts'

/** A node of the chain with all faults of real nodes, at the given rate. */
export type SimulatedNode = { url: string; wsUrl: string; close(): Promise<void> }
export type NodeOptions = { traits: Traits; refusal: Refusal; traces: TraceMethod; troubleRate(): number }
type Trouble = 'error' | 'busy' | 'down' | 'html' | 'hang' | 'nothing' | 'behind' | 'omission' | 'freeze'
type Call = { id: unknown; method: string; params?: unknown[] }
type Answer = { result: unknown } | { error: { code: number; message: string } }

const troubles: readonly Trouble[] = [
  'error',
  'busy',
  'down',
  'html',
  'hang',
  'nothing',
  'behind',
  'omission',
  'freeze',
]
/** A frozen head stays frozen for up to this many requests. */
const frozenMost = 60

export async function startNode(chain: Chain, chance: Chance, options: NodeOptions): Promise<SimulatedNode> {
  const node = new Node(chain, chance, options)
  const server = createServer((request, response) => void serve(request, response, node))
  const { traits } = options
  const closeSockets = serveSockets(server, {
    chain,
    fault: traits.socket ?? 'in-time',
    headerOf: (block) => headerAnswer(block, false, traits),
    answer: (text) => sayOverSocket(text, node),
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${address}`,
    wsUrl: `ws://${address}`,
    close: async () => {
      closeSockets()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function sayOverSocket(text: string, node: Node): string {
  const trouble = node.trouble()
  if (trouble === 'hang') return 'hang'
  if (trouble === 'busy' || trouble === 'down') return 'cut'
  if (trouble === 'html') return '<html>maintenance</html>'
  const call = JSON.parse(text) as Call
  const answer = JSON.stringify({ jsonrpc: '2.0', id: call.id, ...node.answer(call, trouble) })
  return answer.replaceAll(padding, () => `0x${zeros.toString().repeat(zerosCount)}`)
}

async function serve(request: IncomingMessage, response: ServerResponse, node: Node): Promise<void> {
  let text = ''
  for await (const chunk of request) text += chunk
  const trouble = node.trouble()
  if (trouble === 'hang') return
  if (trouble === 'busy') return end(response, 429, 'slow down', { 'retry-after': '1' })
  if (trouble === 'down') return end(response, 500, 'oh no')
  if (trouble === 'html') return end(response, 200, '<html>maintenance</html>', { 'content-type': 'text/html' })
  const asked = JSON.parse(text) as Call | Call[]
  const answerOne = (call: Call) => ({ jsonrpc: '2.0', id: call.id, ...node.answer(call, trouble) })
  const answer = JSON.stringify(Array.isArray(asked) ? asked.map(answerOne) : answerOne(asked))
  if (answer.includes(padding)) await endLarge(response, answer)
  else end(response, 200, answer)
}

/** Together more than the 32 MiB that the service accepts at first. */
const [zeros, zerosCount] = [Buffer.alloc(1 << 20, '0'), 34]

/** The caller may close the connection as soon as the answer is too large. */
async function endLarge(response: ServerResponse, answer: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  await pipeline(Readable.from(largePieces(answer)), response).catch(() => undefined)
}

function* largePieces(answer: string): Generator<Buffer> {
  for (const [index, text] of answer.split(padding).entries()) {
    if (index > 0) {
      yield Buffer.from('0x')
      for (let part = 0; part < zerosCount; part++) yield zeros
    }
    yield Buffer.from(text)
  }
}

function end(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(text)
}

type Filter = { blockHash?: string; fromBlock?: string; toBlock?: string; address?: string | string[] }

class Node {
  readonly #chain: Chain
  readonly #chance: Chance
  readonly #options: NodeOptions
  #frozen: { number: number; left: number } | undefined
  /** How far the node that answers this call is behind. */
  #lagMs = 0

  constructor(chain: Chain, chance: Chance, options: NodeOptions) {
    this.#chain = chain
    this.#chance = chance
    this.#options = options
  }

  /** Draws a fault for each request. When faults are off, a frozen head moves on too. */
  trouble(): Trouble | undefined {
    const rate = this.#options.troubleRate()
    if (rate === 0 || (this.#frozen && this.#frozen.left-- <= 0)) this.#frozen = undefined
    const drawn = this.#chance.happens(rate) ? troubles[this.#chance.below(troubles.length)] : undefined
    if (drawn === 'freeze' && !this.#frozen)
      this.#frozen = { number: this.#chain.head.number, left: this.#chance.below(frozenMost) }
    return drawn
  }

  answer({ method, params = [] }: Call, trouble: Trouble | undefined): Answer {
    if (trouble === 'error') return { error: { code: -32000, message: 'header not found' } }
    if (trouble === 'nothing') return { result: null }
    const refused = refusalOf(this.#options.refusal, method, params)
    if (refused) return refused
    const { lagsMs } = this.#options.traits.balancer
    this.#lagMs = lagsMs[this.#chance.below(lagsMs.length)] ?? 0
    const head = this.#head(trouble)
    switch (method) {
      case 'eth_chainId':
        return { result: '0x7a69' }
      case 'eth_blockNumber':
        return { result: hex(head.number) }
      case 'eth_getBalance':
        return { result: '0x0' }
      case 'eth_getBlockByNumber':
        return { result: this.#header(this.#blockAt(params[0], head), params[1] === true) }
      case 'eth_getBlockByHash':
        return { result: this.#header(this.#readable(this.#chain.byHash(String(params[0]))), params[1] === true) }
      case 'eth_getLogs':
        return this.#logs((params[0] ?? {}) as Filter, trouble)
      case 'eth_getBlockReceipts':
        return { result: this.#receipts(this.#readable(this.#chain.byHash(String(params[0]))), trouble) }
      case 'eth_getTransactionReceipt':
        return { result: this.#receipt(String(params[0]), trouble) }
      case this.#options.traces:
        return this.#traces(this.#tracedBlock(params[0]), trouble)
      default:
        return { error: { code: -32601, message: 'the method does not exist' } }
    }
  }

  #head(trouble: Trouble | undefined): Block {
    const { head } = this.#chain
    if (trouble === 'behind') return this.#chain.byNumber(head.number - 2) ?? head
    return (this.#frozen && this.#chain.byNumber(this.#frozen.number)) ?? this.#behind(head)
  }

  #behind(head: Block): Block {
    let block = head
    while (this.#lagMs > 0 && performance.now() - block.minedAtMs < this.#lagMs) {
      const parent = this.#chain.byHash(block.parentHash)
      if (!parent) break
      block = parent
    }
    return block
  }

  /** The head is announced at once; any block can be read a while later. */
  #readable(block: Block | undefined): Block | undefined {
    const lateMs = Math.max(this.#lagMs, this.#options.traits.lateMs)
    return block && performance.now() - block.minedAtMs < lateMs ? undefined : block
  }

  #blockAt(tag: unknown, head: Block): Block | undefined {
    if (tag === 'latest') return head
    if (tag === 'finalized' || tag === 'safe') return this.#chain.byNumber(Math.max(0, head.number - 40))
    const number = Number(tag)
    return number > head.number ? undefined : this.#readable(this.#chain.byNumber(number))
  }

  #header(block: Block | undefined, isWhole: boolean): unknown {
    return block ? headerAnswer(block, isWhole, this.#options.traits) : null
  }

  #logs({ blockHash, fromBlock, toBlock, address }: Filter, trouble: Trouble | undefined): Answer {
    const block = blockHash === undefined ? undefined : this.#readable(this.#chain.byHash(blockHash))
    if (blockHash !== undefined && !block) return this.#unknownBlock()
    const blocks = block ? [block] : this.#range(Number(fromBlock), Number(toBlock))
    const asked = address === undefined ? undefined : new Set([address].flat())
    // If every endpoint serves logs only by contract, the service cannot detect missing logs, so none are left out.
    const left = asked && !hasCheckableLogs(this.#options.traits) ? undefined : trouble
    const logs = blocks.flatMap((each) => this.#logsOf(each, left))
    return { result: logs.filter((log) => asked?.has(log.address) ?? true) }
  }

  #unknownBlock(): Answer {
    const isSilent = this.#options.traits.balancer.unknownHash === 'empty'
    return isSilent ? { result: [] } : { error: { code: -32000, message: 'unknown block' } }
  }

  /** A node silently leaves blocks that it does not have out of a range. */
  #range(from: number, to: number): Block[] {
    const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
    return numbers.map((each) => this.#readable(this.#chain.byNumber(each))).filter((block) => block !== undefined)
  }

  #logsOf(block: Block, trouble: Trouble | undefined) {
    const logs = logAnswers(block, this.#options.traits)
    return trouble === 'omission' && hasUsefulBlooms(this.#options.traits)
      ? logs.filter(() => this.#chance.happens(0.5))
      : logs
  }

  #tracedBlock(which: unknown): Block | undefined {
    const isHash = this.#options.traces === 'debug_traceBlockByHash'
    return this.#readable(isHash ? this.#chain.byHash(String(which)) : this.#chain.byNumber(Number(which)))
  }

  /** Traces come later than their block. Until then real nodes answer with an error, nothing, or an empty list. */
  #traces(block: Block | undefined, trouble: Trouble | undefined): Answer {
    const { traits, traces } = this.#options
    const isLate = !block || performance.now() - block.minedAtMs < traits.lateTracesMs
    if (isLate) {
      const answers: Answer[] = [
        { error: { code: -32000, message: 'block not found' } },
        { result: null },
        { result: [] },
      ]
      return answers[this.#chance.below(answers.length)] ?? { result: null }
    }
    const all = traceAnswers(block, traces)
    return { result: trouble === 'omission' ? all.slice(0, this.#chance.below(all.length + 1)) : all }
  }

  #receipts(block: Block | undefined, trouble: Trouble | undefined) {
    return block ? receiptAnswers(block, this.#logsOf(block, trouble)) : null
  }

  #receipt(hash: string, trouble: Trouble | undefined): unknown {
    const block = this.#readable(this.#chain.find((each) => isTransactionOf(each, hash)))
    return this.#receipts(block, trouble)?.find(({ transactionHash }) => transactionHash === hash) ?? null
  }
}
