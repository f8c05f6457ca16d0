import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from './harness/following.ts'
import { type HouseWithHook, houseWithHook } from './harness/house-with-hook.ts'
import { customSource, subscription, trigger } from './harness/index.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'
import { emitter } from './nodes/evm-contracts.ts'
import { faultyEndpoint } from './nodes/faulty-endpoint.ts'

/** Amounts are in whole tokens by the token's own decimals, in filters, values and messages. */

const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

let shared: HouseWithHook
let node: EvmNode
/** Every contract of the node is a token with six decimals. */
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
  const { actions } = await ann.listCoreActions()
  const action = actions.find(({ type }) => type === 'erc20_transfer')
  if (!action) throw new Error('there is no such action')
  const { triggerSpec, inputs, filtersSchema, outputSchema, transform, defaults } = action
  const spec = { ...triggerSpec, dataSource: 'acme.n' } as typeof triggerSpec
  const body = trigger('acme.p.moved', { triggerSpec: spec, inputs, filtersSchema, outputSchema, transform, defaults })
  await ann.saveTrigger({ fullname: 'acme.p.moved', body })
})
afterAll(async () => {
  await shared.house.close()
  shared.receiver.close()
  await chain.close()
  await node.close()
})

const told = () => shared.receiver.received.map(({ body }) => JSON.parse(body).data)

test('a filter on an amount of a token with six decimals holds from this many whole tokens on', async () => {
  const { ann } = shared
  const conditions = [
    { param: 'value', op: 'gte' as const, value: 100 },
    { param: 'value', op: 'gte' as const, value: { amount: '100' } },
  ]
  const ids: string[] = []
  for (const one of conditions) {
    const asked = subscription('acme.p.moved', { resources: ['acme.hook'], conditions: one })
    ids.push((await ann.createSubscription({ body: asked })).id)
  }
  await until(
    () => ann.getCustomSource({ fullname: 'acme.n' }),
    ({ status, runtime }) => status.status === 'running' && runtime?.processedBlock !== undefined,
  )
  for (const amount of [99_999_999n, 100_000_000n, 1_250_500_000n])
    await node.emit([transfer, word(1n), word(2n)], word(amount))
  await until(
    async () => told().length,
    (count) => count >= 4,
  )
  const values = told().map(({ subscription: id, human }) => [ids.indexOf(id), human.value])
  expect(values.toSorted()).toEqual([
    [0, '100'],
    [0, '1250.5'],
    [1, '100'],
    [1, '1250.5'],
  ])
  expect(new Set(told().map(({ message }) => message.short.split(' ')[0]))).toEqual(new Set(['100', '1,250.5']))
})

test('the message and the values of a token whose contract tells no decimals say so, and take those of the input', async () => {
  const { ann, receiver } = shared
  hasDecimals = false
  const bare = await node.deploy(emitter(3))
  receiver.received.length = 0
  const without = await ann.createSubscription({ body: subscription('acme.p.moved', { resources: ['acme.hook'] }) })
  const given = { inputs: { decimals: 3 }, resources: ['acme.hook'] }
  await ann.createSubscription({ body: subscription('acme.p.moved', given) })
  const words = [transfer, word(1n), word(2n), word(1_500n)].map((each) => each.slice(2))
  await node.send({ to: bare, data: `0x${words.join('')}` })
  await until(
    async () => told().length,
    (count) => count >= 2,
  )
  const texts = (isBare: boolean) =>
    told()
      .filter(({ subscription: id }) => (id === without.id) === isBare)
      .map(({ human, message }) => [human.value, message.short.replace(/ moved from .*/, '')])
  expect(texts(true)).toEqual([['1500 (decimals unknown)', '1500 (decimals unknown)']])
  expect(texts(false)).toEqual([['1.5', '1.5']])
})
