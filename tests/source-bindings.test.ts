import { encodeAbiParameters, parseAbiParameters } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from './harness/following.ts'
import {
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
import { answers } from './nodes/evm-contracts.ts'
import { faultyEndpoint } from './nodes/faulty-endpoint.ts'

/** One trigger on two chains: two real nodes, the live loops, and the try-outs. */
let house: Harness
let ann: Person
let one: EvmNode
let two: EvmNode
let door: Awaited<ReturnType<typeof faultyEndpoint>>
let isShut = false
/** The contract that emits the events of the first node. */
let contract: string

const topic0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const word = (hex: string) => `0x${hex.padStart(64, '0')}`
const emit = (node: EvmNode, value: string) => node.emit([topic0, word('aa'), word('bb')], word(value))

beforeAll(async () => {
  house = await harness({ ROLE: 'all', ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  ;[one, two] = await Promise.all([startEvmNode(), startEvmNode({ chainId: 99 })])
  contract = (await emit(one, '1')).contract
  await emit(two, '2')
  door = await faultyEndpoint(two.url, () => (isShut ? (response) => response.writeHead(503).end() : undefined))
  for (const [name, url] of [
    ['one', one.url],
    ['two', door.url],
  ] as const) {
    const fullname = `acme.${name}`
    await ann.saveCustomSource({ fullname, body: customSource(fullname, { endpoints: [url] }) })
    await until(
      () => ann.getCustomSource({ fullname }),
      ({ status, runtime }) => status.status === 'running' && runtime?.chainId !== undefined,
    )
  }
})
afterAll(async () => {
  await house.close()
  await door.close()
  await one.close()
  await two.close()
})

const triggerSpec = { type: 'evm_log', dataSource: 'acme.one', abiFragment } as const
const sourceBindings = [
  { id: 'first', dataSource: 'acme.one', values: { decimals: 1, name: 'One' } },
  { id: 'second', dataSource: 'acme.two', values: { decimals: 2, name: 'Two' } },
]
const transform =
  '({ amount: helpers.formatUnits(source.params.value, inputs.decimals), on: [source.binding, source.network, inputs.name] })'
const definition = { triggerSpec, sourceBindings, providers: [], transform, outputSchema: null }

const save = (name: string, extra: object = {}) =>
  ann.saveTrigger({
    fullname: `acme.p.${name}`,
    body: trigger(`acme.p.${name}`, { triggerSpec, sourceBindings, transform, ...extra }),
  })
const statusOf = async (name: string) => (await ann.getTrigger({ fullname: `acme.p.${name}` })).status

async function alertsOf(name: string, least: number) {
  const listed = await until(
    () => ann.listAlerts({ query: { trigger: `acme.p.${name}` } }),
    (alerts) => alerts.length >= least,
  )
  const whole = await Promise.all(listed.map(({ id }) => ann.getAlert({ id })))
  return whole.map(({ source, output }) => ({ source, raw: output.raw }))
}

test('items of each source have its binding, its network and its values, live', async () => {
  await save('both')
  const filtersSchema = {
    net: { type: 'string', sourcePath: 'network' },
    value: { type: 'string', sourcePath: 'params.value' },
  }
  await save('one-network', { filtersSchema })
  await ann.createSubscription({ body: subscription('acme.p.both') })
  const isHere = {
    all: [
      { param: 'net', op: 'eq' as const, value: 'eip155:99' },
      { param: 'value', op: 'gt' as const, value: '{{inputs.decimals}}' },
    ],
  }
  await ann.createSubscription({ body: subscription('acme.p.one-network', { conditions: isHere }) })
  await emit(one, '5')
  await emit(two, '7')
  expect(await alertsOf('both', 2)).toEqual(
    expect.arrayContaining([
      { source: 'acme.one', raw: { amount: '0.5', on: ['first', 'eip155:31337', 'One'] } },
      { source: 'acme.two', raw: { amount: '0.07', on: ['second', 'eip155:99', 'Two'] } },
    ]),
  )
  expect(await alertsOf('one-network', 1)).toEqual([
    { source: 'acme.two', raw: { amount: '0.07', on: ['second', 'eip155:99', 'Two'] } },
  ])
  const networks = await ann.listRuntimeSources({})
  expect(networks.find(({ fullname }) => fullname === 'acme.two')?.network).toBe('eip155:99')
})

test('messages link to the explorer of the source and show whole tokens, live and in a test', async () => {
  const text = (value: string) => encodeAbiParameters(parseAbiParameters('string'), [value])
  const coin = { '0x95d89b41': text('USDC'), '0x313ce567': word('6') }
  const token = await one.deploy(answers(coin))
  const explorer = { name: 'Scan', url: 'https://scan.example.org' }
  const nativeCurrency = { name: 'Test', symbol: 'TST', decimals: 18 }
  const save = { endpoints: [one.url], mode: 'update' as const, explorer, nativeCurrency }
  const saved = await ann.saveCustomSource({ fullname: 'acme.one', body: customSource('acme.one', save) })
  expect(saved).toMatchObject({ explorer, nativeCurrency })
  const listed = await ann.listRuntimeSources({})
  expect(listed.find(({ fullname }) => fullname === 'acme.one')).toMatchObject({ explorer, nativeCurrency })
  expect(listed.find(({ fullname }) => fullname === 'common.ethereum')).toMatchObject({
    networkName: 'Ethereum',
    explorer: { url: 'https://etherscan.io' },
    nativeCurrency: { symbol: 'ETH', decimals: 18 },
  })
  const defaults = {
    title: '{{token raw.params.value}} and {{token "1" token="native"}}',
    short: `{{token raw.params.value token="${token}"}} to {{address raw.params.to}}`,
    links: [{ title: 'Transaction', url: '{{explorer hash}}' }],
  }
  const call = { type: 'evm_call', dataSource: 'acme.one', success: 'any' } as const
  const spec = { ...call, abiFragment: 'function transfer(address to, uint256 value)', contract: token }
  const body = trigger('acme.p.shown', { triggerSpec: spec, defaults })
  await ann.saveTrigger({ fullname: 'acme.p.shown', body })
  const { id } = await ann.createSubscription({ body: subscription('acme.p.shown') })
  await until(
    () => ann.getCustomSource({ fullname: 'acme.one' }),
    ({ status }) => status.status === 'running',
  )
  const data = `0xa9059cbb${word('bb').slice(2)}${word((1_250_500_000).toString(16)).slice(2)}`
  const hash = await one.send({ to: token, data })
  const [alert] = await until(
    () => ann.listAlerts({ query: { trigger: 'acme.p.shown' } }),
    (alerts) => alerts.length > 0,
  )
  const expected = {
    title: '1,250.5 USDC and 0.000000000000000001 TST',
    short: '1,250.5 USDC to 0x0000…00bb',
    links: [{ title: 'Transaction', url: `https://scan.example.org/tx/${hash}` }],
  }
  expect((await ann.getAlert({ id: alert?.id ?? '' })).message).toEqual(expected)
  const input = { address: token, transactionHash: hash, params: { value: '1250500000', to: `0x${'0'.repeat(38)}bb` } }
  const tested = await ann.testSubscription({ id, body: { input } })
  expect(tested.results[0]?.message).toEqual(expected)
  const shown = '[helpers.token(source.params.value), helpers.explorer(source.transactionHash)]'
  const scripted = { triggerSpec: spec, providers: [], outputSchema: null, transform: `({ shown: ${shown} })` }
  const output = { raw: { shown: ['1,250.5 USDC', `https://scan.example.org/tx/${hash}`] } }
  expect(await ann.testTrigger({ body: { ...scripted, input } })).toMatchObject({ valid: true, output })
  const noToken = await ann.testSubscription({ id, body: { input: { ...input, address: contract } } })
  expect(noToken.results[0]?.message?.title).toBe('1250500000 (decimals unknown) and 0.000000000000000001 TST')
})

test('two bindings on one source are two items, each with its own contract and values', async () => {
  await save('twice', {
    sourceBindings: [
      { id: 'named', dataSource: 'acme.one', contract, values: { decimals: 0, name: 'N' } },
      { id: 'any', dataSource: 'acme.one', values: { decimals: 1, name: 'A' } },
      { id: 'other', dataSource: 'acme.one', contract: `0x${'9'.repeat(40)}`, values: { decimals: 2, name: 'O' } },
    ],
  })
  await ann.createSubscription({ body: subscription('acme.p.twice') })
  await emit(one, '6')
  const raws = (await alertsOf('twice', 2)).map(({ raw }) => raw)
  expect(raws).toHaveLength(2)
  expect(raws).toEqual(
    expect.arrayContaining([
      { amount: '6', on: ['named', 'eip155:31337', 'N'] },
      { amount: '0.6', on: ['any', 'eip155:31337', 'A'] },
    ]),
  )
})

test('a source that fails breaks its binding; the trigger goes on with the other, and recovers', async () => {
  await save('hardy', { status: { status: 'ready' } })
  await ann.createSubscription({ body: subscription('acme.p.hardy') })
  isShut = true
  const warned = await until(
    () => statusOf('hardy'),
    ({ status }) => status === 'warning',
  )
  expect(warned).toMatchObject({ source: 'dependency', reasonCode: 'trigger.binding_failed' })
  expect(warned.issue).toMatch(/^Binding "second": The data source "acme.two" is in error/)
  expect(warned.issue).not.toContain('first')
  await emit(one, '3')
  expect(await alertsOf('hardy', 1)).toMatchObject([{ source: 'acme.one' }])
  // A save keeps the warning, and a trigger that is saved now gets it at once.
  expect((await save('hardy', { meta: { title: 'Hardy' } })).status).toMatchObject(warned)
  expect((await save('late')).status).toMatchObject({ status: 'warning', issue: expect.stringContaining('second') })
  isShut = false
  await until(
    () => statusOf('hardy'),
    ({ status }) => status !== 'warning',
  )
  await emit(two, '4')
  const sources = (await alertsOf('hardy', 2)).map(({ source }) => source)
  expect(sources.toSorted()).toEqual(['acme.one', 'acme.two'])
})

test('a missing or deleted source is a warning that names its binding, and ends when the source is there', async () => {
  const gone = { id: 'third', dataSource: 'acme.gone' }
  const bindings = [...sourceBindings, gone]
  const { status } = await save('missing', { sourceBindings: bindings })
  expect(status).toMatchObject({ status: 'warning', reasonCode: 'trigger.binding_failed' })
  expect(status.issue).toBe('Binding "third": there is no data source "acme.gone" that you may read')
  const body = { ...trigger('acme.p.missing', { triggerSpec, transform }), sourceBindings: bindings }
  const checked = await ann.validateTriggerDraft({ fullname: 'acme.p.missing', body })
  expect(checked).toMatchObject({ valid: false, issues: [{ path: 'sourceBindings.2.dataSource' }] })
  const source = customSource('acme.gone', { endpoints: [one.url] })
  await ann.saveCustomSource({ fullname: 'acme.gone', body: source })
  expect((await statusOf('missing')).status).not.toBe('warning')
  await ann.deleteCustomSource({ fullname: 'acme.gone' })
  expect(await statusOf('missing')).toMatchObject({
    status: 'warning',
    issue: 'Binding "third": The data source "acme.gone" was deleted.',
  })
  const patched = await ann.patchTrigger({ fullname: 'acme.p.missing', body: { unset: ['sourceBindings.2'] } })
  expect(patched.trigger).toMatchObject({ sourceBindings, status: { status: 'not_tested' } })
})

test('every try-out runs on the chosen binding, by default on that of the triggerSpec', async () => {
  const input = { params: { value: '5' } }
  const preview = await ann.previewTrigger({ body: { ...definition, input, binding: 'second' } })
  expect(preview.output).toMatchObject({ raw: { amount: '0.05', on: ['second', 'eip155:99', 'Two'] } })
  const named = await ann.testTrigger({ body: { ...definition, input: { ...input, binding: 'second' } } })
  expect(named).toMatchObject({ valid: true, output: { raw: { on: ['second', 'eip155:99', 'Two'] } } })
  const [block] = await Promise.all([emit(one, '8').then(() => one.request('eth_blockNumber')), emit(two, '9')])
  const ofFirst = await ann.testTriggerBlock({ body: { ...definition, block: Number(block) } })
  expect(ofFirst).toMatchObject({
    output: { raw: { amount: '0.8', on: ['first', 'eip155:31337', 'One'] } },
    input: { binding: 'first', network: 'eip155:31337' },
  })
  const found = await ann.findLatestBlock({ body: { triggerSpec, sourceBindings, binding: 'second' } })
  expect(found).toMatchObject({
    matched: true,
    input: { binding: 'second', network: 'eip155:99', params: { value: '9' } },
  })
  const saved = await ann.findLatestBlock({ body: { trigger: 'acme.p.both', binding: 'second' } })
  expect(saved.input).toEqual(found.input)
  const lastBlock = await ann.testTriggerBlock({
    body: { ...definition, binding: 'second', block: found.matchedBlock ?? 0 },
  })
  expect(lastBlock.output).toMatchObject({ raw: { amount: '0.09', on: ['second', 'eip155:99', 'Two'] } })
  const tested = await ann.backtestTrigger({ body: { fullname: 'acme.p.both', binding: 'second', lastBlocks: 1 } })
  expect(tested.result?.samples).toMatchObject([{ raw: { amount: '0.09', on: ['second', 'eip155:99', 'Two'] } }])
  const { id } = await ann.createSubscription({ body: subscription('acme.p.both') })
  const sent = await ann.testSubscription({ id, body: { input: { ...input, binding: 'second' } } })
  expect(sent.results).toMatchObject([{ raw: { amount: '0.05', on: ['second', 'eip155:99', 'Two'] } }])
})

test('an input that every binding gives is neither required of a subscription nor unknown to a provider', async () => {
  const provider = {
    id: 'p',
    type: 'javascript' as const,
    source: 'variables.n',
    variables: { n: '{{inputs.decimals}}' },
  }
  await save('given', { inputs: { decimals: 'number' }, providers: [provider] })
  await ann.createSubscription({ body: subscription('acme.p.given') })
  const [first, second] = sourceBindings
  const partly = [first, { ...second, values: {} }]
  await rejects(save('partly', { sourceBindings: partly, providers: [provider] }), {
    code: 'invalid_payload',
    status: 400,
  })
})

const wrong: [string, object, string][] = [
  ['no binding', { sourceBindings: [] }, 'sourceBindings'],
  [
    '33 bindings',
    { sourceBindings: Array.from({ length: 33 }, (_, at) => ({ id: `b${at}`, dataSource: 'acme.one' })) },
    'sourceBindings',
  ],
  [
    'an id twice',
    { sourceBindings: [sourceBindings[0], { id: 'first', dataSource: 'acme.two' }] },
    'sourceBindings.1.id',
  ],
  ['an empty id', { sourceBindings: [{ id: '', dataSource: 'acme.one' }] }, 'sourceBindings.0.id'],
  ['no source', { sourceBindings: [{ id: 'a' }] }, 'sourceBindings.0.dataSource'],
  [
    'a source that is no name',
    { sourceBindings: [sourceBindings[0], { id: 'a', dataSource: '?' }] },
    'sourceBindings.1.dataSource',
  ],
  ['a spec on another source', { sourceBindings: [sourceBindings[1]] }, 'triggerSpec.dataSource'],
  [
    'a contract that is no address',
    { sourceBindings: [{ ...sourceBindings[0], contract: '0x1' }] },
    'sourceBindings.0.contract',
  ],
  ['values that are no map', { sourceBindings: [{ ...sourceBindings[0], values: [1] }] }, 'sourceBindings.0.values'],
  ['a timer', { triggerSpec: { type: 'timer', interval: '1m' } }, 'sourceBindings'],
  [
    'a contract of a transaction',
    {
      triggerSpec: { type: 'evm_transaction', dataSource: 'acme.one' },
      sourceBindings: [{ id: 'a', dataSource: 'acme.one', contract: `0x${'1'.repeat(40)}` }],
    },
    'sourceBindings.0.contract',
  ],
]

test.each(wrong)('bad bindings are refused with their path, and nothing is saved: %s', async (_, extra, path) => {
  const refused = await rejects(save('wrong', extra), { code: 'invalid_payload', status: 400 })
  expect(refused.details).toMatchObject({ issues: [{ path }] })
  await rejects(ann.getTrigger({ fullname: 'acme.p.wrong' }), { code: 'not_found' })
  const body = { ...definition, ...extra, input: { params: { value: '1' } } }
  const tested = await ann.testTrigger({ body }).catch((error: { details?: { issues: unknown[] } }) => error.details)
  expect(tested?.issues).toMatchObject([{ path: expect.stringContaining(path.split('.')[0] ?? '') }])
})

test('a binding that the definition does not have is an issue of a test', async () => {
  const input = { params: { value: '1' } }
  const unknown = await ann.testTrigger({ body: { ...definition, input, binding: 'x' } })
  expect(unknown).toMatchObject({ valid: false, issues: [{ path: 'binding' }] })
  const { sourceBindings: _, ...plain } = definition
  expect(await ann.testTrigger({ body: { ...plain, input, binding: 'first' } })).toMatchObject({ valid: false })
})
