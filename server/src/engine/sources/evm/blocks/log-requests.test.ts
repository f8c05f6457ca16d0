import { afterAll, beforeAll, expect, test } from 'vitest'
import { itemsIn } from '../../../../../../tests/harness/items-in.ts'
import { connectedEvm, logSpec } from '../../../../../../tests/nodes/connected-evm.ts'
import type { EvmNode } from '../../../../../../tests/nodes/evm.ts'
import { misbehavingNode, type Scenario } from '../../../../../../tests/nodes/misbehaving-node.ts'
import { scenarios } from '../../../../../../tests/nodes/scenarios.ts'
import type { ChainBlock } from '../../block.ts'
import type { EndpointNotice } from '../../endpoint-report.ts'
import { RpcError } from '../../rpc-pool/index.ts'
import { evm } from '../index.ts'
import { EndpointMemory, logRequests } from './log-requests.ts'

/** One block with eight logs in four transactions, read through nodes that refuse or distort what leads to them. */
const { options, start, close } = await connectedEvm()
const word = (hex: string) => `0x${hex.padStart(64, '0')}`
const opened: { close(): Promise<void> }[] = []
let node: EvmNode
let contract: string
let block: number

beforeAll(async () => {
  node = await start({ blockReceipts: true })
  await mineLogs(1)
  block = await mineLogs(8)
})
afterAll(async () => {
  for (const each of opened) await each.close()
  await close()
})

async function mineLogs(count: number): Promise<number> {
  contract = (await node.emit([word('1')], word('0'))).contract
  await node.request('evm_setAutomine', [false])
  for (let at = 0; at < count; at += 1) await node.emit([word('1')], word(String(at)))
  await node.request('evm_mine')
  await node.request('evm_setAutomine', [true])
  return Number(await node.request('eth_blockNumber'))
}

async function through(scenario: Scenario, also: { endpoints?: string[]; verify?: 'bloom' | 'receipts' } = {}) {
  const bad = await misbehavingNode(node, scenario)
  const notices: EndpointNotice[] = []
  const { endpoints = [], verify } = also
  const onNotice = (notice: EndpointNotice) => void notices.push(notice)
  const connection = evm.connect([bad.url, ...endpoints], { ...options, onNotice, ...(verify && { verify }) })
  opened.unshift(connection, bad)
  return { ...bad, connection, notices }
}

/** Several scenarios at once: the first that refuses a call does. */
const together = (...all: Scenario[]): Scenario => ({
  refuse: (call) => all.map((each) => each.refuse?.(call)).find((fault) => fault !== undefined),
})
const keysIn = (read: ChainBlock | undefined) =>
  [...evm.items.list(read!, [])].flatMap(({ type, key }) => (type === 'evm_log' ? key : []))
const honestKeys = async () => keysIn(await evm.connect([node.url], options).block(block, ['logs']))

const noHash = scenarios.refusesBlockHash()
const noLogs = scenarios.lacksMethod(/eth_getLogs/)
const noReceipts = scenarios.lacksMethod(/eth_getBlockReceipts/)
const nothingAtAll = scenarios.lacksMethod(/eth_getLogs|Receipt/)

const logs = 'eth_getLogs'
const each = Array(8).fill('eth_getTransactionReceipt')

/** What is refused at first, and what is then called for every block. */
test.each<[string, Scenario, { request: string; refused: string[]; called: string[] }]>([
  ['logs by hash', {}, { request: 'eth_getLogs by block hash', refused: [], called: [logs] }],
  ['logs by number', noHash, { request: 'eth_getLogs by block number', refused: [logs], called: [logs] }],
  [
    'logs of contracts',
    scenarios.needsAddress(),
    { request: 'eth_getLogs by block number and contracts', refused: [logs, logs], called: [logs] },
  ],
  [
    'receipts',
    noLogs,
    { request: 'eth_getBlockReceipts', refused: [logs, logs, logs], called: ['eth_getBlockReceipts'] },
  ],
  [
    'receipts one by one',
    together(noLogs, noReceipts),
    {
      request: 'eth_getTransactionReceipt for each transaction',
      refused: [logs, logs, logs, 'eth_getBlockReceipts'],
      called: each,
    },
  ],
])(
  'an endpoint that serves %s is read with that request, and refused requests are not repeated',
  async (_, scenario, expected) => {
    const { request, refused, called } = expected
    const { connection, calls, notices } = await through(scenario)
    const read = async () => keysIn(await connection.block(block, ['logs'], { addresses: [contract] }))
    expect(await read()).toEqual(await honestKeys())
    expect(await read()).toEqual(await honestKeys())
    const header = 'eth_getBlockByNumber'
    expect(calls).toEqual([header, ...refused, ...called, header, ...called])
    expect(notices.map(({ code }) => code)).toEqual(['endpoint_log_request'])
    expect(notices[0]?.message).toContain(`returns logs by ${request} (`)
  },
)

/** It tells the header of a block at first, and then that it has none or another. */
function behind(block: unknown): Scenario {
  let headers = 0
  return {
    refuse({ method, params }) {
      if (method === 'eth_getLogs') return noHash.refuse?.({ id: 0, method, params }) ?? { result: [] }
      headers += method === 'eth_getBlockByNumber' ? 1 : 0
      return headers > 1 ? { result: block } : undefined
    },
  }
}

test('an empty answer for a range is not accepted from an endpoint that does not have the block', async () => {
  const other = await node.request('eth_getBlockByNumber', ['0x1', false])
  for (const answer of [null, other]) {
    const read = async (...endpoints: string[]) => {
      const { connection } = await through(behind(answer), { endpoints })
      return keysIn(await connection.block(block, ['logs'], { addresses: [contract] }))
    }
    expect(await read(node.url)).toEqual(await honestKeys())
    await expect(read()).rejects.toThrow(`does not have block ${block}`)
  }
})

test('if a trigger names no contract, an endpoint that requires one is read through receipts', async () => {
  const { connection, calls } = await through(scenarios.needsAddress())
  expect(keysIn(await connection.block(block, ['logs']))).toEqual(await honestKeys())
  expect(calls.at(-1)).toBe('eth_getBlockReceipts')
})

test('an answer that is too large affects the log request of that block only', async () => {
  const { connection, calls } = await through(scenarios.limitsResults())
  await connection.block(block, ['logs'])
  await connection.block(block, ['logs'])
  expect(calls.filter((method) => method === 'eth_getLogs')).toHaveLength(4)
})

test('an endpoint without any log request is replaced by one that has one; alone, it fails with its own message', async () => {
  const { connection } = await through(nothingAtAll, { endpoints: [node.url] })
  expect(keysIn(await connection.block(block, ['logs']))).toEqual(await honestKeys())
  const alone = await through(nothingAtAll)
  await expect(alone.connection.block(block, ['logs'])).rejects.toThrow(/does not exist or is not available/)
})

test('a source that only needs transactions requests no logs', async () => {
  const { connection, calls } = await through({})
  const read = await connection.block(block, ['transactions'])
  expect(await itemsIn(evm, { type: 'evm_transaction', dataSource: 'x' }, read!)).toHaveLength(8)
  expect(calls).toEqual(['eth_getBlockByNumber', 'eth_getBlockReceipts'])
})

test('a new block costs two calls: the head, which is the block, and its logs', async () => {
  const { connection, calls } = await through({})
  const head = await connection.head()
  expect(keysIn(await connection.block(head.number, ['logs']))).toEqual(await honestKeys())
  expect(calls).toEqual(['eth_getBlockByNumber', 'eth_getLogs'])
})

test('verification reports which request reads logs, its cost, and the errors of the other requests', async () => {
  const verified = async (scenario: Scenario) =>
    (await evm.verify([(await through(scenario)).url], options)).endpoints[0]
  expect(await verified(scenarios.needsAddress())).toMatchObject({
    ok: true,
    capabilities: ['eth_getLogs', 'eth_getBlockReceipts', 'logs:address', expect.stringMatching(/^history:/)],
    notes: [
      {
        level: 'info',
        message: expect.stringMatching(
          /by eth_getLogs by block number and contracts \(one call per block\) while every trigger names its contract, else by eth_getBlockReceipts .* only in part\. .*Please specify an address/,
        ),
      },
    ],
  })
  expect(await verified(together(noLogs, noReceipts))).toMatchObject({
    ok: true,
    capabilities: ['logs:receipt', expect.stringMatching(/^history:/)],
    notes: [{ level: 'info', message: expect.stringContaining('one call per transaction') }],
  })
  expect(await verified(nothingAtAll)).toMatchObject({
    ok: true,
    notes: [{ level: 'warn', message: expect.stringContaining('the method does not exist or is not available') }],
  })
})

test.each([
  ['all ones', scenarios.fullBloom()],
  ['null', scenarios.nullBloom()],
])('a bloom of %s is not used, and the logs are read', async (_, scenario) => {
  const { connection } = await through(scenario)
  expect(keysIn(await connection.block(block, ['logs']))).toEqual(await honestKeys())
})

test('logs numbered per transaction are all found, with the ids that a node with block numbering gives', async () => {
  const { connection } = await through(scenarios.logNumbersPerTransaction())
  const read = await connection.block(block, ['logs'])
  expect(keysIn(read)).toEqual(await honestKeys())
  const items = await itemsIn(evm, logSpec({}), read!)
  expect(items.map(({ index }) => index)).toEqual(Array(8).fill(0))
})

/** The blooms of all logs are alike, so only numbers and roots tell. */
const withoutLog = (methods: RegExp, at: number): Scenario => ({
  change({ method }, truth) {
    if (!methods.test(method) || truth === null) return undefined
    const cut = (logs: { logIndex: string }[]) => logs.filter(({ logIndex }) => Number(logIndex) !== at)
    const list = truth as { logIndex: string; logs?: { logIndex: string }[] }[]
    return {
      result: list.some((each) => each.logs)
        ? list.map((each) => ({ ...each, logs: cut(each.logs ?? []) }))
        : cut(list),
    }
  },
})

test.each([0, 3])('log %i that eth_getLogs omits is found in the receipts', async (at) => {
  const { connection, notices } = await through(withoutLog(/getLogs/, at))
  expect(keysIn(await connection.block(block, ['logs']))).toEqual(await honestKeys())
  expect(notices).toContainEqual(expect.objectContaining({ code: 'endpoint_incomplete', level: 'warn' }))
})

test.each([0, 3])('log %i that a node omits in every answer is read from another endpoint, every time', async (at) => {
  const liar = withoutLog(/getLogs|getBlockReceipts/, at)
  const { connection } = await through(liar, { endpoints: [node.url] })
  for (let round = 0; round < 4; round += 1)
    expect(keysIn(await connection.block(block, ['logs']))).toEqual(await honestKeys())
  const alone = await through(liar)
  for (let round = 0; round < 4; round += 1)
    await expect(alone.connection.block(block, ['logs'])).rejects.toThrow('some are missing or repeated')
})

test('a chain that numbers logs from another first index, or with gaps, is followed', async () => {
  const renumbered = (change: (index: number) => number): Scenario => ({
    change({ method }, truth) {
      if (!/getLogs|getBlockReceipts/.test(method)) return undefined
      const renumber = (log: { logIndex: string }) => ({
        ...log,
        logIndex: `0x${change(Number(log.logIndex)).toString(16)}`,
      })
      const list = truth as { logIndex: string; logs?: { logIndex: string }[] }[]
      return { result: list.map((each) => (each.logs ? { ...each, logs: each.logs.map(renumber) } : renumber(each))) }
    },
  })
  for (const change of [(index: number) => index + 1, (index: number) => 2 * index]) {
    const { connection } = await through(renumbered(change))
    const read = await connection.block(block, ['logs'])
    expect(keysIn(read)).toEqual(Array.from({ length: 8 }, (_, at) => `${read!.hash}:${change(at)}`))
  }
})

test('receipts roots that follow other rules are no longer checked once that is certain, and one log line says so', async () => {
  const { connection, notices } = await through(scenarios.otherReceiptsRoots())
  const read = () => connection.block(block, ['transactions'])
  for (let round = 0; round < 2; round += 1) await expect(read()).rejects.toThrow('receipts root')
  for (let round = 0; round < 2; round += 1) expect((await read())?.number).toBe(block)
  expect(notices.map(({ code }) => code)).toEqual(['receipts_root_unknown'])
})

test('if a source requires proofs, every block is read through receipts, and a block without proof is refused', async () => {
  const { connection, calls } = await through({}, { verify: 'receipts' })
  expect(keysIn(await connection.block(block, ['logs']))).toEqual(await honestKeys())
  expect(calls).toEqual(['eth_getBlockByNumber', 'eth_getBlockReceipts'])
  const other = await through(scenarios.otherReceiptsRoots(), { verify: 'receipts' })
  for (let round = 0; round < 4; round += 1)
    await expect(other.connection.block(block, ['logs'])).rejects.toThrow('do not make up the receipts root')
})

test('one block in 64 is compared with its receipts: proven receipts win, and a wrong root is reported', async () => {
  const { number } = await evm.connect([node.url], options).head()
  await node.request('hardhat_mine', [`0x${(64 - ((number + 2) % 64)).toString(16)}`])
  const sample = await mineLogs(2)
  expect(sample % 64).toBe(0)
  const twoOf = async (read: Promise<ChainBlock | undefined>) => keysIn(await read).length
  const { connection, notices } = await through(withoutLog(/getLogs/, 1))
  expect(await twoOf(connection.block(sample, ['logs']))).toBe(2)
  expect(notices.map(({ code }) => code)).toEqual(['endpoint_log_request', 'endpoint_incomplete'])
  const other = await through(scenarios.otherReceiptsRoots())
  expect(await twoOf(other.connection.block(sample, ['logs']))).toBe(2)
  expect(other.notices.map(({ code }) => code)).toEqual(['endpoint_log_request', 'sample_failed'])
})

test('logs are read although no node can read the transactions, if the caller allows it', async () => {
  const { connection } = await through(scenarios.unknownTransactionTypes())
  const parts = ['logs', 'transactions'] as const
  const read = await connection.block(block, parts, { mayLack: true })
  expect(keysIn(read)).toEqual(await honestKeys())
  expect(read?.unreadable).toEqual([
    {
      part: 'transactions',
      reason: expect.stringContaining('no valid from'),
      specTypes: ['evm_transaction', 'evm_call'],
    },
  ])
  await expect(connection.block(block, parts)).rejects.toThrow('no valid from')
  const beside = await through(scenarios.unknownTransactionTypes(), { endpoints: [node.url] })
  expect((await beside.connection.block(block, parts, { mayLack: true }))?.unreadable).toBe(undefined)
})

test('a clear refusal is remembered for an hour, another error for a minute, a size error not at all', () => {
  let now = 0
  const memory = new EndpointMemory(() => now)
  memory.refuse('hash', new RpcError(-32602, 'h answered: blockHash is not supported'))
  memory.refuse('range', new RpcError(-32000, 'h answered: something went wrong'))
  memory.refuse('address', new RpcError(-32005, 'h answered: query returned more than 10000 results'))
  const openAt = (minutes: number) => {
    now = minutes * 60_000
    return memory.open(logRequests)
  }
  expect(openAt(0)).toEqual(['address', 'receipts', 'receipt'])
  expect(openAt(2)).toEqual(['range', 'address', 'receipts', 'receipt'])
  expect(openAt(61)).toEqual(logRequests)
  for (const request of logRequests)
    memory.refuse(request, new RpcError(-32601, 'h answered: the method does not exist'))
  expect(memory.open(logRequests)).toEqual(logRequests)
})
