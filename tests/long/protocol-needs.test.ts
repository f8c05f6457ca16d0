import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BodyInput, Routes } from '@tocsin/contract'
import { type Abi, encodeAbiParameters, encodeEventTopics, pad, parseAbi, toFunctionSelector, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { needs } from '../../scripts/reference/cookbook-page.ts'
import { type Receiver, startReceiver } from '../harness/deliveries.ts'
import { query, until } from '../harness/following.ts'
import { checkedClient, customSource, type Harness, harness, type Person, project, resource } from '../harness/index.ts'
import { type EvmNode, startEvmNode } from '../nodes/evm.ts'
import { answers, anyEmitter, delegating, emission, numberedEmitter, values } from '../nodes/evm-contracts.ts'
import { faultyEndpoint } from '../nodes/faulty-endpoint.ts'

/**
 * The recipes of `docs/cookbook/` for what the team of a protocol wants to be told, live on a node: an hour and a quarter in
 * which true and nearly true things happen, while the service is stopped for 70 s (600 to 670) and the node is down for
 * 60 s (1200 to 1260). Times are in seconds since the first block; the clock of the service and the times of the blocks are
 * set together. Only the source, the contracts, the rate of blocks and the six days of a vote are replaced in a recipe.
 *
 * | time | what it is for |
 * |---|---|
 * | 60 | before |
 * | 605 to 665 | the service is stopped |
 * | 700, 760 | after the restart; a block with alerts is replaced by another |
 * | 1205 to 1255 | the node is down |
 * | 1300 | after both |
 * | to 4300 | the hours of sums and digests end |
 */

let house: Harness
let token: string
let receiver: Receiver
let node: EvmNode
let gate: Awaited<ReturnType<typeof faultyEndpoint>>
let isDown = false
let startSeconds = 0
let nowSeconds = 0
let baseFeeGwei = 1n

const folder = fileURLToPath(new URL('../../docs/cookbook/', import.meta.url))
const text = (kind: string, name: string) => readFileSync(`${folder}${kind}/${name}.yaml`, 'utf8')
const wallet = (digit: string) => `0x${digit.repeat(40)}`
const listed = '0x28c6c06298d514db089934071355e5743bf21d60'
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const placeholder = '0x2222222222222222222222222222222222222222'

/** The recipes by the needs that they meet; some are live twice, once for what must stay silent. */
const recipes = [...new Set(Object.values(needs).flat())]
/** What must be told, as lines of `told`. */
const wanted: string[] = []
/** The names of subscriptions by their ids. */
const names = new Map<string, string>()
const contracts: Record<string, string> = {}

function ann(): Person {
  return Object.assign(checkedClient(house.url, token), { id: '', email: '', token })
}

type Trigger = BodyInput<Routes['saveTrigger']>
type Subscription = BodyInput<Routes['createSubscription']>

/** A definition with what this test replaces. */
function adapted(source: string, replaced: Record<string, string>): unknown {
  const all = { 'common.ethereum': 'docs.n', 'every: 5': 'every: 1', "for: '6d'": "for: '10m'", ...replaced }
  return parse(Object.entries(all).reduce((whole, [from, to]) => whole.replaceAll(from, to), source))
}

/** Saves a recipe and subscribes to it. `as` is the name of another copy of it. */
async function live(name: string, replaced: Record<string, string> = {}, as = name): Promise<void> {
  const mine = { [`docs.cookbook.${name}`]: `docs.cookbook.${as}`, [`name: ${name}`]: `name: ${as}`, ...replaced }
  const body = adapted(text('triggers', name), mine) as Trigger
  await ann().saveTrigger({ fullname: body.fullname, body })
  const { key: _, ...subscription } = adapted(text('subscriptions', name), mine) as Subscription & { key: string }
  const { id } = await ann().createSubscription({ body: { ...subscription, resources: ['docs.hook'] } })
  names.set(id, as)
}

type Action = { to: string; data?: string; value?: bigint; from?: string }

/** A block of this time with these transactions; returns their hashes. */
async function block(seconds: number, actions: readonly Action[] = []): Promise<string[]> {
  await node.request('hardhat_setNextBlockBaseFeePerGas', [toHex(baseFeeGwei * 10n ** 9n)])
  const hashes: string[] = []
  for (const { from = node.account, value = 0n, ...action } of actions) {
    const paid = {
      from,
      gas: from === node.account ? '0x3d0900' : '0xc350',
      gasPrice: toHex(1000n * 10n ** 9n),
      value: toHex(value),
    }
    hashes.push(String(await node.request('eth_sendTransaction', [{ ...paid, ...action }])))
  }
  await node.request('evm_mine', [toHex(startSeconds + seconds)])
  return hashes
}

type Args = Record<string, unknown>
const ofType: Record<string, unknown> = { address: wallet('c'), bytes: '0x', string: 'text', bytes32: pad('0x7') }

/** A call that makes a contract emit this event, with values for the parameters that are not given. */
function event(contract: string, line: string, args: Args = {}): Action {
  const [entry] = parseAbi([line] as readonly string[])
  if (entry?.type !== 'event') throw new Error(`${line} is no event`)
  const inputs: readonly { name?: string; type: string; indexed?: boolean }[] = entry.inputs
  const whole = Object.fromEntries(
    inputs.map(({ name = '', type }) => [name, args[name] ?? (type.endsWith('[]') ? [] : (ofType[type] ?? 5n))]),
  )
  const abi: Abi = [entry]
  const topics = encodeEventTopics({ abi, eventName: entry.name, args: whole })
  const plain = inputs.filter(({ indexed }) => !indexed)
  const data = encodeAbiParameters(
    plain,
    plain.map(({ name = '' }) => whole[name]),
  )
  return { to: contract, data: emission(topics as string[], data) }
}

/** A call that stores a word of a contract of values. */
function store(contract: string | undefined, signature: string, value: bigint, more = 0n): Action {
  const slot = BigInt(toFunctionSelector(signature)) + more
  return { to: contract ?? '', data: `${pad(toHex(slot))}${pad(toHex(value)).slice(2)}` }
}

const at = (name: string) => contracts[name] ?? ''
const linesOf = (name: string) =>
  [
    (parse(text('triggers', name)) as { triggerSpec: { abiFragment: string | string[] } }).triggerSpec.abiFragment,
  ].flat()

async function setClock(seconds: number): Promise<void> {
  house.clock.advance((seconds - nowSeconds) * 1000)
  nowSeconds = seconds
}

/** Waits until all blocks are read, their matches evaluated, all timers that are due fired, and all alerts delivered. */
async function settle(): Promise<void> {
  const head = Number(await node.request('eth_blockNumber'))
  await until(
    () => query<{ number: string }>(house, "select number from followers where source = 'docs.n'"),
    (rows) => rows.length > 0 && rows.every(({ number }) => Number(number) >= head),
  )
  await evaluated()
  await timersFired()
  await evaluated()
  await until(
    () => query(house, "select 1 from alerts where status = 'pending'"),
    (rows) => rows.length === 0,
  )
}

async function evaluated(): Promise<void> {
  await until(
    () => query(house, "select 1 from pgboss.job where name like 'evaluate%' and state < 'completed'"),
    (rows) => rows.length === 0,
  )
}

/** Jobs start by the clock of the database, so those that are due by the clock of the service are started here. */
async function timersFired(): Promise<void> {
  await until(
    async () => {
      await query(
        house,
        "update pgboss.job set start_after = now() where name = 'policy' and start_after > now() and start_after <= $1",
        [house.clock.now()],
      )
      return query<{ due: Date; id: string }>(
        house,
        'select due_at as due, subscription_id as id from policy_states where due_at is not null',
      )
    },
    (rows) => rows.every(({ due }) => due > house.clock.now()),
  )
}

async function step(seconds: number, actions: readonly Action[] = []): Promise<string[]> {
  const hashes = await block(seconds, actions)
  await setClock(seconds)
  await settle()
  return hashes
}

type Sent = {
  type: string
  data: {
    id: string
    subscription: string
    state: string | null
    raw: { transactionHash?: string; hash?: string } | null
    policy?: { count?: number }
  }
}

/** One line for each webhook: what was told, of which transaction or at which time. */
async function told(): Promise<string[]> {
  const rows = await query<{ id: string; at: Date }>(house, 'select id, item_at as at from alerts')
  const times = new Map(rows.map(({ id, at }) => [id, at.getTime() / 1000 - startSeconds]))
  return receiver.received.map(({ body }) => {
    const { type, data } = JSON.parse(body) as Sent
    const digest = data.raw === null ? `of ${data.policy?.count}` : undefined
    const what = data.state ?? data.raw?.transactionHash ?? data.raw?.hash ?? digest
    const when = data.state || !what ? `at ${times.get(data.id)}` : ''
    return [`${names.get(data.subscription)}:`, type, what, when].filter((part) => part).join(' ')
  })
}

const transfer = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const withdraw =
  'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)'
const swap =
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)'
const pairCreated = 'event PairCreated(address indexed token0, address indexed token1, address pair, uint256 length)'
const worked = 'event Worked(uint256 round)'
const dollars = (amount: number) => BigInt(Math.round(amount * 1_000_000))
/** Recipes that tell every one of their events. */
const ofEvents = [
  'roles',
  'ownership',
  'proxy-upgrade',
  'timelock',
  'governor',
  'safe',
  'pause-and-unpause',
  'collection',
]
const keepers = { refilled: wallet('a'), short: wallet('b'), refilledLate: wallet('d'), shortLate: wallet('e') }

beforeAll(async () => {
  house = await harness({ ROLE: 'all', ALLOW_PRIVATE_NETWORKS: 'on' })
  receiver = await startReceiver()
  node = await startEvmNode({ traces: 'debug_traceBlockByHash' })
  gate = await faultyEndpoint(node.url, () => (isDown ? (response) => void response.destroy() : undefined))
  token = (await house.person('ann')).token
  house.clock.stop()
  startSeconds = Math.floor(house.clock.now().getTime() / 1000) + 1
  house.clock.advance(startSeconds * 1000 - house.clock.now().getTime())
  await deployAll()
  await ann().saveWorkspace({ fullname: 'docs', body: { fullname: 'docs' } })
  await ann().saveProject({ fullname: 'docs.cookbook', body: project('docs.cookbook') })
  const hook = resource('docs.hook', { data: { url: receiver.url } })
  await ann().saveResource({ fullname: 'docs.hook', body: hook })
  const list = parse(text('address-lists', 'exchanges')) as BodyInput<Routes['saveAddressList']>
  await ann().saveAddressList({ fullname: 'docs.exchanges', body: list })
  await ann().saveCustomSource({ fullname: 'docs.n', body: customSource('docs.n', { endpoints: [gate.url] }) })
  await begin()
  await liveAll()
  await settle()
})
afterAll(async () => {
  await house.close()
  receiver.close()
  await gate.close()
  await node.close()
})

async function deployAll(): Promise<void> {
  const emitters = ['vault-withdrawal', ...ofEvents, 'vote-ends', 'unknown-spender', 'new-pool', 'keeper-silent']
  const more = ['working', 'final-mint', 'outflow', 'outflow-below', 'factory', 'oldPool', 'newPool', 'other']
  for (const name of [...emitters, ...more]) contracts[name] = await node.deploy(anyEmitter())
  for (const name of ['share-price', 'tvl-drop', 'tvl-rise', 'oracle-age', 'oracle-fresh', 'oracle', 'pool', 'shares'])
    contracts[name] = await node.deploy(values)
  for (const name of ['failed-calls-of-vault', 'four-failed'])
    contracts[name] = await node.deploy(answers({ '0x11111111': '0x' }))
  contracts.storm = await node.deploy(numberedEmitter(3, 1_000, 1_000))
  contracts.burst = await node.deploy(numberedEmitter(3, 20, 20))
  for (const name of ['delegatecall', 'delegatecall-other'])
    contracts[name] = await node.deploy(delegating('0x1'), { '0x1': at('pool') })
  for (const keeper of [...Object.values(keepers), listed]) await node.request('hardhat_impersonateAccount', [keeper])
  await node.request('evm_setAutomine', [false])
}

/** The block of the time 0, in which nothing is wrong, and a pool that is older than its monitor. */
async function begin(): Promise<void> {
  await block(0, [
    store(at('share-price'), 'convertToAssets(uint256)', dollars(1)),
    store(at('tvl-drop'), 'totalAssets()', dollars(1_000_000)),
    store(at('tvl-rise'), 'totalAssets()', dollars(1_000_000)),
    ...['oracle-age', 'oracle-fresh'].map((name) => store(at(name), 'latestRoundData()', 5n, 1n)),
    updated('oracle-age', -2990),
    updated('oracle-fresh', -2985),
    store(at('oracle'), 'latestAnswer()', 1000n),
    store(at('pool'), 'price()', 1050n),
    store(at('shares'), 'totalAssets()', 980n),
    store(at('shares'), 'totalSupply()', 1000n),
    ...[...Object.values(keepers), listed].map((to) => ({ to, value: ether(2) })),
    event(at('factory'), pairCreated, { pair: at('oldPool') }),
  ])
}

const ether = (amount: number) => BigInt(amount * 1000) * 10n ** 15n
const updated = (feed: string, seconds: number) =>
  store(at(feed), 'latestRoundData()', BigInt(startSeconds + seconds), 3n)

async function liveAll(): Promise<void> {
  const plain = [
    'vault-withdrawal',
    ...ofEvents,
    'vote-ends',
    'unknown-spender',
    'keeper-silent',
    'final-mint',
    'outflow',
  ]
  const more = ['share-price', 'tvl-drop', 'oracle-age', 'failed-calls-of-vault', 'delegatecall', 'storm']
  for (const name of [...plain, ...more]) await live(name, { [placeholder]: at(name) })
  await live('keeper-silent', { [placeholder]: at('working') }, 'keeper-works')
  await live('outflow', { [placeholder]: at('outflow-below') }, 'outflow-below')
  await live('tvl-drop', { [placeholder]: at('tvl-rise') }, 'tvl-drop-after-rise')
  await live('oracle-age', { [placeholder]: at('oracle-fresh') }, 'oracle-fresh')
  await live('failed-calls-of-vault', { [placeholder]: at('four-failed') }, 'four-failed')
  await live('burst-in-transaction', { [placeholder]: at('burst') })
  await live('oracle-deviation', { [placeholder]: at('oracle'), [wallet('3')]: at('pool') })
  await live('shares-covered', { [placeholder]: at('shares') })
  await live('new-pool', { '0x1F98431c8aD98523631AE4a59f267346ea31F984': at('new-pool') })
  const factory = { '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f': at('factory'), 'fromBlock: 10000835': 'fromBlock: 0' }
  await live('pool-of-factory', factory)
  await live('gas-price')
  await live('listed-address')
  for (const [name, account] of Object.entries(keepers))
    await live('keeper-balance', { [wallet('1')]: account }, `keeper-${name}`)
}

/** What every phase has: events of all kinds that must be told, by the recipe that tells them, and others that must not. */
function events(phase: number): [string, Action][] {
  const own = (name: string, line: string, args?: Args): [string, Action] => [name, event(at(name), line, args)]
  const foreign = (line: string): [string, Action] => ['', event(at('other'), line)]
  const near = (name: string, line: string, args?: Args): [string, Action] => ['', event(at(name), line, args)]
  const [approval = ''] = linesOf('unknown-spender')
  const [created = ''] = linesOf('new-pool')
  const [proposal = ''] = linesOf('vote-ends')
  const unlimited = 2n ** 256n - 1n
  return [
    ...ofEvents.flatMap((name) => linesOf(name).flatMap((line) => [foreign(line), own(name, line)])),
    near('collection', transfer),
    near('roles', transfer),
    near('vault-withdrawal', withdraw, { assets: dollars(100_000) - 1n }),
    own('vault-withdrawal', withdraw, { assets: dollars(100_000) }),
    own('vault-withdrawal', withdraw, { assets: dollars(3_000_000) }),
    near('other', withdraw, { assets: dollars(3_000_000) }),
    near('unknown-spender', approval, { value: unlimited - 1n }),
    near('unknown-spender', approval, { value: unlimited, spender: listed }),
    own('unknown-spender', approval, { value: unlimited }),
    near('new-pool', created),
    own('new-pool', created, { token0: usdc }),
    own('new-pool', created, { token1: usdc }),
    near('vote-ends', proposal, { proposalId: BigInt(phase) }),
    near('other', proposal, { proposalId: 99n }),
    near('final-mint', transfer),
    own('final-mint', transfer, { from: wallet('0') }),
    near('other', transfer, { from: wallet('0') }),
    near('oldPool', swap),
    near('other', swap),
    ['', { to: at('delegatecall-other') }],
    ['delegatecall', { to: at('delegatecall') }],
    ['', { to: wallet('c'), value: 1n }],
    ['listed-address', { to: listed, value: ether(1) }],
    ['listed-address', { to: wallet('c'), from: listed }],
    ['', { to: at('failed-calls-of-vault'), data: '0x11111111' }],
  ]
}

/** A block of all events, one with a listed delegatecall and 19 transfers in a transaction, and one with 20. */
async function phase(number: number, seconds: number, more: readonly Action[] = []): Promise<void> {
  const all = events(number)
  const hashes = await block(seconds, [...all.map(([, action]) => action), ...more])
  wanted.push(...all.flatMap(([name], index) => (name === '' ? [] : [`${name}: alert ${hashes[index]}`])))
  // Its block is that of the proposal.
  wanted.push(`vote-ends: alert firing at ${seconds}`)
  await setTransfers(19)
  await setLibrary(listed)
  await block(seconds + 1, [burst(), { to: at('delegatecall') }])
  await setTransfers(20)
  await setLibrary(at('pool'))
  await block(seconds + 2, [burst()])
  wanted.push(`burst-in-transaction: alert firing at ${seconds + 2}`)
  wanted.push(`burst-in-transaction: alert.resolved resolved at ${seconds + 3}`)
}

const burst = () => ({ to: at('burst'), data: `0x${manyTransfers}` })
/** The topics and the data of a transfer, without its last topic, which the contract numbers. */
const manyTransfers = `ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef${'1'.padStart(64, '0')}${'5'.padStart(64, '0')}`
const setTransfers = (count: number) =>
  node.request('hardhat_setCode', [at('burst'), `0x${numberedEmitter(3, count, count)}`])
const setLibrary = (address: string) =>
  node.request('hardhat_setStorageAt', [at('delegatecall'), '0x1', pad(address as `0x${string}`)])

const beat = (name: string) => event(at(name), worked)
const fail = (name: string) => ({ to: at(name), data: '0x22222222' })
const spend = (keeper: string) => ({ from: keeper, to: wallet('c'), value: ether(1.6) })
const refill = (to: string) => ({ to, value: ether(1) })
const takeOut = (name: string, amount: number) => event(at(name), withdraw, { assets: dollars(amount) })

test('every need is told once and nothing else, over a restart of 70 s and an outage of the node of 60 s', async () => {
  const bothBeat = [beat('keeper-silent'), beat('working')]
  await step(10, bothBeat)
  await step(45, bothBeat)
  await phase(0, 60, [
    store(at('share-price'), 'convertToAssets(uint256)', dollars(1.019)),
    store(at('tvl-drop'), 'totalAssets()', dollars(900_001)),
    spend(keepers.refilled),
    spend(keepers.short),
    ...['outflow', 'outflow-below'].map((name) => takeOut(name, 200_000)),
    ...['failed-calls-of-vault', 'four-failed'].flatMap((name) => [fail(name), fail(name)]),
  ])
  await step(70)
  await step(80, [store(at('tvl-drop'), 'totalAssets()', dollars(1_000_000))])
  await step(340, bothBeat)
  baseFeeGwei = 150n
  await step(400)
  await step(600)

  await house.service.stop()
  await phase(1, 605)
  await block(610)
  await block(615)
  wanted.push('oracle-age: alert firing at 615')
  await block(616, [updated('oracle-fresh', 616)])
  const twoFail = [fail('failed-calls-of-vault'), fail('four-failed')]
  await block(630, [
    refill(keepers.refilled),
    store(at('share-price'), 'convertToAssets(uint256)', dollars(1.0201)),
    ...twoFail,
  ])
  wanted.push('share-price: alert at 630')
  await block(635, [beat('working')])
  await block(640, [
    spend(keepers.refilledLate),
    spend(keepers.shortLate),
    store(at('pool'), 'price()', 1051n),
    store(at('tvl-drop'), 'totalAssets()', dollars(899_000)),
    store(at('tvl-rise'), 'totalAssets()', dollars(1_500_000)),
    ...['outflow', 'outflow-below'].map((name) => takeOut(name, 300_000)),
    { to: at('storm'), data: `0x${manyTransfers}` },
    event(at('newPool'), swap),
    event(at('factory'), pairCreated, { pair: at('newPool') }),
    ...twoFail,
  ])
  wanted.push('oracle-deviation: alert firing at 640', 'tvl-drop: alert at 640')
  wanted.push('keeper-silent: alert firing at 640')
  await block(645, [takeOut('outflow', 0.000001)])
  wanted.push('outflow: alert firing at 645', 'outflow: alert.resolved resolved at 3660')
  baseFeeGwei = 70n
  await block(650, [store(at('pool'), 'price()', 1050n), store(at('tvl-rise'), 'totalAssets()', dollars(1_100_000))])
  wanted.push('oracle-deviation: alert.resolved resolved at 1245', 'tvl-drop-after-rise: alert at 650')
  await block(655, [store(at('tvl-drop'), 'totalAssets()', dollars(950_000)), fail('failed-calls-of-vault')])
  wanted.push('failed-calls-of-vault: alert firing at 655', 'failed-calls-of-vault: alert.resolved resolved at 1255')
  await block(660, [updated('oracle-age', 660)])
  wanted.push('oracle-age: alert.resolved resolved at 660', 'keeper-short: alert firing at 660')
  await block(665, [beat('keeper-silent')])
  wanted.push('keeper-silent: alert.resolved resolved at 665')
  // The timers fire before the first block is read.
  isDown = true
  await setClock(670)
  await house.restart()
  await timersFired()
  isDown = false
  await settle()

  baseFeeGwei = 100n
  await phase(2, 700, [refill(keepers.short)])
  wanted.push('keeper-short: alert.resolved resolved at 700')
  await step(710)
  await replacedBlock()
  baseFeeGwei = 150n
  await step(910)
  await step(930, bothBeat)
  await step(1200)

  isDown = true
  await phase(3, 1205)

  await block(1225, [beat('working')])
  wanted.push('gas-price: alert firing at 1225')
  await block(1230, [
    refill(keepers.refilledLate),
    store(at('share-price'), 'convertToAssets(uint256)', dollars(0.9996)),
  ])
  wanted.push('share-price: alert at 1230', 'keeper-silent: alert firing at 1230')
  await block(1235, [
    store(at('shares'), 'totalAssets()', 979n),
    store(at('tvl-drop'), 'totalAssets()', dollars(856_000)),
  ])
  wanted.push('shares-covered: alert firing at 1235', 'shares-covered: alert.resolved resolved at 1835')
  await block(1240, [
    store(at('shares'), 'totalAssets()', 980n),
    store(at('tvl-drop'), 'totalAssets()', dollars(854_000)),
  ])
  wanted.push('tvl-drop: alert at 1240', 'keeper-shortLate: alert firing at 1240')
  await block(1245, [fail('four-failed')])
  await block(1250, [beat('keeper-silent')])
  wanted.push('keeper-silent: alert.resolved resolved at 1250')
  await setClock(1260)
  await timersFired()
  isDown = false
  await settle()

  baseFeeGwei = 79n
  await phase(4, 1300, [refill(keepers.shortLate), ...bothBeat])
  wanted.push('keeper-shortLate: alert.resolved resolved at 1300', 'gas-price: alert.resolved resolved at 1300')
  for (let seconds = 1595; seconds < 4600; seconds += 295)
    await step(seconds, [...bothBeat, updated('oracle-age', seconds), updated('oracle-fresh', seconds)])
  for (let seconds = 4600; seconds < 4613; seconds++) await step(seconds)
  wanted.push('storm: alert of 1000', 'pool-of-factory: alert of 6')
  const lines = await told()
  expect({ missed: without(wanted, lines), more: without(lines, wanted) }).toEqual({ missed: [], more: [] })
})

/** The lines that are not among others, each as often as it is there more often. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return lines.filter((line) => {
    const found = left.indexOf(line)
    if (found >= 0) left.splice(found, 1)
    return found < 0
  })
}

/** A block with a withdrawal that was told and a mint that waits, and the other block that replaces it. */
async function replacedBlock(): Promise<void> {
  const snapshot = await node.request('evm_snapshot')
  const [withdrawal] = await step(760, [
    event(at('vault-withdrawal'), withdraw, { assets: dollars(200_000) }),
    event(at('final-mint'), transfer, { from: wallet('0') }),
    event(at('vote-ends'), linesOf('vote-ends')[0] ?? '', { proposalId: 50n }),
  ])
  await node.request('evm_revert', [snapshot])
  await block(760)
  await step(761)
  wanted.push(`vault-withdrawal: alert ${withdrawal}`, `vault-withdrawal: alert.retracted ${withdrawal}`)
}

test('no need of the cookbook is left out', () => {
  const missing = recipes.filter(
    (name) => ![...names.values()].some((each) => each === name || each.startsWith('keeper-')),
  )
  expect(missing).toEqual([])
})
