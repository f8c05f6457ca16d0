import { itemToken, type Policy } from '@tocsin/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from './harness/following.ts'
import { type HouseWithHook, houseWithHook } from './harness/house-with-hook.ts'
import { customSource, subscription, trigger } from './harness/index.ts'
import { rejects } from './harness/rejects.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'
import { emitter } from './nodes/evm-contracts.ts'
import { faultyEndpoint } from './nodes/faulty-endpoint.ts'

/** What triggers and subscriptions say without JavaScript: fields compared with fields, sums, human units, severities. */

const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const triggerSpec = { type: 'evm_log', dataSource: 'acme.n', abiFragment, topicsCount: 3 } as const
const millionths = 1_000_000n

let shared: HouseWithHook
let node: EvmNode
/** Every function of every contract answers 6: each is a token with six decimals. */
let chain: Awaited<ReturnType<typeof faultyEndpoint>>
let hasDecimals = true

beforeAll(async () => {
  shared = await houseWithHook()
  node = await startEvmNode()
  chain = await faultyEndpoint(node.url, ({ method }) =>
    method === 'eth_call' ? { result: hasDecimals ? word(6n) : '0x' } : undefined,
  )
  await node.emit([transfer, word(1n), word(2n)], word(0n))
  const { ann } = shared
  await ann.saveCustomSource({ fullname: 'acme.n', body: customSource('acme.n', { endpoints: [chain.url] }) })
  await ann.saveTrigger({ fullname: 'acme.p.moved', body: trigger('acme.p.moved', { triggerSpec }) })
})
afterAll(async () => {
  await shared.house.close()
  shared.receiver.close()
  await chain.close()
  await node.close()
})

const told = (id: string) =>
  shared.receiver.received.map(({ body }) => JSON.parse(body).data).filter(({ subscription }) => subscription === id)
const move = (tokens: bigint) => node.emit([transfer, word(1n), word(2n)], word(tokens * millionths))

test('a sum in whole tokens fires when it passes the bound, in each form of the unit, and the severity follows from it', async () => {
  const { ann } = shared
  const severity = [
    {
      if: { param: 'policy.value', op: 'gt' as const, value: { path: 'policy.bound', times: '2' } },
      then: 'critical' as const,
    },
    { if: { param: 'raw.params.value', op: 'gte' as const, value: { amount: '1' } }, then: 'warning' as const },
  ]
  const overrides = { severity, title: '{{number policy.value}} of {{number policy.bound}}' }
  const bounds = [
    { amount: '1000' },
    { amount: 1000, token: itemToken },
    { amount: '1000', decimals: 6 },
    1_000_000_000,
  ]
  const ids: string[] = []
  for (const above of bounds) {
    const policy: Policy = { type: 'sum', value: 'params.value', within: '1h', above, key: 'address' }
    const body = subscription('acme.p.moved', { resources: ['acme.hook'], policy, overrides })
    ids.push((await ann.createSubscription({ body })).id)
  }
  await until(
    () => ann.getCustomSource({ fullname: 'acme.n' }),
    ({ status, runtime }) => status.status === 'running' && runtime?.processedBlock !== undefined,
  )
  for (const tokens of [600n, 400n, 1n]) await move(tokens)
  for (const [at, id] of ids.entries()) {
    const [alert, ...others] = await until(
      async () => told(id),
      (all) => all.length > 0,
    )
    expect(others).toEqual([])
    const isPlain = at === 3
    const [bound, value] = isPlain ? [1_000_000_000, '1001000000'] : ['1000', '1001']
    const policy = { type: 'sum', bound, value, count: 3, within: '1h' }
    expect(alert.policy).toMatchObject(policy)
    expect([alert.severity, alert.state]).toEqual(['warning', 'firing'])
    expect(alert.message.title).toBe(isPlain ? '1,001,000,000 of 1,000,000,000' : '1,001 of 1,000')
    expect(await ann.getAlert({ id: alert.id })).toMatchObject({ severityRule: 1, policy })
  }
})

test('a token whose decimals are not known fires nothing, and the log of the trigger says why', async () => {
  const { ann } = shared
  hasDecimals = false
  const bare = await node.deploy(emitter(3))
  const policy = { type: 'threshold', value: 'params.value', above: { amount: '1' } } as const
  const conditions = { param: 'address', op: 'eq', value: bare } as const
  const body = subscription('acme.p.moved', { resources: ['acme.hook'], policy, conditions })
  const { id } = await ann.createSubscription({ body })
  const words = [transfer, word(1n), word(2n), word(5n * millionths)].map((each) => each.slice(2))
  await node.send({ to: bare, data: `0x${words.join('')}` })
  const { logs } = await until(
    () => ann.getTriggerLogs({ fullname: 'acme.p.moved' }),
    ({ logs }) => logs.some(({ reasonCode }) => reasonCode === 'trigger.policy_value'),
  )
  expect(logs.find(({ reasonCode }) => reasonCode === 'trigger.policy_value')?.message).toContain(
    "in units of the item's own token, whose decimals are not known",
  )
  expect(told(id)).toEqual([])
  hasDecimals = true
})

const limit = {
  ...{ id: 'limit', type: 'evm_read' as const, contract: '{{source.address}}', method: 'limit' },
  abiFragment: 'function limit() view returns (uint256)',
}
const above = {
  param: 'source.params.value',
  op: 'gt' as const,
  value: { path: 'providers.limit', times: '2', plus: '1' },
}

test('a condition compares a value of the item with one that a provider read, and a test tells both', async () => {
  const { ann } = shared
  const fullname = 'acme.p.compared'
  await ann.saveTrigger({ fullname, body: trigger(fullname, { triggerSpec, providers: [limit], conditions: above }) })
  const { id } = await ann.createSubscription({ body: subscription(fullname, { resources: ['acme.hook'] }) })
  const emit = (value: bigint) => node.emit([transfer, word(1n), word(2n)], word(value))
  await until(
    () => ann.getTrigger({ fullname }),
    ({ status }) => status.status !== 'broken',
  )
  for (const value of [13n, 14n]) await emit(value)
  const alerts = await until(
    async () => told(id),
    (all) => all.length > 0,
  )
  expect(alerts.map(({ raw }) => raw.params.value)).toEqual(['14'])
  const block = Number(await node.request('eth_blockNumber')) - 1
  const tested = await ann.testTriggerBlock({
    body: { triggerSpec, providers: [limit], transform: null, outputSchema: {}, conditions: above, block },
  })
  expect(tested).toMatchObject({
    output: null,
    debug: { conditions: [{ param: 'source.params.value', value: '13', wanted: '13', held: false }] },
  })
})

test.each<[string, object, string, string]>([
  [
    'an unknown parameter',
    { conditions: { ...above, param: 'source.params.valeu' } },
    'conditions.param',
    'source.params.value',
  ],
  [
    'an unknown field',
    { conditions: { ...above, param: 'source.blockNumer' } },
    'conditions.param',
    'source.blockNumber',
  ],
  [
    'a provider that is not there',
    { conditions: { ...above, value: { path: 'providers.limt' } } },
    'conditions.value.path',
    '"limit"',
  ],
  [
    'an argument of a provider',
    {
      providers: [
        {
          ...limit,
          args: ['{{source.params.form}}'],
          method: 'f',
          abiFragment: 'function f(address) view returns (uint256)',
        },
      ],
    },
    'providers.0.args.0',
    'source.params.from',
  ],
  [
    'a template',
    { defaults: { title: '{{number raw.params.amonut}} {{raw.params.vale}}' } },
    'defaults.title',
    'raw.params.value',
  ],
  [
    'a filter',
    { filtersSchema: { to: { type: 'address', sourcePath: 'params.too' } } },
    'filtersSchema.to.sourcePath',
    'params.to',
  ],
  [
    'a factor that is no number',
    { conditions: { ...above, value: { path: 'providers.limit', times: 'two' } } },
    'conditions.value.times',
    'decimal number',
  ],
])('%s that can never exist is refused at the save', async (_, extra, path, message) => {
  const fullname = 'acme.p.refused'
  const body = trigger(fullname, { triggerSpec, providers: [limit], ...extra })
  const error = await rejects(shared.ann.saveTrigger({ fullname, body }), { code: 'invalid_payload', status: 400 })
  const issues = (error.details as { issues: { path: string; message: string }[] }).issues
  expect(
    issues
      .filter((issue) => issue.path === path)
      .map((issue) => issue.message)
      .join(),
  ).toContain(message)
})

test('a subscriber of items names a parameter that is there, or the save is refused', async () => {
  const conditions = { param: 'params.vale', op: 'gt', value: 1 } as const
  const body = subscription('acme.p.moved', { conditions })
  const error = await rejects(shared.ann.createSubscription({ body }), { code: 'invalid_payload' })
  expect(JSON.stringify(error.details)).toContain('did you mean params.value?')
  const deeper = { param: 'params.value', op: 'gt', value: { path: 'params.vlaue' } } as const
  const other = await rejects(
    shared.ann.createSubscription({ body: subscription('acme.p.moved', { conditions: deeper }) }),
    { code: 'invalid_payload' },
  )
  expect(JSON.stringify(other.details)).toContain('conditions.value.path')
})

test.each<[string, string, object, string | undefined]>([
  ['the contract of a log', 'moved', { amount: '5' }, undefined],
  ['a value of the item', 'moved', { amount: '5', token: '{{source.params.to}}' }, undefined],
  ['an address', 'moved', { amount: '5', token: `0x${'1'.repeat(40)}` }, undefined],
  ['a name', 'moved', { amount: '5', token: 'USDC' }, 'policy.above.token'],
  ['a field that is not there', 'moved', { amount: '5', token: '{{source.params.token}}' }, 'policy.above.token'],
  ['the result of a provider', 'moved', { amount: '5', token: '{{providers.token}}' }, 'policy.above.token'],
  ['a block, which has none', 'blocks', { amount: '5' }, 'policy.above'],
  ['decimals of a block', 'blocks', { amount: '5', decimals: 9 }, undefined],
])('a policy in units of %s', async (_, name, above, path) => {
  const { ann } = shared
  const blocks = trigger('acme.p.blocks', { triggerSpec: { type: 'evm_block', dataSource: 'acme.n' } })
  if (name === 'blocks') await ann.saveTrigger({ fullname: 'acme.p.blocks', body: blocks })
  const policy = { type: 'threshold', value: 'gasUsed', above } as Policy
  const saved = ann.createSubscription({ body: subscription(`acme.p.${name}`, { policy }) })
  if (path === undefined) expect(await saved).toMatchObject({ policy })
  else expect((await rejects(saved, { code: 'invalid_payload' })).details).toMatchObject({ issues: [{ path }] })
})
