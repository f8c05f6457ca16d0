import { keccak256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { query, until } from './harness/following.ts'
import {
  checkedClient,
  customSource,
  type Harness,
  harness,
  type Person,
  project,
  rejects,
  subscription,
  trigger,
} from './harness/index.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'
import { emitter } from './nodes/evm-contracts.ts'
import { faultyEndpoint } from './nodes/faulty-endpoint.ts'

/** Triggers on the contracts that a factory creates, on a real node: live, after a reorg and a restart, and in try-outs. */
let house: Harness
let ann: Person
let node: EvmNode
/** The contract of the factory. */
let factory: string

const pairAbi = 'event PairCreated(address indexed token, address pair)'
const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const hashOf = (signature: string) => keccak256(Buffer.from(signature))
const word = (hex: string) => hex.replace('0x', '').padStart(64, '0')

beforeAll(async () => {
  house = await harness({ ROLE: 'all', ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  node = await startEvmNode()
  factory = await node.deploy(emitter(2))
  await ann.saveCustomSource({ fullname: 'acme.evm', body: customSource('acme.evm', { endpoints: [node.url] }) })
  await level()
})
afterAll(async () => {
  await house.close()
  await node.close()
})

const headOf = async () => Number(await node.request('eth_blockNumber', []))

/** Waits until the service has processed the node's latest block. */
async function level(): Promise<void> {
  const head = await headOf()
  await until(
    () => ann.getCustomSource({ fullname: 'acme.evm' }),
    ({ runtime }) => runtime?.processedBlock === head,
  )
}

const makePair = () => node.deploy(emitter(3))
/** The factory says that it created the pair. */
const announce = (pair: string) =>
  node.send({ to: factory, data: `${hashOf('PairCreated(address,address)')}${word('aa')}${word(pair)}` })
const swap = (pair: string, value: number) =>
  node.send({
    to: pair,
    data: `${hashOf('Transfer(address,address,uint256)')}${word('1')}${word('2')}${word(value.toString(16))}`,
  })

async function inOneBlock(work: () => Promise<unknown>): Promise<void> {
  await node.request('evm_setAutomine', [false])
  await work()
  await node.request('evm_mine')
  await node.request('evm_setAutomine', [true])
}

/** Blocks of `hardhat_mine` do not name their parents. */
async function mine(blocks: number): Promise<void> {
  for (let mined = 0; mined < blocks; mined++) await node.request('evm_mine')
}

const contract = (extra: object = {}) => ({
  factory: { contract: factory, event: 'PairCreated', abiFragment: pairAbi, parameter: 'pair', ...extra },
})
const specOf = (extra: object = {}) =>
  ({ type: 'evm_log', dataSource: 'acme.evm', abiFragment, contract: contract(extra) }) as const
const transform = '({ pair: source.address, value: source.params.value })'
const save = (name: string, extra: object = {}) =>
  ann.saveTrigger({
    fullname: `acme.p.${name}`,
    body: trigger(`acme.p.${name}`, { triggerSpec: specOf(), transform, ...extra }),
  })
const subscribe = (name: string) => ann.createSubscription({ body: subscription(`acme.p.${name}`) })

async function listen(name: string, extra: object = {}) {
  await save(name, extra)
  await subscribe(name)
}

/** The raw outputs of the trigger's alerts that were not retracted, by value, once there are enough. */
async function rawsOf(name: string, least: number): Promise<{ pair: string; value: string }[]> {
  const listed = await until(
    async () =>
      (await ann.listAlerts({ query: { trigger: `acme.p.${name}` } })).filter(({ status }) => status !== 'retracted'),
    (alerts) => alerts.length >= least,
  )
  const whole = await Promise.all(listed.map(({ id }) => ann.getAlert({ id })))
  const raws = whole.map(({ output }) => output.raw as { pair: string; value: string })
  return raws.toSorted((a, b) => Number(a.value) - Number(b.value))
}
const membersOf = async (name: string) => {
  const { id } = await ann.getTrigger({ fullname: `acme.p.${name}` })
  const rows = await query<{ address: string }>(house, 'select address from factory_members where trigger_id = $1', [
    id,
  ])
  return rows.map(({ address }) => address)
}

test('a contract is watched from the block that creates it, whichever log comes first, and no other contract is', async () => {
  await listen('one-block')
  const [pair, other] = [await makePair(), await makePair()]
  await inOneBlock(async () => {
    await swap(pair, 1)
    await announce(pair)
    await swap(other, 2)
    await swap(pair, 3)
  })
  await swap(other, 4)
  await swap(pair, 5)
  expect(await rawsOf('one-block', 3)).toEqual([1, 3, 5].map((value) => ({ pair, value: String(value) })))
  expect(await membersOf('one-block')).toEqual([pair])
  await house.restart()
  Object.assign(ann, checkedClient(house.url, ann.token))
  await swap(other, 6)
  await swap(pair, 7)
  expect(await rawsOf('one-block', 4)).toMatchObject([{}, {}, {}, { pair, value: '7' }])
})

test('a contract is forgotten with the block that created it', async () => {
  await listen('reorg')
  const [pair, later] = [await makePair(), await makePair()]
  await level()
  const snapshot = await node.request('evm_snapshot')
  await announce(pair)
  await swap(pair, 1)
  expect(await rawsOf('reorg', 1)).toEqual([{ pair, value: '1' }])
  await node.request('evm_revert', [snapshot])
  await swap(pair, 2)
  await announce(later)
  await swap(pair, 3)
  await swap(later, 4)
  await until(
    () => rawsOf('reorg', 1),
    ([raw]) => raw?.value === '4',
  )
  expect(await rawsOf('reorg', 1)).toEqual([{ pair: later, value: '4' }])
  const members = await membersOf('reorg')
  expect(members).toContain(later)
  expect(members).not.toContain(pair)
})

const ready = { status: 'ready', source: 'test' } as const
const statusOf = async (name: string) => (await ann.getTrigger({ fullname: `acme.p.${name}` })).status

test('contracts count from fromBlock on, by default all that the factory created, also before anybody subscribes', async () => {
  const [before, between, after] = [await makePair(), await makePair(), await makePair()]
  await announce(before)
  const fromBlock = await headOf()
  await level()
  await node.request('evm_mine')
  await level()
  await save('by-default')
  await save('from-block', { triggerSpec: specOf({ fromBlock }) })
  await announce(between)
  await level()
  await subscribe('by-default')
  await subscribe('from-block')
  await announce(after)
  for (const [at, pair] of [before, between, after].entries()) await swap(pair, at + 1)
  expect(await rawsOf('from-block', 3)).toEqual(
    [before, between, after].map((pair, at) => ({ pair, value: `${at + 1}` })),
  )
  expect(await rawsOf('by-default', 3)).toEqual(await rawsOf('from-block', 3))
})

test('a trigger says that it learns until it knows the contracts of long ago, also if nobody subscribes', async () => {
  const pair = await makePair()
  await announce(pair)
  const fromBlock = await headOf()
  await mine(300)
  await level()
  const learning = { status: 'learning', reasonCode: 'trigger.learning', source: 'dependency' }
  // The node tells the logs of long ago when the test has seen that the trigger learns.
  const gate = Promise.withResolvers<void>()
  const slow = await faultyEndpoint(node.url, async ({ method, params: [filter] }) => {
    if (method === 'eth_getLogs' && Object.hasOwn(filter ?? {}, 'fromBlock')) await gate.promise
    return undefined
  })
  await ann.saveCustomSource({ fullname: 'acme.slow', body: customSource('acme.slow', { endpoints: [slow.url] }) })
  const triggerSpec = { ...specOf({ fromBlock }), dataSource: 'acme.slow' }
  const saved = await save('long-ago', { triggerSpec })
  expect(saved.status).toMatchObject({ ...learning, issue: expect.stringContaining('are being read') })
  // Its test may pass, but it still misses the events of contracts that it does not know.
  expect((await save('long-ago', { triggerSpec, status: ready })).status).toMatchObject(learning)
  gate.resolve()
  await until(
    () => statusOf('long-ago'),
    ({ status }) => status === 'not_tested',
  )
  expect(await membersOf('long-ago')).toEqual([pair])
  await subscribe('long-ago')
  await swap(pair, 1)
  expect(await rawsOf('long-ago', 1)).toEqual([{ pair, value: '1' }])
  await ann.deleteTrigger({ fullname: 'acme.p.long-ago' })
  await ann.deleteCustomSource({ fullname: 'acme.slow' })
  await slow.close()
})

test('what was created while nobody subscribed is learned by ranges, and the new contracts meanwhile count at once', async () => {
  await save('asleep', { triggerSpec: specOf({ fromBlock: (await headOf()) + 1 }) })
  const [old, young] = [await makePair(), await makePair()]
  await announce(old)
  await mine(300)
  await level()
  await subscribe('asleep')
  await announce(young)
  await swap(young, 1)
  await until(
    async () => {
      await node.request('evm_mine')
      return membersOf('asleep')
    },
    (members) => members.includes(old),
  )
  await level()
  await swap(old, 2)
  expect(await rawsOf('asleep', 2)).toEqual([
    { pair: young, value: '1' },
    { pair: old, value: '2' },
  ])
})

test('a node that accepts only short ranges, and none of old state, teaches the contracts all the same', async () => {
  const pair = await makePair()
  await announce(pair)
  await mine(200)
  const ranges: number[] = []
  const picky = await faultyEndpoint(node.url, ({ method, params: [filter, block] }) => {
    if (method === 'eth_getCode' && Number(block) < Number(ranges[0] ?? 10 ** 9) - 10)
      return { error: { code: -32000, message: 'missing trie node' } }
    const { fromBlock, toBlock } = (filter ?? {}) as { fromBlock?: string; toBlock?: string }
    if (method !== 'eth_getLogs' || fromBlock === undefined) return undefined
    const length = Number(toBlock) - Number(fromBlock) + 1
    if (length > 100) return { error: { code: -32602, message: 'the range is limited to 100 blocks' } }
    ranges.push(length)
    return undefined
  })
  await ann.saveCustomSource({ fullname: 'acme.picky', body: customSource('acme.picky', { endpoints: [picky.url] }) })
  await save('picky', { triggerSpec: { ...specOf(), dataSource: 'acme.picky' } })
  await until(
    () => statusOf('picky'),
    ({ status }) => status === 'not_tested',
  )
  expect(await membersOf('picky')).toContain(pair)
  expect(ranges.length).toBeGreaterThan(1)
  await ann.deleteTrigger({ fullname: 'acme.p.picky' })
  await ann.deleteCustomSource({ fullname: 'acme.picky' })
  await picky.close()
})

test('a history knows the contracts from before its first block, and goes on live with all', async () => {
  const [early, late] = [await makePair(), await makePair()]
  await announce(early)
  const fromBlock = await headOf()
  await swap(early, 1)
  await swap(early, 2)
  const block = await headOf()
  await announce(late)
  await swap(late, 3)
  await level()
  await save('past', { triggerSpec: specOf({ fromBlock }) })
  const { id } = await ann.createSubscription({ body: subscription('acme.p.past', { from: { block } }) })
  await until(
    () => ann.getSubscription({ id }),
    ({ history }) => history?.state === 'done',
  )
  const past = [
    { pair: early, value: '2' },
    { pair: late, value: '3' },
  ]
  expect(await rawsOf('past', 0)).toEqual(past)
  await swap(early, 4)
  await swap(late, 5)
  expect(await rawsOf('past', 4)).toEqual([...past, { pair: early, value: '4' }, { pair: late, value: '5' }])
})

test('calls of the contracts of a factory are matched too, in the block that creates the contract', async () => {
  const triggerSpec = { type: 'evm_call', dataSource: 'acme.evm', contract: contract() } as const
  await listen('calls', { triggerSpec, transform: '({ pair: source.to, value: "0" })' })
  const [pair, other] = [await makePair(), await makePair()]
  await inOneBlock(async () => {
    await swap(other, 1)
    await swap(pair, 1)
    await announce(pair)
  })
  await swap(pair, 1)
  expect(await rawsOf('calls', 2)).toEqual([pair, pair].map((pair) => ({ pair, value: '0' })))
})

test('one factory for each binding, and a factory that only a binding names', async () => {
  const sourceBindings = [{ id: 'b', dataSource: 'acme.evm', contract: contract() }]
  await listen('bound', { triggerSpec: { ...specOf(), contract: undefined }, sourceBindings })
  const [pair, other] = [await makePair(), await makePair()]
  await swap(other, 1)
  await announce(pair)
  await swap(pair, 2)
  expect(await rawsOf('bound', 1)).toEqual([{ pair, value: '2' }])
})

test('try-outs know the contracts that were created shortly before, and those that a saved trigger has learned', async () => {
  const [pair, other] = [await makePair(), await makePair()]
  await announce(pair)
  await swap(pair, 8)
  const block = await headOf()
  await swap(other, 9)
  const body = { triggerSpec: specOf({ fromBlock: block - 1 }), providers: [], transform, outputSchema: null }
  const tested = await ann.testTriggerBlock({ body: { ...body, block } })
  expect(tested).toMatchObject({ valid: true, sourceEventsCount: 1, output: { raw: { pair, value: '8' } } })
  const late = { ...body, triggerSpec: specOf({ fromBlock: block }) }
  expect(await ann.testTriggerBlock({ body: { ...late, block } })).toMatchObject({ valid: false, sourceEventsCount: 0 })
  const found = await ann.findLatestBlock({ body: { triggerSpec: specOf() } })
  expect(found).toMatchObject({ matched: true, matchedBlock: block, input: { address: pair } })
  const range = { fromBlock: block - 1, toBlock: block + 1 }
  const definition = trigger('acme.p.x', { triggerSpec: specOf(), transform })
  const past = await ann.backtestTrigger({ body: { definition, ...range } })
  expect(past.result?.samples.map(({ raw }) => raw)).toEqual([{ pair, value: '8' }])
  await until(
    () => membersOf('one-block'),
    (members) => members.includes(pair),
  )
  const saved = await ann.backtestTrigger({ body: { fullname: 'acme.p.one-block', fromBlock: block, toBlock: block } })
  expect(saved.result?.samples.map(({ raw }) => raw)).toEqual([{ pair, value: '8' }])
})

const at = 'triggerSpec.contract.factory'
const wrong: [string, () => object, string][] = [
  ['an event without that parameter', () => ({ parameter: 'pool' }), `${at}.parameter`],
  ['a parameter that is not an address', () => ({ abiFragment: 'event PairCreated(uint256 pair)' }), `${at}.parameter`],
  ['a list of addresses', () => ({ abiFragment: 'event PairCreated(address[] pair)' }), `${at}.parameter`],
  ['an event that the ABI lacks', () => ({ event: 'PoolCreated' }), `${at}.event`],
  ['an ABI that is none', () => ({ abiFragment: 'nonsense' }), `${at}.abiFragment`],
  ['a factory that is no address', () => ({ contract: '0x1' }), `${at}.contract`],
  ['a block before the first', () => ({ fromBlock: -1 }), `${at}.fromBlock`],
  ['no parameter', () => ({ parameter: undefined }), `${at}.parameter`],
]

test.each(wrong)('a bad factory is refused with its path, and nothing is saved: %s', async (_, extra, path) => {
  const call = save('wrong', { triggerSpec: specOf(extra()) })
  await rejects(call, { code: 'invalid_payload', status: 400, details: { issues: [{ path }] } })
  await rejects(ann.getTrigger({ fullname: 'acme.p.wrong' }), { code: 'not_found' })
})

test('a factory whose event does not say what is indexed is a warning, because its contracts may stay unknown', async () => {
  const abiFragment = 'event PairCreated(address token, address pair)'
  const { status } = await save('unmarked', { triggerSpec: specOf({ abiFragment }) })
  expect(status).toMatchObject({ status: 'warning', reasonCode: 'trigger.unmarked_event' })
})

test('a trigger on another factory forgets the contracts of the first', async () => {
  expect((await membersOf('one-block')).length).toBeGreaterThan(0)
  const next = await node.deploy(emitter(2))
  await save('one-block', { triggerSpec: specOf({ contract: next }) })
  expect(await membersOf('one-block')).toEqual([])
})
