import { pad, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../harness/following.ts'
import {
  checkedClient,
  customSource,
  type Harness,
  harness,
  project,
  rejects,
  type Team,
  trigger,
} from '../harness/index.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'

/** Long ranges of a real node: two transfers near its first block, 15,000 blocks without any, and one at the end. */
let house: Harness
let team: Team
let node: EvmNode
let first: number
let last: number

const topic0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const emit = (value: number) => node.emit([topic0, pad('0xaa'), pad('0xbb')], pad(toHex(value)))
const head = async () => Number(await node.request('eth_blockNumber', []))
const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const spec = { type: 'evm_log', dataSource: 'acme.chain', abiFragment } as const
const definition = trigger('acme.app.moved', { triggerSpec: spec, transform: '({ amount: source.params.value })' })
const everyBlock = trigger('acme.app.block', { triggerSpec: { type: 'evm_block', dataSource: 'acme.chain' } })

beforeAll(async () => {
  node = await startEvmNode()
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  team = await house.team('acme')
  const body = customSource('acme.chain', { endpoints: [node.url], public: true })
  await team.owner.saveCustomSource({ fullname: 'acme.chain', body })
  await emit(1)
  first = await head()
  await emit(2)
  await node.request('hardhat_mine', ['0x3a98', '0xc'])
  await emit(3)
  last = await head()
})
afterAll(async () => {
  await house.close()
  await node.close()
})

const range = () => ({ fromBlock: first, toBlock: last })
const ended = (id: string, ms?: number) =>
  until(
    () => team.developer.getBacktest({ id }),
    ({ endedAt }) => endedAt !== null,
    ms,
  )

test('an estimate says what a backtest costs, and runs nothing', async () => {
  const estimate = async (body: object) =>
    (await team.developer.backtestTrigger({ body: { ...range(), estimate: true, ...body } as never })).estimate
  const blocks = last - first + 1
  expect(await estimate({ definition })).toEqual({ blocks, requests: 4, byRange: true, providers: 0 })
  const read = { id: 'minute', type: 'block_at', time: '{{source.timestamp}}000' } as const
  expect(await estimate({ definition: { ...everyBlock, providers: [read] } })).toEqual({
    ...{ blocks, requests: blocks, byRange: false, providers: 1 },
  })
  const wrong = await team.developer.backtestTrigger({
    body: { definition: trigger('acme.app.t'), ...range(), estimate: true },
  })
  expect(wrong).toMatchObject({ valid: false, issues: [{ path: 'triggerSpec' }] })
})

test('more than 10,000 blocks are a job, whose progress and result its account alone can read', async () => {
  const policy = { type: 'threshold', value: 'amount', above: 1 } as const
  const begun = await team.developer.backtestTrigger({ body: { definition, ...range(), policy } })
  expect(begun).toMatchObject({ valid: true, checkedBlocks: 0, job: expect.any(String), estimate: { byRange: true } })
  expect(begun.result).toBeUndefined()
  const id = begun.job ?? ''
  const job = await ended(id)
  const blocks = last - first + 1
  expect(job).toMatchObject({ id, state: 'done', checkedBlocks: blocks, totalBlocks: blocks, fired: 1, error: null })
  expect(job.result).toMatchObject({
    ...{ valid: true, ...range(), checkedBlocks: blocks },
    result: { matched: 3, fired: 1, resolved: 0, alerts: [{ state: 'firing', block: first + 1 }] },
  })
  await rejects(team.owner.getBacktest({ id }), { code: 'not_found' })
  await rejects(team.owner.stopBacktest({ id }), { code: 'not_found' })
})

test('up to 10,000 blocks are answered at once, also if the logs of many blocks are asked for together', async () => {
  const { result, job } = await team.developer.backtestTrigger({ body: { definition, lastBlocks: 10_000 } })
  expect(job).toBeUndefined()
  expect(result).toMatchObject({ matched: 1, fired: 1, blocks: [{ number: last }] })
})

test('a range that ends after the head counts the blocks that there are', async () => {
  const body = { definition, fromBlock: last - 20, toBlock: last + 20 }
  expect(await team.developer.backtestTrigger({ body })).toMatchObject({
    ...{ valid: true, checkedBlocks: 41, result: { matched: 1, blocks: [{ number: last }] } },
  })
})

test('a job that is stopped ends soon, with what it counted; an account has two open jobs at most', async () => {
  const start = () => team.developer.backtestTrigger({ body: { definition: everyBlock, ...range(), samples: 0 } })
  const [running, waiting] = [(await start()).job ?? '', (await start()).job ?? '']
  await rejects(start(), { code: 'limit_reached' })
  await until(
    () => team.developer.getBacktest({ id: running }),
    ({ state, checkedBlocks }) => state === 'running' && checkedBlocks > 0,
  )
  await team.developer.stopBacktest({ id: waiting })
  await team.developer.stopBacktest({ id: running })
  const stopped = await ended(running)
  expect(stopped.state).toBe('stopped')
  expect(stopped.result?.result?.fired).toBe(stopped.checkedBlocks)
  expect(stopped.checkedBlocks).toBeLessThan(stopped.totalBlocks)
  expect(await ended(waiting)).toMatchObject({ state: 'stopped', checkedBlocks: 0 })
  expect((await team.developer.stopBacktest({ id: running })).state).toBe('stopped')
})

test('a job ends when its account may no longer run the trigger', async () => {
  await team.owner.saveProject({ fullname: 'acme.app', body: project('acme.app') })
  await team.owner.saveTrigger({ fullname: 'acme.app.block', body: everyBlock })
  const begun = await team.admin.backtestTrigger({ body: { fullname: 'acme.app.block', ...range(), samples: 0 } })
  const id = begun.job ?? ''
  await until(
    () => team.admin.getBacktest({ id }),
    ({ state }) => state === 'running',
  )
  const entries = await team.owner.listAcl({ workspace: 'acme' })
  const entryId = entries.find(({ user }) => user.id === team.admin.id)?.id ?? ''
  await team.owner.deleteAclEntry({ workspace: 'acme', entryId })
  const job = await until(
    () => team.admin.getBacktest({ id }),
    ({ endedAt }) => endedAt !== null,
    30_000,
  )
  // Either check may be the first that finds the right gone.
  const error = expect.stringMatching(/^There is no (?:trigger|project) /)
  expect(job).toMatchObject({ state: 'failed', error, result: null })
})

test('a job fails clearly when the service is restarted, or when its process is gone', async () => {
  const begun = await team.developer.backtestTrigger({ body: { definition: everyBlock, ...range(), samples: 0 } })
  const id = begun.job ?? ''
  await until(
    () => team.developer.getBacktest({ id }),
    ({ state }) => state === 'running',
  )
  await house.restart()
  Object.assign(team.developer, checkedClient(house.url, team.developer.token))
  expect(await ended(id)).toMatchObject({
    state: 'failed',
    error: expect.stringMatching(/Begin .* again/),
    result: null,
  })
  const gone = { id: 'gone', accountId: team.developer.id, workspaceId: null, fromBlock: 0, toBlock: 20_000 }
  await house.service.store.backtests.add(gone, new Date(house.clock.now().getTime() - 61_000))
  expect(await team.developer.getBacktest({ id: 'gone' })).toMatchObject({
    ...{ state: 'failed', error: expect.stringContaining('the service was restarted') },
  })
})

test('the latest match is found thousands of blocks back, and the answer says how far it looked', async () => {
  const find = (more: object) => team.developer.findLatestBlock({ body: { triggerSpec: spec, ...more } })
  const conditions = { param: 'source.params.value', op: 'lt', value: 3 } as const
  expect(await find({ conditions })).toMatchObject({
    ...{ valid: true, matched: true, matchedBlock: first + 1, latestBlock: last, input: { params: { value: '2' } } },
    ...{ checkedBlocks: last - first, oldestBlock: first + 1 },
  })
  const none = { ...conditions, op: 'gt' } as const
  expect(await find({ conditions: none })).toMatchObject({
    ...{ valid: true, matched: false, checkedBlocks: last + 1, oldestBlock: 0 },
  })
  expect(await find({ conditions, maxBlocks: 5 })).toMatchObject({
    matched: false,
    checkedBlocks: 5,
    oldestBlock: last - 4,
  })
})
