import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SourceItem } from '../../server/src/engine/base/source-item.ts'
import { type Following, follow, query, queued, until } from '../harness/following.ts'
import { customSource, type Harness, harness, type Person, project, trigger } from '../harness/index.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { type MisbehavingNode, misbehavingNode, type Scenario } from '../nodes/misbehaving-node.ts'
import { scenarios } from '../nodes/scenarios.ts'

/**
 * Every scenario has its own source, on one chain that an honest source follows too. Each must find what the honest one
 * finds: nothing is missing, and nothing comes twice.
 */
/** How many items of each kind `happen` makes. */
const happened = { evm_log: 8, evm_transaction: 8, evm_call: 8, evm_block: 4 } as const
type Kind = keyof typeof happened
type Case = {
  name: string
  scenario: Scenario
  /** What the triggers of the source listen to; logs by default. */
  kinds?: Kind[]
  /** The items that it must find; all by default. */
  readable?: Kind[]
  /** The honest node is the second endpoint. */
  hasHonest?: true
  /** The endpoint is a web socket. */
  isSocket?: true
  /** The triggers on logs name their contract. */
  namesContract?: true
}

const logsAlone: Kind[] = ['evm_log']
const both: Kind[] = ['evm_log', 'evm_transaction']
const cases: Case[] = [
  { name: 'late-blocks', scenario: scenarios.lateBlocks(2500) },
  { name: 'late-blocks-announced', scenario: scenarios.lateBlocks(2500), isSocket: true },
  { name: 'three-calls-a-second', scenario: scenarios.callsPerSecond(3) },
  { name: 'every-fifth-call-refused', scenario: scenarios.everyFifthCallRefused() },
  {
    // Block, logs and six receipts: more calls for one block than the endpoint answers in a row.
    name: 'every-fifth-receipt-refused',
    scenario: scenarios.anyRefuses(scenarios.everyFifthCallRefused(), scenarios.lacksMethod(/BlockReceipts/)),
    kinds: both,
  },
  { name: 'refuses-logs-of-all', scenario: scenarios.needsAddress(), hasHonest: true },
  { name: 'refuses-block-hash', scenario: scenarios.refusesBlockHash(), hasHonest: true },
  { name: 'limits-results', scenario: scenarios.limitsResults(), hasHonest: true },
  {
    name: 'lacks-receipts',
    scenario: scenarios.lacksMethod(/Receipt/),
    kinds: both,
    hasHonest: true,
  },
  { name: 'log-numbers-per-transaction', scenario: scenarios.logNumbersPerTransaction() },
  { name: 'needs-address', scenario: scenarios.needsAddress() },
  {
    name: 'leaves-out-by-contract',
    scenario: scenarios.leavesOutByContract(),
    hasHonest: true,
    namesContract: true,
  },
  { name: 'lacks-logs', scenario: scenarios.lacksMethod(/eth_getLogs/) },
  { name: 'needs-no-logs', scenario: scenarios.lacksMethod(/eth_getLogs/), kinds: ['evm_transaction', 'evm_call'] },
  { name: 'needs-blocks-alone', scenario: scenarios.lacksMethod(/eth_getLogs|Receipt/), kinds: ['evm_block'] },
  { name: 'full-bloom', scenario: scenarios.fullBloom() },
  { name: 'null-bloom', scenario: scenarios.nullBloom() },
  { name: 'one-log-missing', scenario: scenarios.oneLogMissing(), hasHonest: true },
  { name: 'other-receipts-roots', scenario: scenarios.otherReceiptsRoots(), kinds: both },
  { name: 'unknown-types', scenario: scenarios.unknownTransactionTypes(), kinds: both, readable: logsAlone },
]

const topic0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const word = (hex: string) => `0x${hex.padStart(64, '0')}`

let house: Harness
let ann: Person
let node: EvmNode
let contract: string
let following: Following
/** Milliseconds added to the service's clock. */
let elapsed = 0
const nodes = new Map<string, MisbehavingNode>()

beforeAll(async () => {
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  node = await startEvmNode({ blockReceipts: true })
  contract = (await emit('0')).contract
  await listen('honest', [node.url], ['evm_log', 'evm_transaction', 'evm_call', 'evm_block'])
  for (const { name, scenario, kinds = logsAlone, hasHonest, isSocket, namesContract } of cases) {
    const bad = await misbehavingNode(node, scenario)
    nodes.set(name, bad)
    await listen(name, [isSocket ? bad.wsUrl : bad.url, ...(hasHonest ? [node.url] : [])], kinds, namesContract)
  }
  following = await follow(house, { now: () => performance.now() + elapsed })
  for (const name of ['honest', ...cases.map(({ name }) => name)])
    await until(
      () => ann.getCustomSource({ fullname: `acme.${name}` }),
      ({ status }) => status.status === 'running',
    )
  await happen()
})
afterAll(async () => {
  await following.stop()
  await house.close()
  for (const each of [...nodes.values(), node]) await each.close()
})

async function listen(name: string, endpoints: string[], kinds: Kind[], namesContract = false): Promise<void> {
  const dataSource = `acme.${name}`
  await ann.saveCustomSource({ fullname: dataSource, body: customSource(dataSource, { endpoints }) })
  for (const kind of kinds) {
    const fullname = `acme.p.${nameOf(name, kind)}`
    const ofLogs = { type: 'evm_log', dataSource, abiFragment, ...(namesContract && { contract }) } as const
    const triggerSpec = kind === 'evm_log' ? ofLogs : { type: kind, dataSource }
    await ann.saveTrigger({ fullname, body: trigger(fullname, { triggerSpec }) })
    await ann.createSubscription({
      body: { workspace: 'acme', project: 'acme.p', trigger: fullname, resources: [] },
    })
  }
}

const emit = (value: string) => node.emit([topic0, word('aa'), word('bb')], word(value))
const nameOf = (source: string, kind: Kind) => `${source}-${kind.slice('evm_'.length)}s`

/** A block with six transactions, each with a log; two blocks with one log each; an empty block. */
async function happen(): Promise<void> {
  await node.request('evm_setAutomine', [false])
  for (const value of ['1', '2', '3', '4', '5', '6']) await emit(value)
  await node.request('evm_mine')
  await node.request('evm_setAutomine', [true])
  for (const value of ['7', '8']) await emit(value)
  await node.request('evm_mine')
}

/**
 * The matched items, sorted, because jobs have no order. The ids of alerts are derived from the key. The index of a log is
 * left out, because it is what the node reports.
 */
async function foundBy(name: string, kind: Kind): Promise<{ key: string; item: SourceItem }[]> {
  const { id } = await ann.getTrigger({ fullname: `acme.p.${nameOf(name, kind)}` })
  const jobs = (await queued(house)).filter(({ data }) => data.triggerId === id)
  return jobs
    .flatMap(({ data }) => data.matches)
    .map(({ key, item: { index, ...item } }) => ({ key, item }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

test.each(cases)('$name: the matches are the same as with an honest node', async ({ name, kinds, readable }) => {
  for (const kind of readable ?? kinds ?? logsAlone) {
    const honest = await until(
      () => foundBy('honest', kind),
      (items) => items.length === happened[kind],
    )
    const found = await until(
      () => foundBy(name, kind),
      (items) => items.length >= honest.length,
    )
    expect(found).toEqual(honest)
  }
})

test('transactions that cannot be read break only the triggers on transactions, with the reason, until they can be read', async () => {
  const statusOf = async (kind: Kind) =>
    (await ann.getTrigger({ fullname: `acme.p.${nameOf('unknown-types', kind)}` })).status
  const broken = await until(
    () => statusOf('evm_transaction'),
    ({ status }) => status === 'broken',
  )
  expect(broken).toMatchObject({
    source: 'dependency',
    reasonCode: 'source.unreadable_transactions',
    issue: expect.stringMatching(/cannot be read since block \d+, .* no valid from/),
  })
  expect(await statusOf('evm_log')).toMatchObject({ status: 'not_tested' })
  expect(await ann.getCustomSource({ fullname: 'acme.unknown-types' })).toMatchObject({ status: { status: 'running' } })
  const later = await ann.saveTrigger({
    fullname: 'acme.p.saved-later',
    body: trigger('acme.p.saved-later', { triggerSpec: { type: 'evm_transaction', dataSource: 'acme.unknown-types' } }),
  })
  expect(later.status).toMatchObject({ status: 'broken', reasonCode: broken.reasonCode, issue: broken.issue })
  await emit('9')
  // This block must be read while its transactions are unreadable.
  const unreadable = Number(await node.request('eth_blockNumber'))
  await until(
    () => source('unknown-types'),
    ({ runtime }) => (runtime?.processedBlock ?? 0) >= unreadable,
  )
  nodes.get('unknown-types')?.turn()
  await emit('a')
  await until(
    () => statusOf('evm_transaction'),
    ({ status }) => status === 'not_tested',
  )
  expect(await foundBy('unknown-types', 'evm_transaction')).toHaveLength(1)
  const { entries } = await ann.getCustomSourceLogs({ fullname: 'acme.unknown-types', query: {} })
  expect(entries.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^The transactions of block \d+ cannot be read, so triggers on transactions are broken/),
      expect.stringMatching(/^The transactions can be read again from block \d+; blocks \d+ to \d+ gave nothing/),
    ]),
  )
})

const source = (name: string) => ann.getCustomSource({ fullname: `acme.${name}` })

test('a block that becomes readable later never sets the status to error', async () => {
  for (const name of ['late-blocks', 'late-blocks-announced']) {
    expect((await source(name)).status.status).toBe('running')
    const { entries } = await ann.getCustomSourceLogs({ fullname: `acme.${name}`, query: { limit: '500' } })
    expect(entries.filter(({ level }) => level !== 'info')).toEqual([])
  }
})

test('an endpoint that refuses a call which another answers is named in the log once, with its message', async () => {
  const { entries } = await ann.getCustomSourceLogs({ fullname: 'acme.lacks-receipts', query: { limit: '500' } })
  const warnings = entries.filter(({ level }) => level === 'warn').map(({ message }) => message)
  expect(warnings).toEqual([expect.stringMatching(/the method does not exist or is not available/)])
})

test('a source that cannot be verified at first starts at the head of that time', async () => {
  let isReady = false
  const notReady = { error: { code: -32000, message: 'the node is not ready' } }
  const bad = await misbehavingNode(node, {
    refuse: ({ params }) => (isReady || params[0] === 'latest' ? undefined : notReady),
  })
  nodes.set('late-start', bad)
  await listen('late-start', [bad.url], ['evm_log'])
  await until(
    async () => bad.calls,
    (calls) => calls.filter((method) => method === 'eth_chainId').length > 1,
  )
  await emit('b')
  await node.request('hardhat_mine', ['0x50'])
  isReady = true
  const found = await until(
    () => foundBy('late-start', 'evm_log'),
    (items) => items.length > 0,
  )
  expect(found).toMatchObject([{ item: { params: { value: '11' } } }])
})

test('a source with a frozen head is lagging, with the seconds counted, until there is a new block', async () => {
  const bad = await misbehavingNode(node)
  nodes.set('frozen', bad)
  // Over a web socket each head is read at once.
  await listen('frozen', [bad.wsUrl], ['evm_log'])
  for (let at = 0; at < 10; at += 1) {
    await node.request('evm_mine')
    const number = Number(await node.request('eth_blockNumber'))
    await until(
      () => query<{ head: string }>(house, "select head from followers where source = 'acme.frozen'"),
      ([row]) => Number(row?.head ?? 0) >= number,
    )
    elapsed += 1500
  }
  bad.turn(scenarios.frozenHead())
  elapsed += 72_000
  const first = await until(
    () => source('frozen'),
    ({ status }) => status.status === 'lagging',
  )
  const message = expect.stringMatching(/^No new block for [78]\d s$/)
  expect(first.status).toMatchObject({ previousStatus: 'running', message })
  elapsed += 1000_000
  await until(
    () => source('frozen'),
    ({ status }) => /^No new block for 1[01]\d\d s$/.test(status.message ?? ''),
  )
  bad.turn()
  await node.request('evm_mine')
  const back = await until(
    () => source('frozen'),
    ({ status }) => status.status === 'running',
  )
  expect(back.status.message).toBeUndefined()
})

test('a source in error shows no lag', async () => {
  const bad = await misbehavingNode(node)
  nodes.set('down', bad)
  await listen('down', [bad.url], ['evm_log'])
  await until(
    () => source('down'),
    ({ status, runtime }) => status.status === 'running' && runtime?.lag === 0,
  )
  bad.turn({ refuse: () => (response) => void response.writeHead(503).end() })
  const down = await until(
    () => source('down'),
    ({ status }) => status.status === 'error',
  )
  expect(down.runtime).toMatchObject({ latestBlock: expect.any(Number) })
  expect(down.runtime).not.toHaveProperty('lag')
  const listed = (await ann.listRuntimeSources({})).find(({ fullname }) => fullname === 'acme.down')
  expect(listed).toMatchObject({ status: 'error' })
  expect(listed).not.toHaveProperty('lag')
})

test('a source that lags because of its endpoint’s limit says so in its status', async () => {
  const bad = await misbehavingNode(node, scenarios.callsPerSecond(3))
  nodes.set('limited', bad)
  await listen('limited', [bad.url], ['evm_log'])
  // Each of these blocks names its parent, as those of `hardhat_mine` do not.
  for (let mined = 0; mined < 200; mined += 1) await node.request('evm_mine')
  const cause = /^\d+ blocks behind the head\. 127\.0\.0\.1:\d+ allows about \d+ calls a second; this source needs /
  const held = await until(
    () => source('limited'),
    ({ status }) => cause.test(status.message ?? ''),
  )
  expect(held.status.status).toBe('lagging')
})
