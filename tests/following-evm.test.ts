import type { Condition } from '@tocsin/contract'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPath } from '../server/src/engine/base/paths.ts'
import { type Following, follow, query, queued, until } from './harness/following.ts'
import { addressList, customSource, type Harness, harness, type Person, project, trigger } from './harness/index.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'
import { answer, forwarder } from './nodes/evm-contracts.ts'
import { faultyEndpoint } from './nodes/faulty-endpoint.ts'

const topic0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const word = (hex: string) => `0x${hex.replace('0x', '').padStart(64, '0')}`
const wallet = (digit: string) => `0x${digit.repeat(40)}`

let house: Harness
let ann: Person
let node: EvmNode
let following: Following

beforeAll(async () => {
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  node = await startEvmNode({ traces: 'debug_traceBlockByHash' })
  await node.emit([topic0, word('0x1'), word('0x2')], word('0x3'))
  following = await follow(house)
})
afterAll(async () => {
  await following.stop()
  await house.close()
  await node.close()
})

const status = async (name: string) => (await ann.getCustomSource({ fullname: name })).status.status
const emit = (from: string, to: string, value = '1') => node.emit([topic0, word(from), word(to)], word(value))
const idOf = async (fullname: string) => (await ann.getTrigger({ fullname })).id

async function listen(name: string, source: string, extra: object = {}, conditions?: Condition): Promise<string> {
  const fullname = `acme.p.${name}`
  const filtersSchema = { to: { type: 'address', sourcePath: 'params.to' } }
  const triggerSpec = { type: 'evm_log', dataSource: source, abiFragment } as const
  await ann.saveTrigger({ fullname, body: trigger(fullname, { triggerSpec, filtersSchema, ...extra }) })
  const { id } = await ann.createSubscription({
    body: { workspace: 'acme', project: 'acme.p', trigger: fullname, resources: [], ...(conditions && { conditions }) },
  })
  return id
}

async function matchesOf(name: string) {
  const id = await idOf(`acme.p.${name}`)
  return (await queued(house)).filter(({ data }) => data.triggerId === id).flatMap(({ data }) => data.matches)
}

test('a saved source runs, and every later event is matched exactly once', async () => {
  await ann.saveCustomSource({ fullname: 'acme.evm', body: customSource('acme.evm', { endpoints: [node.url] }) })
  await until(
    () => status('acme.evm'),
    (seen) => seen === 'running',
  )
  const subscription = await listen('moved', 'acme.evm', {}, { param: 'to', op: 'eq', value: wallet('b') })
  await emit(wallet('a'), wallet('b'), '5')
  await emit(wallet('a'), wallet('c'), '6')
  await emit(wallet('a'), wallet('b'), '7')
  const found = await until(
    () => matchesOf('moved'),
    (matches) => matches.length >= 2,
  )
  // Jobs of blocks that were committed together have no order.
  const inOrder = found.map(({ item }) => item).sort((a, b) => Number(a.blockNumber) - Number(b.blockNumber))
  expect(inOrder.map(({ params }) => params)).toEqual([
    { from: wallet('a'), to: wallet('b'), value: '5' },
    { from: wallet('a'), to: wallet('b'), value: '7' },
  ])
  expect(found.map(({ listeners }) => listeners)).toEqual([[`${subscription}:`], [`${subscription}:`]])
  const source = await until(
    () => ann.getCustomSource({ fullname: 'acme.evm' }),
    ({ runtime }) => runtime?.lag === 0 && (runtime.processedBlock ?? 0) >= 4,
  )
  expect(source).toMatchObject({ runtime: { chainId: '31337' }, status: { status: 'running' } })
  const listed = await ann.listRuntimeSources({})
  expect(listed.find(({ fullname }) => fullname === 'acme.evm')).toMatchObject({ status: 'running', lag: 0 })
})

test('what the conditions of a trigger say of the item is decided before any run', async () => {
  const value = { amount: '{{inputs.least}}', decimals: 1 }
  const conditions = {
    all: [
      { param: 'source.params.value', op: 'gte', value },
      { param: 'providers.a', op: 'eq', value: 1 },
    ],
  }
  const providers = [{ id: 'a', type: 'javascript', source: '1' }]
  const fullname = 'acme.p.large'
  await listen('large', 'acme.evm', { conditions, providers, inputs: { least: { type: 'number', optional: true } } })
  const body = { workspace: 'acme', project: 'acme.p', trigger: fullname, resources: [] }
  const low = await ann.createSubscription({ body: { ...body, inputs: { least: 0.6 } } })
  const high = await ann.createSubscription({ body: { ...body, inputs: { least: 0.7 } } })
  for (const amount of ['5', '6', '7']) await emit(wallet('a'), wallet('9'), amount)
  const found = await until(
    () => matchesOf('large'),
    (matches) => matches.length === 2,
  )
  expect(
    new Map(found.map(({ item, listeners }) => [readPath(item, ['params', 'value']), new Set(listeners)])),
  ).toEqual(
    new Map([
      ['6', new Set([`${low.id}:`])],
      ['7', new Set([`${low.id}:`, `${high.id}:`])],
    ]),
  )
})

test('conditions of triggers and subscriptions follow a list of 10,000 addresses as it changes', async () => {
  const addresses = Array.from({ length: 10_000 }, (_, at) => `0x${at.toString(16).padStart(40, '7')}`)
  const put = (list: string[]) =>
    ann.saveAddressList({ fullname: 'acme.followed', body: addressList('acme.followed', { addresses: list }) })
  await put(addresses)
  const ofTrigger = { param: 'source.params.to', op: 'in', value: { list: 'acme.followed' } } as const
  await listen('in-list', 'acme.evm', { conditions: ofTrigger })
  await listen('not-in-list', 'acme.evm', {}, { param: 'to', op: 'nin', value: { list: 'acme.followed' } })
  const [last = ''] = addresses.slice(-1)
  const added = wallet('6')
  const told = (name: string, count: number) =>
    until(
      async () => (await matchesOf(name)).map(({ item: { params } }) => params),
      (seen) => seen.length === count,
    )
  const paid = (to: string, value: string) => ({ from: wallet('a'), to, value })
  for (const to of [last, added]) await emit(wallet('a'), to, '1')
  expect(await told('in-list', 1)).toEqual([paid(last, '1')])
  expect(await told('not-in-list', 1)).toEqual([paid(added, '1')])
  await put([...addresses.slice(0, -1), added])
  for (const to of [last, added]) await emit(wallet('a'), to, '2')
  expect(await told('in-list', 2)).toContainEqual(paid(added, '2'))
  expect(await told('not-in-list', 2)).toContainEqual(paid(last, '2'))
})

test('a reorg undoes the block, and a block that comes back is matched again', async () => {
  await listen('forked', 'acme.evm', {}, { param: 'to', op: 'eq', value: wallet('d') })
  const snapshot = await node.request('evm_snapshot')
  await emit(wallet('a'), wallet('d'), '1')
  const [first] = await until(
    () => matchesOf('forked'),
    (matches) => matches.length === 1,
  )
  await node.request('evm_revert', [snapshot])
  await emit(wallet('a'), wallet('d'), '2')
  await emit(wallet('a'), wallet('d'), '3')
  const found = await until(
    () => matchesOf('forked'),
    (matches) => matches.length === 3,
  )
  expect(new Set(found.map(({ key }) => key)).size).toBe(3)
  const undone = await query<{ hash: string }>(house, 'select hash from source_blocks where undone_at is not null')
  expect(undone.map(({ hash }) => hash)).toEqual([first?.key.split(':')[0]])
})

test('a trigger on a list of contracts gets the events of each of them', async () => {
  const contracts = [(await emit(wallet('1'), wallet('1'))).contract, (await node.emit([topic0])).contract]
  const listed = (contract: string[]) => ({ triggerSpec: { type: 'evm_log', dataSource: 'acme.evm', contract } })
  await listen(
    'listed',
    'acme.evm',
    listed([wallet('9'), ...contracts.map((each) => `0x${each.slice(2).toUpperCase()}`)]),
  )
  await listen('unlisted', 'acme.evm', listed([wallet('9'), wallet('8')]))
  await node.emit([topic0], word('0x7'))
  await emit(wallet('a'), wallet('1'), '0x7')
  const found = await until(
    async () => (await matchesOf('listed')).filter(({ item }) => item.data === word('0x7')),
    (matches) => matches.length >= 2,
  )
  expect(found.map(({ item }) => item.address).sort()).toEqual(contracts.toSorted())
  expect(await matchesOf('unlisted')).toEqual([])
})

test('every N-th block is matched, and a replaced block is taken back', async () => {
  const triggerSpec = { type: 'evm_block', dataSource: 'acme.evm', every: 2 }
  await listen('blocks', 'acme.evm', { triggerSpec })
  await node.request('hardhat_mine', ['0x2'])
  const snapshot = await node.request('evm_snapshot')
  await node.request('hardhat_mine', ['0x2'])
  const seen = await until(
    () => matchesOf('blocks'),
    (matches) => matches.length >= 2,
  )
  const [last] = seen.map(({ item }) => item).sort((a, b) => Number(b.number) - Number(a.number))
  await node.request('evm_revert', [snapshot])
  await emit(wallet('a'), wallet('a'))
  await node.request('hardhat_mine', ['0x4'])
  const found = await until(
    () => matchesOf('blocks'),
    (matches) => matches.length >= seen.length + 2,
  )
  expect(found.every(({ item }) => Number(item.number) % 2 === 0)).toBe(true)
  expect(new Set(found.map(({ key }) => key)).size).toBe(found.length)
  const undone = await query<{ hash: string }>(house, 'select hash from source_blocks where undone_at is not null')
  expect(undone.map(({ hash }) => hash)).toContain(last?.hash)
})

test('calls are matched by contract, method, arguments and outcome, each once, and taken back with their block', async () => {
  const contract = await node.deploy(answer(word('0x1')))
  const method = 'pay(address to, uint256 amount)'
  const pay = (to: string, amount: bigint) =>
    node.send({
      to: contract,
      data: encodeFunctionData({ abi: parseAbi([`function ${method}`]), args: [`0x${to.slice(2)}`, amount] }),
    })
  const on = (extra: object) => ({
    triggerSpec: { type: 'evm_call', dataSource: 'acme.evm', contract: [contract, wallet('9')], method, ...extra },
  })
  const filtersSchema = {
    to: { type: 'address', sourcePath: 'params.to' },
    amount: { type: 'balance', decimals: 0, sourcePath: 'params.amount' },
  }
  const toB: Condition = { param: 'to', op: 'eq', value: wallet('b') }
  const much: Condition = { param: 'amount', op: 'gte', value: '7' }
  await listen('paid', 'acme.evm', { ...on({}), filtersSchema }, { all: [toB, much] })
  await listen('failed', 'acme.evm', on({ success: false }))
  await listen('stopped', 'acme.evm', { ...on({ method: 'stop()' }), filtersSchema: {} })
  for (const [to, amount] of [
    ['b', 6n],
    ['c', 7n],
    ['b', 7n],
  ] as const)
    await pay(wallet(to), amount)
  const snapshot = await node.request('evm_snapshot')
  await pay(wallet('b'), 8n)
  const amounts = async () => (await matchesOf('paid')).map(({ item }) => (item.params as { amount: string }).amount)
  await until(amounts, (seen) => seen.includes('8'))
  await node.request('evm_revert', [snapshot])
  await pay(wallet('b'), 9n)
  await pay(wallet('c'), 9n)
  const found = await until(
    () => matchesOf('paid'),
    (matches) => matches.length >= 3,
  )
  expect((await amounts()).sort()).toEqual(['7', '8', '9'])
  expect(new Set(found.map(({ key }) => key)).size).toBe(3)
  expect([await matchesOf('failed'), await matchesOf('stopped')]).toEqual([[], []])
})

test('calls between contracts are matched by traces, each once, and taken back with their block', async () => {
  const target = await node.deploy(answer(word('0x1')))
  const caller = await node.deploy(forwarder(target))
  const spec = { type: 'evm_call', dataSource: 'acme.evm', contract: target, method: '0x12345678' }
  await listen('inner', 'acme.evm', { triggerSpec: { ...spec, internal: true }, filtersSchema: {} })
  await listen('own', 'acme.evm', { triggerSpec: spec, filtersSchema: {} })
  const snapshot = await node.request('evm_snapshot')
  const first = await node.send({ to: caller, data: '0x12345678aa' })
  await until(
    () => matchesOf('inner'),
    (matches) => matches.length >= 1,
  )
  await node.request('evm_revert', [snapshot])
  const second = await node.send({ to: caller, data: '0x12345678bb' })
  const own = await node.send({ to: target, data: '0x12345678cc' })
  const found = await until(
    () => matchesOf('inner'),
    (matches) => matches.length >= 3,
  )
  const seen = found.map(({ item }) => [item.transactionHash, item.depth, item.from === caller])
  expect(new Set(seen.map(String))).toEqual(
    new Set(
      [
        [first, 1, true],
        [second, 1, true],
        [own, 0, false],
      ].map(String),
    ),
  )
  expect(new Set(found.map(({ key }) => key)).size).toBe(3)
  expect((await matchesOf('own')).map(({ item }) => item.transactionHash)).toEqual([own])
})

const noTraces = {
  ...{ status: 'broken', source: 'dependency', reasonCode: 'source.no_traces' },
  issue: expect.stringMatching(/^The traces of "acme\.\w+" cannot be read.*debug_traceBlockByHash/),
}
const statusOf = async (name: string) => (await ann.getTrigger({ fullname: `acme.p.${name}` })).status

test('a source without traces breaks the triggers that need them before any block, also without a subscription', async () => {
  const faults = { hasNoTraces: true, isDown: true }
  const blind = await faultyEndpoint(node.url, ({ method }) => {
    if (faults.isDown) return (response) => response.writeHead(503).end()
    const isRefused = faults.hasNoTraces && method === 'debug_traceBlockByHash'
    return isRefused ? { error: { code: -32601, message: 'the method does not exist' } } : undefined
  })
  const saveSource = (mode: 'create' | 'update') =>
    ann.saveCustomSource({
      fullname: 'acme.idle',
      body: customSource('acme.idle', { mode, endpoints: [blind.url] }),
    })
  const triggerSpec = { type: 'evm_call', dataSource: 'acme.idle', internal: true } as const
  const save = async (name: string, extra: object) => {
    const fullname = `acme.p.${name}`
    return (await ann.saveTrigger({ fullname, body: trigger(fullname, { triggerSpec, ...extra }) })).status
  }
  await saveSource('create')
  await save('waiting', {})
  await until(
    () => statusOf('waiting'),
    ({ reasonCode }) => reasonCode === 'trigger.source_unavailable',
  )
  faults.isDown = false
  await until(
    () => status('acme.idle'),
    (seen) => seen === 'running',
  )
  expect(await statusOf('waiting')).toMatchObject(noTraces)
  expect(await save('unheard', {})).toMatchObject(noTraces)
  const reset = await ann.resetTriggerTestStatus({ fullname: 'acme.p.unheard' })
  expect(reset.trigger.status).toMatchObject(noTraces)
  expect(await save('unheard', { triggerSpec: { ...triggerSpec, internal: false } })).toMatchObject({
    status: 'not_tested',
  })
  const sourceBindings = ['evm', 'idle'].map((id) => ({ id, dataSource: `acme.${id}` }))
  expect(await save('both', { sourceBindings })).toMatchObject({
    ...{ status: 'warning', reasonCode: 'trigger.binding_failed' },
    issue: expect.stringMatching(/^Binding "idle": The traces of "acme\.idle" cannot be read/),
  })
  faults.hasNoTraces = false
  await saveSource('update')
  await until(
    () => statusOf('waiting'),
    ({ status }) => status === 'not_tested',
  )
  expect(await statusOf('both')).toMatchObject({ status: 'not_tested' })
  await ann.deleteCustomSource({ fullname: 'acme.idle' })
  await blind.close()
})

test('a source without traces breaks the triggers that need them, with a sentence; the others go on', async () => {
  const blind = await faultyEndpoint(node.url, ({ method }) =>
    method === 'debug_traceBlockByHash' ? { error: { code: -32601, message: 'the method does not exist' } } : undefined,
  )
  await ann.saveCustomSource({ fullname: 'acme.blind', body: customSource('acme.blind', { endpoints: [blind.url] }) })
  await until(
    () => status('acme.blind'),
    (seen) => seen === 'running',
  )
  const triggerSpec = { type: 'evm_call', dataSource: 'acme.blind', contract: wallet('7') }
  await listen('blind', 'acme.blind', { triggerSpec: { ...triggerSpec, internal: true } })
  await listen('seeing', 'acme.blind', { triggerSpec })
  await node.send({ to: wallet('7'), value: '0x1' })
  expect(await statusOf('blind')).toMatchObject(noTraces)
  await until(
    () => matchesOf('seeing'),
    (matches) => matches.length === 1,
  )
  expect(await matchesOf('blind')).toEqual([])
  expect((await statusOf('seeing')).status).toBe('not_tested')
  await blind.close()
})

test('a trigger with a state window gets one job per block, in block order', async () => {
  const window = { id: 'w', type: 'state_window', dedupeBy: '{{source.index}}', value: '1', keepLast: 3 }
  await listen('ordered', 'acme.evm', { providers: [window] }, { param: 'to', op: 'eq', value: wallet('e') })
  await emit(wallet('a'), wallet('f'), '1')
  await emit(wallet('a'), wallet('e'), '2')
  const id = await idOf('acme.p.ordered')
  const jobs = await until(
    async () => (await queued(house)).filter(({ data }) => data.triggerId === id),
    (seen) => seen.length === 2,
  )
  expect(jobs.map(({ name, key }) => [name, key])).toEqual([
    ['evaluate-ordered', id],
    ['evaluate-ordered', id],
  ])
  const numbers = jobs.map(({ data }) => data.block?.number ?? 0)
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
})

test('a subscription that was acknowledged before the block was mined never misses it', async () => {
  await listen('prompt', 'acme.evm', {}, { param: 'to', op: 'eq', value: wallet('0') })
  for (let round = 0; round < 10; round += 1) {
    const to = `0x${round.toString(16).padStart(40, '1')}`
    const { id } = await ann.createSubscription({
      body: {
        workspace: 'acme',
        project: 'acme.p',
        trigger: 'acme.p.prompt',
        resources: [],
        conditions: { param: 'to', op: 'eq', value: to },
      },
    })
    await emit(wallet('a'), to)
    const key = `${id}:`
    await until(
      () => matchesOf('prompt'),
      (matches) => matches.some(({ listeners }) => listeners.includes(key)),
    )
  }
})

test('blocks that a lag reset skips are never processed', async () => {
  await following.stop()
  for (let at = 0; at < 5; at += 1) await emit(wallet('a'), wallet('b'), '100')
  const before = await matchesOf('moved')
  const head = Number(await node.request('eth_blockNumber'))
  const [follower] = await query<{ number: string }>(house, "select number from followers where source = 'acme.evm'")
  await query(house, `update followers set head = ${head} where source = 'acme.evm'`)
  const answer = await ann.resetCustomSourceLag({ fullname: 'acme.evm', body: {} })
  expect(answer).toEqual({ ok: true, latestBlock: head, skippedBlocks: head - Number(follower?.number) })
  following = await follow(house)
  await emit(wallet('a'), wallet('b'), '200')
  const after = await until(
    () => matchesOf('moved'),
    (matches) => matches.length > before.length,
  )
  expect(after.slice(before.length).map(({ item }) => (item.params as { value: string }).value)).toEqual(['512'])
})
