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
import { namedInBloom } from './bloom.ts'
import { fetchBlock } from './fetch-block.ts'

/** One block with logs of two contracts, read through endpoints that give logs only by contract and leave some out. */
const { options, start, close } = await connectedEvm()
const word = (hex: string) => `0x${hex.padStart(64, '0')}`
const opened: { close(): Promise<void> }[] = []
let node: EvmNode
let addresses: [first: string, second: string]
let block: number
let now = 0

beforeAll(async () => {
  node = await start({ blockReceipts: true })
  const emitBoth = async () => {
    const first = await node.emit([word('1')], word('1'))
    const second = await node.emit([word('1'), word('2')], word('2'))
    addresses = [first.contract, second.contract]
  }
  await emitBoth()
  await node.request('evm_setAutomine', [false])
  await emitBoth()
  await emitBoth()
  await node.request('evm_mine')
  await node.request('evm_setAutomine', [true])
  block = Number(await node.request('eth_blockNumber'))
})
afterAll(async () => {
  for (const each of opened) await each.close()
  await close()
})

/** A source with these endpoints. `read` answers the keys of the block's logs. */
async function sourceOf(...all: Scenario[]) {
  const nodes = await Promise.all(all.map((scenario) => misbehavingNode(node, scenario)))
  const notices: EndpointNotice[] = []
  const urls = nodes.map(({ url }) => url)
  const rpc = openRpc(urls, { ...options, limitWaitMs: 60_000, onNotice: (notice) => void notices.push(notice) })
  opened.unshift(rpc, ...nodes)
  const reader = makeBlockReader(rpc, urls, {}, () => now)
  const blockOf = (number: number, addresses: readonly string[]) => fetchBlock(reader, number, ['logs'], { addresses })
  const read = async () => keysIn(await blockOf(block, addresses))
  const askedForLogs = (place: number) =>
    (nodes[place]?.calls ?? []).filter((method) => isAboutLogs.test(method)).length
  return { nodes, notices, read, blockOf, askedForLogs }
}

const isAboutLogs = /getLogs|Receipt/
const keysIn = (read: ChainBlock | undefined) =>
  [...evm.items.list(read!, [])].flatMap(({ type, key }) => (type === 'evm_log' ? key : [])).toSorted()
const honestKeys = async () => keysIn(await evm.connect([node.url], options).block(block, ['logs']))
const codes = (notices: readonly EndpointNotice[]) => notices.map(({ code }) => code)

const byContract = scenarios.needsAddress()
const leavesOut = scenarios.leavesOutByContract()
const noReceipts = scenarios.lacksMethod(/Receipt/)
/** Both scenarios refuse, and the first changes what is left. */
const also = (first: Scenario, second: Scenario): Scenario => ({
  ...first,
  refuse: (call) => first.refuse?.(call) ?? second.refuse?.(call),
})

test.each<[string, Scenario]>([
  ['logs by hash', {}],
  ['logs by number', scenarios.refusesBlockHash()],
  ['block receipts', scenarios.lacksMethod(/eth_getLogs/)],
  ['single receipts', scenarios.lacksMethod(/eth_getLogs|BlockReceipts/)],
])('an endpoint with %s is used instead of an earlier one that returns logs only by contract', async (_, other) => {
  const { read, askedForLogs, notices } = await sourceOf(leavesOut, other)
  expect(await read()).toEqual(await honestKeys())
  const learned = askedForLogs(0)
  for (let round = 0; round < 3; round += 1) expect(await read()).toEqual(await honestKeys())
  expect(askedForLogs(0)).toBe(learned)
  expect(new Set(codes(notices))).toEqual(new Set(['endpoint_log_request']))
})

test('an endpoint whose log request is not known yet is used before one that returns logs only by contract', async () => {
  const { read, nodes, askedForLogs } = await sourceOf(leavesOut, byContract, {})
  nodes[2]?.turn({ refuse: () => (response) => void response.writeHead(503).end() })
  await expect(read()).rejects.toMatchObject({ kind: 'bad_answer' })
  nodes[2]?.turn()
  const before = askedForLogs(0) + askedForLogs(1)
  expect(await read()).toEqual(await honestKeys())
  expect(askedForLogs(0) + askedForLogs(1)).toBe(before)
})

test('logs by contract are used after every other endpoint has failed for 8 s, and one log line says so', async () => {
  const { read, nodes, notices, askedForLogs } = await sourceOf(byContract, {})
  expect(await read()).toEqual(await honestKeys())
  nodes[1]?.turn({
    refuse: ({ method }) =>
      isAboutLogs.test(method) ? { error: { code: -32000, message: 'header not found' } } : undefined,
  })
  await expect(read()).rejects.toMatchObject({ kind: 'bad_answer', message: expect.stringContaining('not found') })
  now += 7000
  await expect(read()).rejects.toThrow('not found')
  now += 1000
  const told = () => notices.filter(({ code }) => code.startsWith('logs_'))
  expect(await read()).toEqual(await honestKeys())
  const tried = askedForLogs(1)
  now += 50_000
  expect(await read()).toEqual(await honestKeys())
  expect(askedForLogs(1)).toBe(tried)
  expect(told()).toMatchObject([
    { level: 'warn', code: 'logs_unchecked', host: nodes[0]?.host, message: expect.stringContaining('by contract') },
  ])
  nodes[1]?.turn()
  now += 10_000
  expect(await read()).toEqual(await honestKeys())
  expect(askedForLogs(1)).toBe(tried + 1)
  expect(codes(told())).toEqual(['logs_unchecked', 'logs_checked_again'])
})

test('a rate limit longer than 8 s is not waited for if another endpoint returns logs by contract', async () => {
  const { read, nodes } = await sourceOf(byContract, {})
  await read()
  nodes[1]?.turn({ refuse: () => (response) => void response.writeHead(429, { 'retry-after': '30' }).end() })
  await expect(read()).rejects.toMatchObject({ kind: 'bad_answer', message: expect.stringContaining('slow down') })
  now += 8000
  expect(await read()).toEqual(await honestKeys())
})

test('an endpoint that returned logs only by contract is retried after a minute, then with a doubled delay each time', async () => {
  const { read, nodes, askedForLogs } = await sourceOf(byContract, {})
  await read()
  const calls = async (minutes: number) => {
    now += minutes * 60_000
    const before = askedForLogs(0)
    await read()
    return askedForLogs(0) - before
  }
  expect([await calls(0.9), await calls(0.2), await calls(1.8), await calls(0.3)]).toEqual([0, 1, 0, 1])
  nodes[0]?.turn()
  now += 3_600_000
  const before = askedForLogs(1)
  expect(await read()).toEqual(await honestKeys())
  expect(await read()).toEqual(await honestKeys())
  expect(askedForLogs(1)).toBe(before)
})

/** The logs of the second contract are left out of the first answers that hold any. */
function forgets(answers: number): Scenario {
  let left = answers
  return {
    refuse: byContract.refuse!,
    change({ method }, truth) {
      if (method !== 'eth_getLogs' || left === 0) return undefined
      left -= 1
      return { result: (truth as { address: string }[]).filter(({ address }) => address !== addresses[1]) }
    },
  }
}

test('a contract in the bloom without a log in the answer is read again', async () => {
  const { read, nodes, notices } = await sourceOf(forgets(1))
  expect(await read()).toEqual(await honestKeys())
  expect(nodes[0]?.calls.filter((method) => isAboutLogs.test(method))).toEqual(Array(4).fill('eth_getLogs'))
  expect(codes(notices)).toEqual(['endpoint_incomplete', 'endpoint_log_request'])
  await read()
  expect(nodes[0]?.calls.filter((method) => isAboutLogs.test(method))).toHaveLength(5)
})

test.each<[string, Scenario]>([
  ['in one call', forgets(99)],
  ['one by one', also(forgets(99), scenarios.lacksMethod(/BlockReceipts/))],
])('a contract in the bloom that is omitted again is read from the receipts, %s', async (_, scenario) => {
  const { read, notices } = await sourceOf(scenario)
  expect(await read()).toEqual(await honestKeys())
  expect(codes(notices)).toContain('endpoint_incomplete')
})

test('a contract in the bloom is read from another endpoint if this one has no receipts', async () => {
  const { read } = await sourceOf(also(forgets(99), noReceipts), also(byContract, noReceipts))
  expect(await read()).toEqual(await honestKeys())
  const alone = await sourceOf(also(forgets(99), noReceipts))
  expect(await alone.read()).toHaveLength(2)
})

/** A block with so many different topics that its bloom names a contract that has no log in it. */
async function mineNamedByChance(): Promise<{ number: number; address: string }> {
  const topics = Array.from({ length: 80 }, (_, at) => word((1000 + at).toString(16)))
  await node.request('evm_setAutomine', [false])
  for (let at = 0; at < topics.length; at += 4) await node.emit(topics.slice(at, at + 4), word('1'))
  await node.request('evm_mine')
  await node.request('evm_setAutomine', [true])
  const { number, logsBloom } = (await node.request('eth_getBlockByNumber', ['latest', false])) as Record<
    string,
    string
  >
  for (let at = 1; ; at += 1) {
    const address = `0x${at.toString(16).padStart(40, '0')}`
    if (namedInBloom(logsBloom, [address]).named.length > 0) return { number: Number(number), address }
  }
}

test('a false positive of the bloom costs a few calls, and the logs are read', async () => {
  const { contract } = await node.emit([word('1'), word('2'), word('3'), word('4')], word('1'))
  const { number, address } = await mineNamedByChance()
  for (const scenario of [byContract, also(byContract, noReceipts)]) {
    const { blockOf, notices } = await sourceOf(scenario)
    expect(keysIn(await blockOf(number, [contract, address]))).toHaveLength(20)
    expect(codes(notices)).toEqual(['endpoint_log_request'])
  }
})

test('a bloom that contains nearly every contract causes no further calls', async () => {
  const { read, nodes } = await sourceOf({
    refuse: byContract.refuse!,
    async change({ method }, truth) {
      if (method === 'eth_getLogs') return forgets(1).change?.({ id: 0, method, params: [] }, truth, async () => null)
      const logsBloom = `0x00${'ff'.repeat(255)}`
      return method === 'eth_getBlockByNumber' ? { result: { ...(truth as object), logsBloom } } : undefined
    },
  })
  expect(await read()).toHaveLength(2)
  expect(nodes[0]?.calls.filter((method) => isAboutLogs.test(method))).toHaveLength(3)
})
