import type { BodyInput, Routes } from '@tocsin/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customSource, type Harness, harness, project, rejects, type Team, trigger } from './harness/index.ts'
import { type EvmNode, startEvmNode } from './nodes/evm.ts'
import { answer } from './nodes/evm-contracts.ts'

/** Past blocks of a real node: amounts 1 to 5, one per block, with an empty block after each. */
let house: Harness
let team: Team
let node: EvmNode
let first: number
/** A contract that answers every call with 2, so it is a token with two decimals. */
let token: string
let last: number

const topic0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const word = (hex: string) => `0x${hex.padStart(64, '0')}`
const head = async () => Number(await node.request('eth_blockNumber', []))
const fullname = 'acme.app.moved'
const definition = (minimum: number): BodyInput<Routes['saveTrigger']> =>
  trigger(fullname, {
    triggerSpec: {
      type: 'evm_log',
      dataSource: 'acme.chain',
      abiFragment: 'event Transfer(address indexed from, address indexed to, uint256 value)',
    },
    activation: `Number(source.params.value) >= ${minimum}`,
    transform: '({ amount: source.params.value })',
  })

beforeAll(async () => {
  node = await startEvmNode()
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  team = await house.team('acme')
  const { owner } = team
  await owner.saveCustomSource({
    fullname: 'acme.chain',
    body: customSource('acme.chain', { endpoints: [node.url], public: true }),
  })
  await owner.saveProject({ fullname: 'acme.app', body: project('acme.app', { accessLevel: 'public' }) })
  await owner.saveTrigger({ fullname, body: definition(3) })
  await node.emit([topic0, word('aa'), word('bb')], word('0'))
  token = await node.deploy(answer(word('2')))
  first = (await head()) + 1
  for (let amount = 1; amount <= 5; amount++) {
    await node.emit([topic0, word('aa'), word('bb')], word(amount.toString(16)))
    await node.send({ value: '0x1', to: `0x${'cc'.repeat(20)}` })
  }
  last = await head()
})
afterAll(async () => {
  await house.close()
  await node.close()
})

const range = () => ({ fromBlock: first, toBlock: last })

test('a backtest of a saved trigger shows how often and in which blocks it would have fired, with samples', async () => {
  const told = await team.developer.backtestTrigger({ body: { fullname, ...range() } })
  expect(told).toMatchObject({ valid: true, fromBlock: first, toBlock: last, checkedBlocks: 10 })
  expect(told.result).toMatchObject({ matched: 5, fired: 3, failed: 0 })
  expect(told.result?.blocks.map(({ number }) => number)).toEqual([first + 4, first + 6, first + 8])
  expect(told.result?.samples.map(({ raw }) => raw)).toEqual([{ amount: '3' }, { amount: '4' }, { amount: '5' }])
  expect(told.draft).toBeUndefined()
})

test('a trigger on every third block fires for the blocks whose number three divides', async () => {
  const triggerSpec = { type: 'evm_block', dataSource: 'acme.chain', every: 3 } as const
  const { result } = await team.developer.backtestTrigger({
    body: { definition: trigger('acme.app.third', { triggerSpec }), ...range() },
  })
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at).filter((number) => number % 3 === 0)
  expect(result?.blocks.map(({ number }) => number)).toEqual(numbers)
})

test('a trigger on calls counts the calls of a contract', async () => {
  const triggerSpec = { type: 'evm_call', dataSource: 'acme.chain', contract: `0x${'cc'.repeat(20)}` } as const
  const { result } = await team.developer.backtestTrigger({
    body: { definition: trigger('acme.app.called', { triggerSpec }), ...range() },
  })
  expect(result).toMatchObject({ matched: 5, fired: 5 })
})

test('conditions filter as for a subscriber, and the last N blocks end at the head', async () => {
  const conditions = { param: 'amount', op: 'eq', value: '5' } as const
  const told = await team.developer.backtestTrigger({ body: { fullname, conditions, lastBlocks: 2, samples: 0 } })
  expect(told).toMatchObject({ fromBlock: last - 1, toBlock: last, result: { fired: 1, samples: [] } })
})

test('the conditions of a definition filter before its providers run, as they do live', async () => {
  const conditions = { param: 'source.params.value', op: 'gte', value: '3' } as const
  const providers = [{ id: 'amount', type: 'javascript', source: 'Number(source.params.value) + null.x' }]
  const backtest = (extra: object, sent?: typeof conditions) =>
    team.developer.backtestTrigger({
      body: { definition: { ...definition(1), ...extra }, ...range(), ...(sent && { conditions: sent }) },
    })
  expect((await backtest({ conditions })).result).toMatchObject({ matched: 5, fired: 3, failed: 0 })
  expect((await backtest({}, conditions)).result).toMatchObject({ matched: 5, fired: 3, failed: 0 })
  expect((await backtest({ conditions, providers })).result).toMatchObject({ fired: 0, failed: 3 })
})

test('an amount of a token is compared in a backtest; without a token no item matches', async () => {
  const above = (token: string) =>
    ({ param: 'source.params.value', op: 'gte', value: { amount: '0.04', token } }) as const
  const backtest = (token: string) =>
    team.developer.backtestTrigger({
      body: { definition: { ...definition(1), conditions: above(token) }, ...range() },
    })
  expect((await backtest(token)).result).toMatchObject({ matched: 5, fired: 2, failed: 0 })
  expect((await backtest('{{source.address}}')).result).toMatchObject({ matched: 5, fired: 0, failed: 0 })
})

test('with a policy, alerts are counted: how often it would have told and resolved, the newest first', async () => {
  const threshold = { type: 'threshold', value: 'amount', above: '{{inputs.bound}}' } as const
  const all = { ...definition(0), inputs: { bound: { type: 'number' } } } as const
  const backtest = (policy: object, more: object = {}) =>
    team.developer.backtestTrigger({ body: { definition: all, ...range(), policy, ...more } as never })
  const { result } = await backtest(threshold, { inputs: { bound: 3 } })
  expect(result).toMatchObject({ matched: 5, fired: 1, resolved: 0, blocks: [{ number: first + 6, fired: 1 }] })
  expect(result?.alerts).toMatchObject([
    { state: 'firing', block: first + 6, policy: { type: 'threshold', bound: 3, value: '4' } },
  ])
  const back = { ...threshold, above: undefined, below: 2 }
  const recovered = (await backtest(back)).result
  expect(recovered).toMatchObject({ fired: 1, resolved: 1, blocks: [{ number: first }] })
  expect(recovered?.alerts?.map(({ state, block }) => [state, block])).toEqual([
    ['resolved', first + 2],
    ['firing', first],
  ])
  const conditions = { param: 'amount', op: 'gte', value: '3' } as const
  expect((await backtest({ type: 'count', count: 3, within: '1h' }, { conditions })).result).toMatchObject({
    fired: 1,
    blocks: [{ number: first + 8 }],
    samples: [{ raw: { amount: '5' } }],
  })
  expect((await backtest({ type: 'throttle', per: '1d' })).result).toMatchObject({ fired: 1, resolved: 0 })
  const change = await backtest({ type: 'change', value: 'amount', by: '90%' })
  expect(change.result?.alerts).toMatchObject([{ state: null, policy: { previous: '1', changePercent: 100 } }])
})

test('a policy also decides by the clock of the blocks, between them and at the end of the range', async () => {
  const times = await Promise.all(
    [first, last].map(async (number) => {
      const block = await node.request('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
      return Number((block as { timestamp: string }).timestamp)
    }),
  )
  const [from = 0, to = 0] = times
  expect(to - from).toBeGreaterThan(5)
  const policy = { type: 'threshold', value: 'amount', above: 4, for: '1s' } as const
  const { result } = await team.developer.backtestTrigger({ body: { definition: definition(0), ...range(), policy } })
  expect(result).toMatchObject({ fired: 1, resolved: 0, alerts: [{ state: 'firing', block: first + 8 }] })
  const silent = { definition: definition(9), ...range(), policy: { type: 'absence', within: '2s' } as const }
  const { result: nothing } = await team.developer.backtestTrigger({ body: silent })
  expect(nothing).toMatchObject({ fired: 1, blocks: [], alerts: [{ state: 'firing', block: null }] })
})

test('a wrong policy is refused, and one that cannot decide says why', async () => {
  const body = { definition: definition(0), ...range() }
  await rejects(team.developer.backtestTrigger({ body: { ...body, policy: { type: 'count', count: 2 } } as never }), {
    code: 'invalid_payload',
    status: 400,
  })
  const policy = { type: 'threshold', value: 'nothing', above: 1 } as const
  const { result } = await team.developer.backtestTrigger({ body: { ...body, policy } })
  expect(result?.issues).toEqual([{ path: 'policy', message: 'an output has no number at nothing' }])
})

test('a draft runs beside the published trigger, and the reply shows the difference', async () => {
  await team.developer.saveTriggerDraft({ fullname, body: definition(5) })
  const told = await team.developer.backtestTrigger({ body: { fullname, ...range() } })
  expect(told.draft).toMatchObject({ fired: 1 })
  expect(told.difference).toEqual({ onlyPublished: [first + 4, first + 6], onlyDraft: [] })
  await team.developer.deleteTriggerDraft({ fullname })
})

test('any account that may read the source can run a definition that is not saved', async () => {
  const told = await team.stranger.backtestTrigger({ body: { definition: definition(1), ...range() } })
  expect(told.result).toMatchObject({ fired: 5 })
})

test('progress events come before the result', async () => {
  const names: string[] = []
  let result: unknown
  for await (const { event, data } of await team.developer.progress.backtestTrigger({
    body: { fullname, ...range() },
  })) {
    names.push(event)
    result = data
  }
  expect(names).toEqual(['progress', 'result'])
  expect(result).toMatchObject({ valid: true, result: { fired: 3 } })
})

test('failing scripts are counted and reported', async () => {
  const body = { definition: { ...definition(0), transform: 'nothing.here' }, ...range() }
  const told = await team.owner.backtestTrigger({ body })
  expect(told.result).toMatchObject({ fired: 0, failed: 5 })
  expect(told.result?.issues[0]).toMatchObject({ path: 'transform.source' })
})

test('a trigger that cannot run on past blocks says why', async () => {
  const timer = { definition: trigger(fullname), lastBlocks: 1 }
  expect(await team.owner.backtestTrigger({ body: timer })).toMatchObject({ valid: false })
  const broken = { definition: { ...definition(1), transform: 'return (' }, lastBlocks: 1 }
  expect(await team.owner.backtestTrigger({ body: broken })).toMatchObject({
    valid: false,
    issues: [{ path: 'transform.source' }],
  })
})

test.each([
  ['neither a name nor a definition', { lastBlocks: 1 }],
  ['no blocks', { fullname }],
  ['half a range', { fullname, fromBlock: 1 }],
  ['a range backwards', { fullname, fromBlock: 2, toBlock: 1 }],
  ['more than 100,000 blocks', { fullname, fromBlock: 0, toBlock: 100_000 }],
])('%s is refused', async (_, body) => {
  await rejects(team.owner.backtestTrigger({ body }), { code: 'invalid_payload' })
})

test('it runs with the trigger’s own secrets, so only its developers may run it', async () => {
  await rejects(house.nobody.backtestTrigger({ body: { fullname, lastBlocks: 1 } }), { code: 'unauthenticated' })
  await rejects(team.user.backtestTrigger({ body: { fullname, lastBlocks: 1 } }), { code: 'forbidden' })
  await rejects(team.stranger.backtestTrigger({ body: { fullname, lastBlocks: 1 } }), { code: 'forbidden' })
})
