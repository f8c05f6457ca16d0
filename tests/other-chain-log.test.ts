import { keccak256, pad, toBytes, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from './harness/following.ts'
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
import { faultyEndpoint } from './nodes/faulty-endpoint.ts'

/** Two chains: deposits on `acme.here`, mints on `acme.there`. Their blocks have the times that a test gives them. */
let house: Harness
let ann: Person
let here: EvmNode
let there: EvmNode
let isThereDown = false
/** The calls that failed because the node was down. */
let failedCalls = 0
let startS: number
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  house = await harness({ ROLE: 'all', ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
  here = await startEvmNode()
  there = await startEvmNode({ chainId: 31338 })
  const endpoint = await faultyEndpoint(there.url, () => {
    if (isThereDown) failedCalls += 1
    return isThereDown ? (response) => void response.writeHead(503).end() : undefined
  })
  closing.push(house.close, here.close, endpoint.close, there.close)
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  for (const [fullname, url] of [
    ['acme.here', here.url],
    ['acme.there', endpoint.url],
  ] as const)
    await ann.saveCustomSource({ fullname, body: customSource(fullname, { endpoints: [url] }) })
  startS = Math.floor(Date.now() / 1000)
  await deposit(startS - 5, 0)
  contracts.mint = await mint(startS - 5, 0)
})
afterAll(async () => {
  for (const close of closing) await close()
})

const contracts = { mint: '' }
const deposited = 'event Deposited(bytes32 indexed id, uint256 amount)'
const minted = 'event Minted(bytes32 indexed id, uint256 amount)'
const emit = async (node: EvmNode, seconds: number, signature: string, id: number) => {
  await node.request('evm_setNextBlockTimestamp', [seconds])
  const { contract } = await node.emit([keccak256(toBytes(signature)), pad(toHex(id))], pad('0x05'))
  return contract
}
const deposit = (seconds: number, id: number) => emit(here, seconds, 'Deposited(bytes32,uint256)', id)
const mint = (seconds: number, id: number) => emit(there, seconds, 'Minted(bytes32,uint256)', id)
const block = async (node: EvmNode, seconds: number) => {
  await node.request('evm_setNextBlockTimestamp', [seconds])
  await node.send({ to: `0x${'cc'.repeat(20)}` })
}

const spec = { type: 'evm_log', dataSource: 'acme.here', abiFragment: deposited } as const
const provider = (more: object = {}) => ({
  ...{ id: 'minted', type: 'other_chain_log' as const, source: 'acme.there', contract: contracts.mint },
  ...{ event: 'Minted', abiFragment: minted, match: { id: '{{source.params.id}}' }, within: '2m' },
  ...more,
})
const missing = { param: 'providers.minted', op: 'eq' as const, value: null }
const definition = (fullname: string, more: object = {}) =>
  trigger(fullname, {
    ...{ triggerSpec: spec, providers: [provider(more)], conditions: missing },
    transform: '({ id: Number(source.params.id) })',
  })
const idOf = ({ output }: { output: { raw: unknown } }) => (output.raw as { id: number }).id

test('a deposit without a mint is told once the other chain shows it, also over a restart and while that chain is down', async () => {
  const fullname = 'acme.p.pairs'
  await ann.saveTrigger({ fullname, body: definition(fullname) })
  const made = await ann.createSubscription({ body: subscription(fullname) })
  const alerts = async () => {
    const listed = await ann.listAlerts({ query: { subscription: made.id } })
    return Promise.all(listed.map((alert) => ann.getAlert({ id: alert.id })))
  }
  const parked = async () =>
    (await house.database.query("select 1 from pgboss.job where name = 'evaluate' and state = 'created'")).rowCount
  // 1 is minted, 2 never, 3 after its time, and 4 on another contract.
  for (const [at, id] of [1, 2, 3, 4].entries()) await deposit(startS + at, id)
  await mint(startS + 10, 1)
  await until(parked, (count) => count === 3)
  isThereDown = true
  await house.restart()
  Object.assign(ann, checkedClient(house.url, ann.token))
  await until(
    async () => failedCalls,
    (count) => count > 3,
  )
  isThereDown = false
  await mint(startS + 3 + 125, 3)
  expect(await alerts()).toEqual([])
  await block(there, startS + 160)
  const told = await until(alerts, (found) => found.length === 3, 30_000)
  expect(told.map(idOf).sort()).toEqual([2, 3, 4])
  await until(parked, (count) => count === 0)
  expect((await alerts()).map(idOf).sort()).toEqual([2, 3, 4])
})

test('a test makes one attempt: the log, null, or a sentence that says what is still open', async () => {
  const test = async (id: number, more: object = {}) => {
    const { triggerSpec, transform } = definition('acme.p.tested')
    const blockOf = async (wanted: number) => {
      const head = Number(await here.request('eth_blockNumber'))
      for (let number = head; number > 0; number--) {
        const logs = (await here.request('eth_getLogs', [{ fromBlock: toHex(number), toBlock: toHex(number) }])) as {
          topics: string[]
        }[]
        if (Number(logs[0]?.topics[1]) === wanted) return number
      }
      throw new Error(`no deposit ${wanted}`)
    }
    return ann.testTriggerBlock({
      body: {
        ...{ triggerSpec: triggerSpec ?? null, providers: [provider(more)], outputSchema: null },
        ...{ transform: transform ?? '', block: await blockOf(id) },
      } as never,
    })
  }
  const found = await test(1)
  expect(found).toMatchObject({ valid: true })
  const open = await test(2, { within: '1h' })
  expect(open).toMatchObject({ valid: false, issues: [{ path: 'providers.0' }] })
  expect(open.issues[0]?.message).toMatch(
    /^no such log yet: the newest block of acme\.there is of .*Z, and a block after/,
  )
  expect(await test(2)).toMatchObject({ valid: true, issues: [] })
})

test('a backtest takes it: it reads the other chain at the times of the past items', async () => {
  const toBlock = Number(await here.request('eth_blockNumber'))
  const { result } = await ann.backtestTrigger({
    body: { definition: definition('acme.p.past'), fromBlock: 0, toBlock, samples: 10 },
  })
  expect(result).toMatchObject({ matched: 5, failed: 0 })
  expect(result?.samples.map(({ raw }) => (raw as { id: number }).id).sort()).toEqual([2, 3, 4])
})

test('a provider whose failure would look like a missing log, or whose match can never fit, is refused', async () => {
  const issuesOf = async (more: object) => {
    const body = definition('acme.p.wrong', more)
    return (await ann.validateTriggerDraft({ fullname: 'acme.p.wrong', body })).issues
  }
  expect(await issuesOf({ optional: true })).toMatchObject([{ path: 'providers.0.optional' }])
  expect(await issuesOf({ match: { ID: 5 } })).toMatchObject([
    { path: 'providers.0.match.ID', message: 'the event has no parameter "ID"' },
  ])
  expect(await issuesOf({ event: 'Burned' })).toMatchObject([{ path: 'providers.0.event' }])
  expect(await issuesOf({ within: '2h' })).toMatchObject([{ path: 'providers.0.within' }])
  expect(await issuesOf({ contract: 'nobody' })).toMatchObject([{ path: 'providers.0.contract' }])
})

test('the other source must be one that the caller may read', async () => {
  const eve = await house.person('eve')
  const timer = { type: 'timer', interval: '5m' } as const
  const asked = eve.testProvider({ body: { triggerSpec: timer, provider: provider({ match: {} }) } })
  await rejects(asked, { code: 'not_found', status: 404 })
})
