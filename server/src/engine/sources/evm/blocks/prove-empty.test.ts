import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectedEvm } from '../../../../../../tests/nodes/connected-evm.ts'
import type { EvmNode } from '../../../../../../tests/nodes/evm.ts'
import { misbehavingNode, type Scenario } from '../../../../../../tests/nodes/misbehaving-node.ts'
import { scenarios } from '../../../../../../tests/nodes/scenarios.ts'
import type { ChainBlock } from '../../block.ts'
import type { EndpointNotice } from '../../endpoint-report.ts'
import { evm } from '../index.ts'
import { openRpc } from '../rpc.ts'
import { makeBlockReader } from './block-reader.ts'
import { fetchBlock } from './fetch-block.ts'

/** Blocks with and without logs, read through addresses with several nodes behind them, on a chain whose blooms say nothing. */
const { options, start, close } = await connectedEvm()
const word = (hex: string) => `0x${hex.padStart(64, '0')}`
const opened: { close(): Promise<void> }[] = []
let node: EvmNode
let withLogs: number[]
/** Blocks with a transaction and without logs. */
let plain: number[]
/** A block without transactions. */
let empty: number
let now = 0

beforeAll(async () => {
  node = await start({ blockReceipts: true })
  const head = async () => Number(await node.request('eth_blockNumber'))
  withLogs = []
  plain = []
  for (let round = 0; round < 12; round += 1) {
    await node.emit([word('1')], word(String(round)))
    withLogs.push(await head())
    await node.send({ to: `0x${'dd'.repeat(20)}`, value: '0x1' })
    plain.push(await head())
  }
  await node.request('evm_mine')
  empty = await head()
})
afterAll(async () => {
  for (const each of opened) await each.close()
  await close()
})

const isAboutLogs = /getLogs|Receipt/

async function sourceOf(...all: Scenario[]) {
  const nodes = await Promise.all(all.map((scenario) => misbehavingNode(node, scenario)))
  const notices: EndpointNotice[] = []
  const urls = nodes.map(({ url }) => url)
  const rpc = openRpc(urls, { ...options, onNotice: (notice) => void notices.push(notice) })
  opened.unshift(rpc, ...nodes)
  const reader = makeBlockReader(rpc, urls, {}, () => now)
  const calls = () => nodes.flatMap(({ calls }) => calls.filter((method) => isAboutLogs.test(method)))
  const read = (number: number, parts: ('logs' | 'transactions')[] = ['logs'], addresses?: string[]) =>
    fetchBlock(reader, number, parts, { addresses })
  /** Reads the block again until it can be read, like the follower. */
  const readAgain = async (number: number) => {
    for (let attempt = 0; ; attempt += 1)
      try {
        return await read(number)
      } catch (error) {
        if (attempt === 20) throw error
        now += 50
      }
  }
  return { nodes, notices, calls, read, readAgain }
}

const keysIn = (block: ChainBlock | undefined) =>
  [...evm.items.list(block!, [])].flatMap(({ type, key }) => (type === 'evm_log' ? key : []))

const blooms: [string, Scenario][] = [
  ['zeros', scenarios.bloom(`0x${'00'.repeat(256)}`)],
  ['null', scenarios.nullBloom()],
  ['all ones', scenarios.fullBloom()],
  ['another size', scenarios.bloom('0x00')],
]

test.each(
  blooms.flatMap(([bloom, scenario]) =>
    (['hash', 'range'] as const).flatMap((form) =>
      [1, 2].map((endpoints) => [bloom, form, endpoints, scenario] as const),
    ),
  ),
)(
  'no log is lost where nodes behind one address lag and the bloom is %s (by %s, %i endpoints)',
  async (_, form, endpoints, bloom) => {
    const lagging = scenarios.together(
      scenarios.behindBalancer([true, true, false, true]),
      bloom,
      ...(form === 'range' ? [scenarios.refusesBlockHash()] : []),
    )
    const { readAgain } = await sourceOf(lagging, ...(endpoints === 2 ? [bloom] : []))
    for (const number of withLogs) expect(keysIn(await readAgain(number)), `block ${number}`).toHaveLength(1)
    for (const number of plain) expect(keysIn(await readAgain(number)), `block ${number}`).toEqual([])
  },
)

test('where single receipts are all that an address serves, its empty lists are proven by them', async () => {
  const lagging = scenarios.together(
    scenarios.behindBalancer([true, false, true]),
    scenarios.nullBloom(),
    scenarios.lacksMethod(/BlockReceipts/),
  )
  const { readAgain } = await sourceOf(lagging)
  for (const number of withLogs) expect(keysIn(await readAgain(number))).toHaveLength(1)
})

test('where nothing proves an empty list, it counts once a block stands on it and two requests gave it for 5 s', async () => {
  const { read } = await sourceOf(scenarios.together(scenarios.nullBloom(), scenarios.lacksMethod(/Receipt/)))
  const [first, second] = plain
  await expect(read(first!)).rejects.toThrow('nothing shows that the block has none')
  now += 5_000
  // The node has not shown a later block yet.
  await expect(read(first!)).rejects.toThrow('nothing shows that the block has none')
  await expect(read(second!)).rejects.toThrow('nothing shows that the block has none')
  expect(await read(first!)).toMatchObject({ checked: 'none', doubt: expect.stringContaining('nothing shows') })
  now += 25_000
  expect(await read(second!)).toMatchObject({ checked: 'none' })
})

test('with true blooms a block costs as many calls as before; where they say nothing, only an empty list costs one more', async () => {
  const trusted = await sourceOf({})
  for (const number of [...withLogs, ...plain]) await trusted.read(number)
  const before = trusted.calls().length
  for (const number of [...withLogs, ...plain]) await trusted.read(number)
  expect(trusted.calls().slice(before)).toEqual(Array(24).fill('eth_getLogs'))
  const silent = await sourceOf(scenarios.nullBloom())
  await silent.read(withLogs[0]!)
  await silent.read(plain[0]!)
  expect(silent.calls()).toEqual(['eth_getLogs', 'eth_getLogs', 'eth_getBlockReceipts'])
})

test('each block says how it was checked', async () => {
  const { read } = await sourceOf({})
  const silent = await sourceOf(scenarios.together(scenarios.nullBloom(), scenarios.otherReceiptsRoots(null)))
  const [one] = withLogs
  expect((await read(one!))?.checked).toBe('bloom')
  expect((await read(one!, ['logs', 'transactions']))?.checked).toBe('receipts')
  expect((await silent.read(one!))?.checked).toBe('none')
})

/** The chain adds a log of its own to blocks that list no transaction. */
const unlistedLogs = (isAdded: (number: number) => boolean): Scenario => ({
  change({ method, params }, truth) {
    if (method !== 'eth_getLogs') return undefined
    const { blockHash } = params[0] as { blockHash: string }
    if (!isAdded(empty) || (truth as unknown[]).length > 0) return undefined
    const log = { address: `0x${'ee'.repeat(20)}`, topics: [word('9')], data: '0x', logIndex: '0x0' }
    const place = { blockHash, transactionHash: `0x${'00'.repeat(32)}`, transactionIndex: '0x0' }
    return { result: [{ ...log, ...place }] }
  },
})

test('a block without transactions is asked for logs until the chain has shown that such blocks have none', async () => {
  const { read } = await sourceOf(unlistedLogs(() => true))
  for (const parts of [['logs'], ['logs', 'transactions']] as const)
    expect(keysIn(await read(empty, [...parts]))).toHaveLength(1)
  const none = await sourceOf({})
  for (let round = 0; round < 16; round += 1) await none.read(empty)
  const before = none.calls().length
  await none.read(empty)
  expect(none.calls().length - before).toBe(empty % 16 === 0 ? 1 : 0)
})

test('a chain that leaves system logs out of its blooms loses none, wherever an empty list comes from', async () => {
  /** The bloom of every second block with logs lacks them, as if they were system logs. */
  const isSystem = (number: number) => withLogs.indexOf(number) % 2 === 1
  const leavesOut: Scenario = {
    change({ method }, truth) {
      const block = truth as { number: string } | null
      if (!/getBlockBy/.test(method) || !block || !isSystem(Number(block.number))) return undefined
      return { result: { ...block, logsBloom: `0x${'00'.repeat(256)}` } }
    },
  }
  const lagging = scenarios.together(scenarios.behindBalancer([true, false]), leavesOut)
  const { readAgain } = await sourceOf(lagging)
  for (const number of withLogs) expect(keysIn(await readAgain(number)), `block ${number}`).toHaveLength(1)
})
