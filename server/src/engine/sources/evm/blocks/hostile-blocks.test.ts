import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectedEvm } from '../../../../../../tests/nodes/connected-evm.ts'
import type { EvmNode } from '../../../../../../tests/nodes/evm.ts'
import { misbehavingNode, type Scenario } from '../../../../../../tests/nodes/misbehaving-node.ts'
import { scenarios } from '../../../../../../tests/nodes/scenarios.ts'
import type { BlockPart, ChainBlock } from '../../block.ts'
import type { EndpointNotice } from '../../endpoint-report.ts'
import { EvmContents } from '../contents.ts'
import { openRpc } from '../rpc.ts'
import { makeBlockReader } from './block-reader.ts'
import { fetchBlock } from './fetch-block.ts'
import { PartPatience } from './part-patience.ts'

/** One block of ten transactions with a log each, whose answers are too large, cut, or contradict the header. */
const { options, start, close } = await connectedEvm()
const word = (hex: string) => `0x${hex.padStart(64, '0')}`
const opened: { close(): Promise<void> }[] = []
let node: EvmNode
let contract: string
let foreign: string
let block: number
let now = 0

beforeAll(async () => {
  node = await start({ blockReceipts: true })
  contract = (await node.emit([word('1')], word('0'))).contract
  foreign = (await node.emit([word('1'), word('2')], word('0'))).contract
  await node.request('evm_setAutomine', [false])
  for (let at = 0; at < 5; at += 1) {
    await node.emit([word('1'), word('2')], word('f'))
    await node.emit([word('1')], word(String(at)))
  }
  await node.request('evm_mine')
  await node.request('evm_setAutomine', [true])
  block = Number(await node.request('eth_blockNumber'))
})
afterAll(async () => {
  for (const each of opened) await each.close()
  await close()
})

type Also = { verify?: 'bloom' | 'receipts'; bytesMax?: number; timeoutMs?: number; overSocket?: boolean }

async function sourceOf(scenarios: Scenario[], { verify, bytesMax, timeoutMs = 2_000, overSocket }: Also = {}) {
  const nodes = await Promise.all(scenarios.map((scenario) => misbehavingNode(node, scenario)))
  const notices: EndpointNotice[] = []
  const urls = nodes.map(({ url, wsUrl }) => (overSocket ? wsUrl : url))
  const onNotice = (notice: EndpointNotice) => void notices.push(notice)
  const rpc = openRpc(urls, { ...options, timeoutMs, onNotice, ...(bytesMax && { responseBytesMax: bytesMax }) })
  opened.unshift(rpc, ...nodes)
  const reader = makeBlockReader(
    rpc,
    urls,
    { ...(verify && { verify }), timeoutMs, ...(bytesMax && { responseBytesMax: bytesMax }) },
    () => now,
  )
  const read = (parts: BlockPart[], addresses?: string[]) =>
    fetchBlock(reader, block, parts, { mayLack: true, addresses })
  /** Reads the block until it counts, and returns how many seconds that took. */
  const readUntilItCounts = async (parts: BlockPart[], addresses?: string[]) => {
    for (let seconds = 0; ; seconds += 1)
      try {
        return { seconds, block: await read(parts, addresses) }
      } catch (error) {
        if (seconds === 200) throw error
        now += 1_000
      }
  }
  return { nodes, notices, read, readUntilItCounts }
}

const contentsOf = (read: ChainBlock | undefined) => {
  if (!(read?.contents instanceof EvmContents)) throw new Error('the block was not read')
  return read.contents
}
const logsIn = (read: ChainBlock | undefined) => contentsOf(read).logs ?? []
const logs: BlockPart[] = ['logs']
const both: BlockPart[] = ['logs', 'transactions']

type Json = Record<string, unknown>
const changing = (method: RegExp, change: (truth: Json) => unknown): Scenario => ({
  change: (call, truth) => (method.test(call.method) && truth !== null ? { result: change(truth as Json) } : undefined),
})
/** The bloom has bits of no log, as on zkSync, Sei and Cronos. */
const extraBits = changing(/getBlockBy/, (truth) => ({
  ...truth,
  logsBloom: `0xff${String(truth.logsBloom).slice(4)}`,
}))
const noRoot = scenarios.otherReceiptsRoots(null)
const withoutRepeats = changing(/getLogs/, (truth) => {
  const list = truth as unknown as Json[]
  return list.map((each, at) => (at === 1 ? { ...each, logIndex: '0x0', topics: [word('5')] } : each))
})

test.each<[string, Scenario, BlockPart[]]>([
  ['a bloom with bits of no log', scenarios.together(extraBits, noRoot), logs],
  ['the same, with transactions', scenarios.together(extraBits, noRoot), both],
  [
    'log indexes that repeat',
    scenarios.together(withoutRepeats, scenarios.lacksMethod(/Receipt/), scenarios.nullBloom()),
    logs,
  ],
])(
  '%s: the block counts after 25 s, if all endpoints go on to answer the same, and says why',
  async (_, scenario, parts) => {
    const { readUntilItCounts } = await sourceOf([scenario, scenario])
    const { seconds, block: read } = await readUntilItCounts(parts)
    expect(seconds).toBe(25)
    expect(logsIn(read)).toHaveLength(10)
    expect(read).toMatchObject({ checked: 'none', doubt: expect.stringMatching(/missing/) })
  },
)

test('one receipts root that does not fit after others did counts after 25 s too', async () => {
  const { nodes, readUntilItCounts, read } = await sourceOf([{}])
  await read(both)
  nodes[0]?.turn(scenarios.otherReceiptsRoots())
  const found = await readUntilItCounts(both)
  expect(found).toMatchObject({
    seconds: 25,
    block: { checked: 'none', doubt: expect.stringContaining('receipts root') },
  })
  expect(contentsOf(found.block).transactions).toHaveLength(10)
})

test('endpoints that go on to answer differently are waited for longer, and then the longest answer counts', async () => {
  const cut = changing(/getLogs/, (truth) => (truth as unknown as unknown[]).slice(0, 3))
  const lone = scenarios.together(extraBits, scenarios.lacksMethod(/Receipt/))
  const { readUntilItCounts } = await sourceOf([scenarios.together(lone, cut), lone])
  const { seconds, block: read } = await readUntilItCounts(logs)
  expect(seconds).toBe(100)
  expect(logsIn(read)).toHaveLength(10)
})

test('with verify: receipts a block that fails its check is never taken', async () => {
  const { readUntilItCounts } = await sourceOf([scenarios.otherReceiptsRoots()], { verify: 'receipts' })
  await expect(readUntilItCounts(logs)).rejects.toThrow('receipts root')
})

test('a chain whose blooms are computed by other rules is waited for less and less, and then not at all', async () => {
  const { readUntilItCounts } = await sourceOf([scenarios.together(extraBits, noRoot)])
  const waited: number[] = []
  for (let blocks = 0; blocks < 6; blocks += 1) waited.push((await readUntilItCounts(logs)).seconds)
  expect(waited).toEqual([25, 13, 7, 4, 0, 0])
})

test('logs that are only late are never replaced by the answer of before', async () => {
  const { nodes, readUntilItCounts, read } = await sourceOf([
    scenarios.together(
      changing(/getLogs/, () => []),
      scenarios.lacksMethod(/Receipt/),
    ),
  ])
  for (let second = 0; second < 20; second += 1) {
    await expect(read(logs)).rejects.toThrow('some are missing')
    now += 1_000
  }
  nodes[0]?.turn()
  expect(await readUntilItCounts(logs)).toMatchObject({ seconds: 0, block: { checked: 'bloom' } })
})

/** An answer of this method is followed by this many more logs of a contract that no trigger names. */
const floodOf = (method: RegExp, count: number): Scenario =>
  changing(method, (truth) => {
    const flood = (logs: Json[]) => {
      const model = logs.find(({ address }) => address === foreign) ?? {}
      return [
        ...logs,
        ...Array.from({ length: count }, (_, at) => ({ ...model, logIndex: `0x${(at + 100).toString(16)}` })),
      ]
    }
    if (!Array.isArray(truth)) return { ...truth, logs: flood(truth.logs as Json[]) }
    return truth.some((each) => 'logs' in each)
      ? truth.map((each, at) => (at === 0 ? { ...each, logs: flood(each.logs as Json[]) } : each))
      : flood(truth)
  })

test('logs beyond the limit of an answer are read as a stream, and those of the triggers are kept', async () => {
  const { read } = await sourceOf([floodOf(/getLogs/, 2_000)], { bytesMax: 50_000 })
  const found = await read(logs, [contract])
  expect(logsIn(found)).toHaveLength(5)
  expect(found?.checked).toBe('bloom')
})

test('receipts beyond the limit are read as a stream, with the count of all logs of each', async () => {
  const { read } = await sourceOf([floodOf(/Receipt/, 2_000)], { bytesMax: 50_000 })
  const found = await read(both, [contract])
  expect(logsIn(found)).toHaveLength(5)
  const counts = contentsOf(found).transactions?.map(({ receipt }) => receipt?.logsCount)
  expect(counts).toEqual([2_001, ...Array(9).fill(1)])
})

test('if one of the receipts that nodes give one by one is beyond the limit, the logs of the others are kept', async () => {
  const isFirst = ({ transactionIndex }: Json) => transactionIndex === '0x0'
  const firstIsLarge = changing(/TransactionReceipt/, (truth) => {
    const [model] = (truth as Json).logs as Json[]
    if (!isFirst(truth as Json) || !model) return truth
    const more = Array.from({ length: 2_000 }, (_, at) => ({ ...model, logIndex: `0x${(at + 100).toString(16)}` }))
    return { ...(truth as Json), logs: [model, ...more] }
  })
  const oneByOne = scenarios.lacksMethod(/BlockReceipts/)
  for (const bloom of ['truth', `0x${'00'.repeat(256)}`, `0x${'ff'.repeat(256)}`]) {
    const header = changing(/getBlockBy/, (truth) =>
      bloom === 'truth' ? truth : { ...(truth as Json), logsBloom: bloom },
    )
    const { readUntilItCounts } = await sourceOf([scenarios.together(firstIsLarge, header, oneByOne)], {
      bytesMax: 50_000,
    })
    const { block: found } = await readUntilItCounts(both, [contract])
    expect(logsIn(found)).toHaveLength(5)
    expect(contentsOf(found).transactions?.map(({ receipt }) => receipt?.logsCount)).toEqual([
      2_001,
      ...Array(9).fill(1),
    ])
  }
})

test('the same over a web socket', async () => {
  const { read } = await sourceOf([floodOf(/getLogs|Receipt/, 300)], { bytesMax: 50_000, overSocket: true })
  expect(logsIn(await read(logs, [contract]))).toHaveLength(5)
  expect(logsIn(await read(both, [contract]))).toHaveLength(5)
})

test('if all logs of a large block can match, those that fit are kept, and the block says how many are left out', async () => {
  for (const method of [/getLogs/, /Receipt/]) {
    const { read } = await sourceOf([floodOf(method, 2_000)], { bytesMax: 50_000 })
    const found = await read(method.test('Receipt') ? both : logs)
    const kept = logsIn(found).length
    expect(kept).toBeGreaterThan(100)
    expect(found).toMatchObject({
      checked: 'none',
      doubt: expect.stringContaining(`${2_010 - kept} logs of block ${block} were left out`),
    })
    expect(found?.bytes).toBeLessThan(300_000)
  }
})

test('transactions beyond the limit are read up to a larger one, and above that they do not stop the logs', async () => {
  const padded = (bytes: number) =>
    changing(/getBlockBy/, (truth) => {
      const transactions = (truth.transactions as unknown[]).map((each) =>
        typeof each === 'string' ? each : { ...(each as Json), input: `0x${'00'.repeat(bytes)}` },
      )
      return { ...truth, transactions }
    })
  const large = await sourceOf([padded(5_000)], { bytesMax: 50_000 })
  expect(contentsOf(await large.read(both)).transactions).toHaveLength(10)
  const larger = await sourceOf([padded(50_000)], { bytesMax: 50_000 })
  const found = await larger.read(both)
  expect(logsIn(found)).toHaveLength(10)
  expect(found?.unreadable).toMatchObject([{ part: 'transactions', reason: expect.stringContaining('more than') }])
})

test('a block that takes longer than the time limit gets a longer one', async () => {
  const slow: Scenario = {
    async change({ method }) {
      if (method === 'eth_getLogs') await new Promise((resolve) => setTimeout(resolve, 700))
      return undefined
    },
  }
  const { read } = await sourceOf([slow], { timeoutMs: 400 })
  for (let attempt = 0; attempt < 2; attempt += 1) await expect(read(logs)).rejects.toMatchObject({ kind: 'timeout' })
  expect(logsIn(await read(logs))).toHaveLength(10)
})

test('receipts that a list leaves out are read one by one', async () => {
  for (const change of [(list: unknown[]) => list.slice(0, -1), () => []]) {
    const { read } = await sourceOf([changing(/getBlockReceipts/, (truth) => change(truth as unknown as unknown[]))])
    const found = await read(both)
    expect(contentsOf(found).transactions?.every(({ receipt }) => receipt !== null)).toBe(true)
    expect(found?.checked).toBe('receipts')
  }
})

test('what fails for transactions stops the logs for at most 25 s, and then for no block, until it is over', async () => {
  const { nodes, readUntilItCounts } = await sourceOf([
    { refuse: ({ method }) => (/Receipt/.test(method) ? { result: null } : undefined) },
  ])
  const { seconds, block: read } = await readUntilItCounts(both)
  expect(seconds).toBe(25)
  expect(logsIn(read)).toHaveLength(10)
  expect(read?.unreadable).toMatchObject([{ part: 'transactions', reason: expect.stringContaining('receipts') }])
  expect((await readUntilItCounts(both)).seconds).toBe(0)
  nodes[0]?.turn()
  const after = await readUntilItCounts(both)
  expect(after.seconds).toBe(0)
  expect(after.block?.unreadable).toBe(undefined)
})

test("blocks that are read at the same time do not take each other's waiting time", () => {
  let at = 0
  const patience = new PartPatience(() => at)
  for (; at < 25_000; at += 1_000) expect([patience.isOverFor(7), patience.isOverFor(8)]).toEqual([false, false])
  expect([patience.isOverFor(7), patience.isOverFor(8)]).toEqual([true, true])
  patience.lose()
  expect(patience.isOverFor(9)).toBe(true)
  patience.succeeded()
  expect(patience.isOverFor(10)).toBe(false)
})

test('a block over its gas limit has transactions without receipts, and is read at once', async () => {
  const over = changing(/getBlockBy/, (truth) => ({
    ...truth,
    gasUsed: '0xfffffff',
    receiptsRoot: `0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421`,
  }))
  const lost = String(
    ((await node.request('eth_getBlockByNumber', [`0x${block.toString(16)}`, false])) as { transactions: string[] })
      .transactions[0],
  )
  const withoutOne: Scenario = {
    change({ method, params }, truth) {
      if (method === 'eth_getBlockReceipts')
        return { result: (truth as Json[]).filter((each) => each.transactionHash !== lost) }
      if (method === 'eth_getTransactionReceipt' && params[0] === lost) return { result: null }
      return undefined
    },
  }
  const { read } = await sourceOf([scenarios.together(over, withoutOne, scenarios.nullBloom())])
  const found = await read(both)
  expect(contentsOf(found).transactions).toHaveLength(10)
  expect(contentsOf(found).transactions?.[0]).toMatchObject({ hash: lost, status: null, receipt: null })
  expect(found?.checked).toBe('none')
})

test.each<[string, Json, Json]>([
  ['without a nonce', { nonce: undefined }, { nonce: null }],
  ['with a null nonce', { nonce: null }, { nonce: null }],
  ['with an empty recipient', { to: '' }, { to: null }],
  ['without input and value', { input: undefined, data: undefined, value: undefined }, { input: '0x', value: '0' }],
  ['without gas', { gas: null }, { gasLimit: null }],
  ['of a type that no standard names', { type: '0x76' }, { type: 118 }],
])('a transaction %s is matched with what it has, and the others of its block are too', async (_, change, expected) => {
  const { read } = await sourceOf([scenarios.oddTransactions(change)])
  const { transactions } = contentsOf(await read(both))
  expect(transactions).toHaveLength(10)
  expect(transactions?.[0]).toMatchObject({ ...expected, status: 1 })
})

test('a transaction without a sender is left out, with a line in the log, and the others are matched', async () => {
  const { read, notices } = await sourceOf([scenarios.oddTransactions({ from: null })])
  const found = await read(both)
  expect(contentsOf(found).transactions?.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  await read(both)
  expect(notices.map(({ code }) => code)).toEqual(['transactions_unreadable'])
})

test.each([true, false])(
  'of two receipts of one transaction the one with its index counts (first: %s)',
  async (isFirst) => {
    const twice = changing(/getBlockReceipts/, (truth) => {
      const list = truth as unknown as Json[]
      const other = { ...list[3], transactionIndex: '0x1c', status: '0x0' }
      return isFirst ? [other, ...list] : [...list, other]
    })
    const { read } = await sourceOf([scenarios.together(twice, noRoot)])
    expect(contentsOf(await read(['transactions'])).transactions?.[3]).toMatchObject({ index: 3, status: 1 })
  },
)
