import type { TriggerSpec } from '@tocsin/contract'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectedEvm } from '../../../../../../tests/nodes/connected-evm.ts'
import type { EvmNode } from '../../../../../../tests/nodes/evm.ts'
import { answer, forwarder } from '../../../../../../tests/nodes/evm-contracts.ts'
import { faultyEndpoint } from '../../../../../../tests/nodes/faulty-endpoint.ts'
import { prepareOneTrigger } from '../../one-trigger.ts'
import { EvmContents, evm } from '../index.ts'

/** One transaction: outer → inner → target, and one in which inner reverts after its call. */
let world: Awaited<ReturnType<typeof connectedEvm>>
let debug: EvmNode
let target: string
let hashes: { forwarded: string; reverted: string }
const output = `0x${'7'.padStart(64, '0')}`
const data = encodeFunctionData({ abi: parseAbi(['function pay(uint256 amount)']), args: [5n] })

async function play(node: EvmNode) {
  target = await node.deploy(answer(output))
  const inner = await node.deploy(forwarder(target))
  const outer = await node.deploy(forwarder(inner))
  const broken = await node.deploy(forwarder(await node.deploy(forwarder(target, 'REVERT'))))
  return { forwarded: await node.send({ to: outer, data }), reverted: await node.send({ to: broken, data }) }
}

beforeAll(async () => {
  world = await connectedEvm()
  debug = await world.start({ traces: 'debug_traceBlockByHash' })
  hashes = await play(debug)
})
afterAll(() => world.close())

const spec = (fields: object): TriggerSpec =>
  ({ type: 'evm_call', dataSource: 'x', internal: true, ...fields }) as never

async function match(urls: string[], fields: object, hash: string) {
  const trigger = await prepareOneTrigger(evm, spec(fields))
  const block = await world.connectTo(...urls).blockOfTransaction(hash, trigger.items.neededParts)
  return trigger.match(block!)
}

test('calls at every depth are items, and a decoded one has its output', async () => {
  const calls = await match([debug.url], { method: 'pay(uint256 amount)' }, hashes.forwarded)
  expect(calls.map(({ index, depth, type, success }) => [index, depth, type, success])).toEqual([
    [0, 0, 'call', true],
    [1, 1, 'call', true],
    [2, 2, 'call', true],
  ])
  expect(calls[2]).toMatchObject({
    ...{ address: target, to: target, from: calls[1]?.to, method: 'pay', params: { amount: '5' }, output, value: '0' },
    gasUsed: expect.any(Number),
  })
  expect(await match([debug.url], { internal: false, contract: target }, hashes.forwarded)).toEqual([])
})

test('a call inside a reverted one did not succeed, although it returned', async () => {
  const to = { contract: target, method: 'pay(uint256)' }
  expect(await match([debug.url], to, hashes.reverted)).toEqual([])
  expect(await match([debug.url], { ...to, success: false }, hashes.reverted)).toMatchObject([{ depth: 2, output }])
})

test('trace_block gives the same items as debug_traceBlockByHash', async () => {
  const other = await world.start({ traces: 'trace_block' })
  const same = await play(other)
  for (const name of ['forwarded', 'reverted'] as const) {
    const anywhere = (items: object[]) => items.map((item) => ({ ...item, block: null }))
    expect(anywhere(await match([other.url], { success: 'any' }, same[name]))).toEqual(
      anywhere(await match([debug.url], { success: 'any' }, hashes[name])),
    )
  }
})

type Traces = Record<string, unknown>[]
/** The endpoint with traces, which it changes. */
const changed = (change: (traces: Traces) => unknown) =>
  faultyEndpoint(debug.url, async ({ method, params }) =>
    method === 'debug_traceBlockByHash'
      ? { result: change((await debug.request(method, params)) as Traces) }
      : undefined,
  )

test.each<[string, (traces: Traces) => unknown]>([
  ['late', () => null],
  ['empty', () => []],
  ['of a failed tracer', (traces) => traces.map(({ txHash }) => ({ txHash, error: 'execution timeout' }))],
  ['of another transaction', (traces) => traces.map((each) => ({ ...each, txHash: `0x${'9'.repeat(64)}` }))],
  ['against the receipt', (traces) => traces.map(({ result }) => ({ result: { ...(result as object), error: 'x' } }))],
])('traces that are %s are not used: the next endpoint is asked, and alone the read fails', async (_, change) => {
  const faulty = await changed(change)
  const honest = await match([debug.url], {}, hashes.forwarded)
  expect(await match([faulty.url, debug.url], {}, hashes.forwarded)).toEqual(honest)
  const parts = ['transactions', 'traces'] as const
  const alone = world.connectTo(faulty.url)
  await expect(alone.blockOfTransaction(hashes.forwarded, parts, { mayLack: true })).rejects.toThrow()
  await faulty.close()
})

test('a source without traces reads everything else, and says what is missing', async () => {
  const hash = (await world.emitTransfer()).hash
  const parts = ['logs', 'transactions', 'traces'] as const
  const block = await world.connection.blockOfTransaction(hash, parts, { mayLack: true })
  const reason = expect.stringMatching(/debug_traceBlockByHash: .*trace_block: /)
  const specTypes = ['evm_call']
  expect(block?.unreadable).toEqual([
    { part: 'traces', specTypes, specFlag: ['internal', 'true'], reason },
    {
      ...{ part: 'any_traces', specTypes, specFlag: ['internal', 'auto'], reason },
      stillMatches: expect.stringContaining('not those between contracts'),
    },
  ])
  expect(block?.contents).toMatchObject({ logs: [{}], transactions: [{}], calls: undefined })
  const internal = await evm.items.prepare(spec({}))
  expect(internal.neededParts).toEqual(['transactions', 'traces'])
  await expect(world.connection.blockOfTransaction(hash, parts)).rejects.toThrow('has no traces')
})

test('calls of precompiled contracts are not counted, because not every node shows them', async () => {
  const precompile = (result: unknown) => ({
    ...(result as object),
    calls: [{ ...inner, to: `0x${'0'.repeat(39)}1` }, inner],
  })
  const inner = { type: 'STATICCALL', from: target, to: target, input: '0x', gasUsed: '0x1', gas: '0x2' }
  const faulty = await changed((traces) => traces.map((each) => ({ ...each, result: precompile(each.result) })))
  const calls = await match([faulty.url], {}, hashes.forwarded)
  expect(calls.map(({ index, type, to }) => [index, type, to])).toEqual([
    [0, 'call', expect.any(String)],
    [1, 'staticcall', target],
  ])
  await faulty.close()
})

test.each([
  ['DELEGATECALL', 'delegatecall'],
  ['CALLCODE', 'delegatecall'],
  ['STATICCALL', 'staticcall'],
  ['CREATE', 'create'],
  ['CREATE2', 'create'],
])('an inner %s is an item of the type %s', async (opcode, type) => {
  const inner = { type: opcode, from: target, to: target, input: '0x12345678', gasUsed: '0x1', gas: '0x2' }
  const faulty = await changed((traces) =>
    traces.map(({ txHash, result }) => ({ txHash, result: { ...(result as object), calls: [inner] } })),
  )
  const [, call] = await match([faulty.url], {}, hashes.forwarded)
  const methodId = type === 'create' ? null : '0x12345678'
  expect(call).toMatchObject({ index: 1, depth: 1, type, to: target, address: target, methodId })
  await faulty.close()
})

test('verification tells which endpoint has traces, and if none has them; a node that fails may have them', async () => {
  const { endpoints, unreadable } = await evm.verify([debug.url, world.node.url], world.options)
  expect(endpoints.map(({ capabilities }) => capabilities.includes('traces'))).toEqual([true, false])
  expect(unreadable).toEqual([])
  const reason = expect.stringMatching(/has no traces.*debug_traceBlockByHash.*trace_block/)
  expect((await evm.verify([world.node.url], world.options)).unreadable).toMatchObject([
    { part: 'traces', reason },
    { part: 'any_traces', reason },
  ])
  const late = await faultyEndpoint(debug.url, ({ method }) =>
    method === 'debug_traceBlockByHash' ? { error: { code: -32000, message: 'block not found' } } : undefined,
  )
  expect((await evm.verify([late.url], world.options)).unreadable).toEqual([])
  await late.close()
})

test('a traced block of many parts is one set of contents', async () => {
  const block = await world.connectTo(debug.url).blockOfTransaction(hashes.forwarded, ['transactions', 'traces'])
  expect(block?.contents).toBeInstanceOf(EvmContents)
  const keys = [...evm.items.list(block!, [])].filter(({ type }) => type === 'evm_call').map(({ key }) => key)
  expect(keys).toEqual([0, 1, 2].map((index) => `${block?.hash}:${hashes.forwarded}:${index}`))
})
