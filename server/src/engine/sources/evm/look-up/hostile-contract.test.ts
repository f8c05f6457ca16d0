import { encodeAbiParameters, toHex } from 'viem'
import { expect, test } from 'vitest'
import { bytesMaxOf } from '../../answer-sizes.ts'
import { hashSignature } from '../abi/keccak.ts'
import { readAbi } from '../abi/read-abi.ts'
import { selectorOf } from '../abi/selector.ts'
import { answerSizes } from '../rpc.ts'
import { entriesOf } from './abi-entries.ts'
import { chainReads, type FoundLog } from './chain-reads.ts'
import { countEvents } from './count-entries.ts'
import { followProxies } from './follow-proxies.ts'
import { lookUpContract } from './look-up-contract.ts'
import { explainWrongAbi } from './provided-abi.ts'
import { readRecentLogs } from './recent-logs.ts'

/** A node chooses the code, the facets and the logs of a contract: what is done with them stays bounded. */

const address = `0x${'a'.repeat(40)}`
const plainCode = `0x${'63deadbeef'.repeat(10)}${'00'.repeat(2_000)}`
type Answers = Record<string, (params: never[]) => unknown>

/** A node whose answers these are. It counts its calls. */
function node(answers: Answers) {
  const calls: string[] = []
  const request = async (method: string, params: unknown) => {
    calls.push(method)
    return answers[method]?.(params as never[]) ?? '0x'
  }
  return { reads: chainReads(request as never), calls }
}

const facetAddresses = (count: number) =>
  encodeAbiParameters([{ type: 'address[]' }], [Array.from({ length: count }, (_, at) => toHex(at + 1, { size: 20 }))])
const diamond = (count: number): Answers => ({
  eth_chainId: () => '0x1',
  eth_getCode: () => plainCode,
  eth_getStorageAt: () => `0x${'0'.repeat(64)}`,
  eth_call: ([call]: { data: string }[]) => (call?.data === '0x52ef6b2c' ? facetAddresses(count) : '0x'),
})

test('of a diamond with thousands of facets, forty are read and asked about', async () => {
  const { reads, calls } = node(diamond(3_000))
  let asked = 0
  const findVerified = async () => {
    asked++
    return { tried: [], hasFailed: false }
  }
  await lookUpContract({ reads, findVerified, recentLogs: async () => [] } as never, address)
  expect(asked).toBeLessThanOrEqual(41)
  expect(calls.filter((method) => method === 'eth_getCode').length).toBeLessThan(50)
})

test('a loupe that answers more than any diamond has is not read', async () => {
  const { reads } = node(diamond(10_000))
  expect((await followProxies(reads, address)).targets).toEqual([address])
})

const names = Array.from({ length: 5_000 }, (_, at) => `f${at}`)
const abiOf = async (lines: string[]) => {
  const abi = await readAbi(
    lines.map((name) => ({ type: name.startsWith('E') ? 'event' : 'function', name, inputs: [] })),
    'event',
  )
  if (!abi.ok) throw new Error(abi.message)
  return abi.items
}

test('an ABI of thousands of items is compared with the code in one pass over the code', async () => {
  const items = await abiOf([...names.slice(1), 'Emitted'])
  const code = (constant: string) => `0x${'63'.repeat(60_000)}${constant}${'00'.repeat(40)}`
  const explain = (constant: string) =>
    explainWrongAbi(node({ ...diamond(40), eth_getCode: () => code(constant) }).reads, address, items)
  expect(await explain('')).toContain('Nothing of this ABI')
  expect(await explain(selectorOf('f4999()').slice(2))).toBeUndefined()
  const topic = hashSignature('Emitted()').slice(2)
  expect(await explain(topic)).toBeUndefined()
  expect(await explain(topic.slice(0, 62))).toContain('Nothing of this ABI')
})

const logOf = (topic: string, block: number): FoundLog => ({
  address,
  topics: [topic],
  data: '0x',
  transactionHash: `0x${'1'.repeat(64)}`,
  transactionIndex: 0,
  index: 0,
  block,
  timeMs: 0,
})

test('logs are read once, however many events the ABI has', async () => {
  const { events } = entriesOf(await abiOf(names.map((name) => `E${name}`)))
  let reads = 0
  const topic = hashSignature('Ef7()')
  const logs = Array.from({ length: 10_000 }, (_, at) => {
    const log = logOf(topic, at)
    return Object.defineProperty({ ...log }, 'topics', { get: () => ++reads && log.topics })
  })
  const counted = await countEvents(node({}).reads, events, logs)
  expect(counted[0]).toMatchObject({ name: 'Ef7', count: 10_000, latest: { block: 9_999 } })
  expect(reads).toBeLessThan(4 * logs.length)
})

test('of an answer with more logs than are needed, the newest are kept and the first block is named', async () => {
  const topic = hashSignature('Ef7()')
  const logs = Array.from({ length: 30_000 }, (_, at) => ({
    ...logOf(topic, at),
    blockNumber: toHex(at),
    transactionIndex: '0x0',
    logIndex: '0x0',
  }))
  const { reads } = node({ eth_getLogs: () => logs })
  const read = await readRecentLogs(reads, address, { head: 29_999, blocks: 30_000, endsAtMs: Number.MAX_VALUE })
  expect(read).toMatchObject({ fromBlock: 10_000, toBlock: 29_999, reason: expect.stringContaining('more than') })
  expect(read.logs).toHaveLength(20_000)
})

test('the code of a contract may be as large as any chain allows, and no larger', () => {
  const answerOf = (bytes: number) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, result: `0x${'60'.repeat(bytes)}` }).length
  expect(bytesMaxOf('eth_getCode', answerSizes)).toBeGreaterThan(answerOf(64 * 1024))
  expect(bytesMaxOf('eth_getCode', answerSizes)).toBeLessThan(answerOf(68 * 1024))
})
