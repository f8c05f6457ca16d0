import { keccak256 } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Service } from '../../server/src/service.ts'
import { query, until } from '../harness/following.ts'
import { type HistoryFixture, historyFixture, source } from '../harness/histories.ts'
import { subscription } from '../harness/index.ts'
import { emitter } from '../nodes/evm-contracts.ts'
import type { Call } from '../nodes/faulty-endpoint.ts'

/** What happens to a history when its process stops, and when its subscription changes. */
let fixture: HistoryFixture
let engine: Service
let skippedMs = 0
/** A snapshot two blocks before the block at which following began. */
let beforeFollowed: unknown
/** The history waits for this block. */
const heldBlock = 6
const startEngine = () => fixture.house.startEngine({ now: () => performance.now() + skippedMs })

beforeAll(async () => {
  fixture = await historyFixture({ METRICS_PORT: '0' })
  beforeFollowed = await fixture.node.request('evm_snapshot')
  for (const n of [50, 51]) await fixture.emit(n)
  engine = await startEngine()
  await fixture.processed(await fixture.headNumber())
})
afterAll(async () => {
  await engine.stop()
  await fixture.close()
})

/** Makes a history that has run over the blocks before the held one. */
async function waitingHistory(extra: Parameters<HistoryFixture['subscribe']>[0] = {}, name = 'logs'): Promise<string> {
  fixture.faults.isHeldBack = (number) => number === heldBlock
  const { id } = await fixture.subscribe({ from: { block: 1 }, ...extra }, name)
  await until(
    () => historyOf(id),
    (history) => history?.done === heldBlock - 1,
  )
  return id
}

/** The next attempt to read the block comes at once. */
function release(): void {
  fixture.faults.isHeldBack = undefined
  skippedMs += 1_000
}
const historyOf = async (id: string) => (await fixture.ann.getSubscription({ id })).history
const untilValues = (id: string, count: number) =>
  until(
    () => fixture.valuesOf(id),
    (rows) => rows.length >= count,
  )
/** Emits a log and waits until the service has processed its block. */
async function emitProcessed(value: number): Promise<void> {
  await fixture.emit(value)
  await fixture.processed(await fixture.headNumber())
}
const first = [0, 1, 2, 3]
const all = [0, 1, 2, 3, 4, 5, 6, 7]
const backfilled = (values: readonly number[]) => values.map((n) => ({ n, backfilled: true }))

test('blocks from before the source was followed that a reorg replaces are retracted, and the new ones are run', async () => {
  const alive = () =>
    query<{ n: number }>(
      fixture.house,
      `select n from (select (trace->'raw'->>'n')::int as n from alerts where subscription_id = $1
        and status <> 'retracted') a order by n`,
      [id],
    )
  const { id } = await fixture.subscribe({ from: { block: 1 } })
  await fixture.ended(id)
  expect(await alive()).toEqual([...all, 50, 51].map((n) => ({ n })))
  await fixture.node.request('evm_revert', [beforeFollowed])
  const snapshot = await fixture.node.request('evm_snapshot')
  for (const n of [60, 61, 62]) await fixture.emit(n)
  const values = await until(alive, (rows) => rows.at(-1)?.n === 62 && rows.length === 11)
  expect(values).toEqual([...all, 60, 61, 62].map((n) => ({ n })))
  await fixture.ann.deleteSubscription({ id })
  // The next tests see only the logs from before. The follower knows the hashes of all blocks now.
  await fixture.node.request('evm_revert', [snapshot])
  for (let made = 0; made < 5; made += 1) await fixture.node.request('evm_mine')
  await fixture.processed(await fixture.headNumber())
})

test('a history goes on in another process and after a restart, in order, without a gap or a repeat', async () => {
  const id = await waitingHistory({ deliverHistory: true })
  const head = await fixture.headNumber()
  const other = await startEngine()
  await engine.stop()
  engine = other
  await emitProcessed(100)
  expect(await historyOf(id)).toMatchObject({ state: 'running', done: heldBlock - 1 })
  await engine.stop()
  await fixture.emit(101)
  engine = await startEngine()
  await fixture.processed(await fixture.headNumber())
  release()
  expect((await fixture.ended(id)).history).toEqual({ from: 1, to: head, done: head, state: 'done' })
  await fixture.emit(102)
  const live = [100, 101, 102].map((n) => ({ n, backfilled: false }))
  expect(await untilValues(id, 11)).toEqual([...backfilled(all), ...live])
  const sent = await until(
    async () => [...new Map(fixture.sentTo(id).map((data) => [data.id, data.raw.n])).values()],
    (values) => values.length === 11,
  )
  expect(sent).toEqual([...all, 100, 101, 102])
  await fixture.ann.deleteSubscription({ id })
})

const saved = (trigger: string) => ({
  ...subscription(trigger, { resources: ['acme.hook'], meta: { title: 'Renamed' } }),
  from: { block: 3 },
  deliverHistory: true,
})

test('a save ignores from and deliverHistory: a running history goes on, and one that is done stays so', async () => {
  const id = await waitingHistory()
  const head = await fixture.headNumber()
  const body = saved('acme.p.logs')
  const { history, meta } = await fixture.ann.saveSubscription({ id, body })
  expect({ history, meta }).toEqual({
    history: { from: 1, to: head, done: heldBlock - 1, state: 'running' },
    meta: { title: 'Renamed' },
  })
  release()
  const done = { from: 1, to: head, done: head, state: 'done' }
  expect((await fixture.ended(id)).history).toEqual(done)
  expect((await fixture.ann.saveSubscription({ id, body })).history).toEqual(done)
  const before = await fixture.valuesOf(id)
  expect(before).toEqual(backfilled([...all, 100, 101, 102]))
  await fixture.emit(200)
  expect(await untilValues(id, before.length + 1)).toEqual([...before, { n: 200, backfilled: false }])
  await until(
    async () => fixture.sentTo(id).map(({ raw }) => raw.n),
    (values) => values.length > 0,
  )
  expect(fixture.sentTo(id).map(({ raw }) => raw.n)).toEqual([200])
  await fixture.ann.deleteSubscription({ id })
})

test('a save that chooses other events ends a running history as failed, and the subscription is live with them', async () => {
  await fixture.saveTrigger('others', { transform: '({ n: 1000 + Number(source.data) })' })
  const id = await waitingHistory()
  const head = await fixture.headNumber()
  const { history } = await fixture.ann.saveSubscription({ id, body: saved('acme.p.others') })
  const reason = 'The subscription was changed to other events.'
  expect(history).toEqual({ from: 1, to: head, done: heldBlock - 1, state: 'failed', reason })
  release()
  await fixture.emit(300)
  expect(await untilValues(id, 5)).toEqual([...backfilled(first), { n: 1300, backfilled: false }])
  await fixture.ann.deleteSubscription({ id })
})

test('a history ends as failed when its trigger is deleted', async () => {
  const id = await waitingHistory({}, 'others')
  await fixture.ann.deleteTrigger({ fullname: 'acme.p.others' })
  skippedMs += 1_000
  const { history } = await fixture.ended(id, 'failed')
  const reason = 'No trigger of the subscription reads the source any longer.'
  expect(history).toMatchObject({ done: heldBlock - 1, reason })
  await fixture.ann.deleteSubscription({ id })
})

test('a pause stops a history, and after it the history goes on where it was, over the blocks of the pause too', async () => {
  const id = await waitingHistory()
  const before = await fixture.valuesOf(id)
  await fixture.ann.pauseSubscription({ id })
  release()
  await emitProcessed(400)
  expect(await historyOf(id)).toMatchObject({ state: 'running', done: heldBlock - 1 })
  expect(await fixture.valuesOf(id)).toEqual(before)
  await fixture.ann.resumeSubscription({ id })
  await fixture.ended(id)
  expect(await fixture.valuesOf(id)).toEqual(backfilled([...all, 100, 101, 102, 200, 300, 400]))
  await fixture.ann.deleteSubscription({ id })
})

test('a deleted subscription ends its history, and the histories of others go on', async () => {
  /** The alerts of deleted subscriptions. */
  const orphans = () => query(fixture.house, 'select from alerts where subscription_id is null')
  const before = (await orphans()).length
  const [id, other] = [await waitingHistory(), await waitingHistory()]
  await fixture.ann.deleteSubscription({ id })
  release()
  await fixture.ended(other)
  const { house } = fixture
  expect(await query(house, 'select from histories where subscription_id = $1', [id])).toEqual([])
  expect(await query(house, "select from pgboss.job where name = 'evaluate-ordered' and state < 'completed'")).toEqual(
    [],
  )
  expect(await orphans()).toHaveLength(before + first.length)
  await fixture.ann.deleteSubscription({ id: other })
})

test('the state windows of a history are deleted with its subscription, and when it is stopped', async () => {
  const providers = [
    { id: 'w', type: 'state_window', dedupeBy: '{{source.data}}', value: '{{source.data}}', keepLast: 3 },
  ]
  await fixture.saveTrigger('windows', { providers })
  const windows = () => query(fixture.house, "select from state_windows where scope like 'history %'")
  const deleted = await waitingHistory({}, 'windows')
  expect(await windows()).toHaveLength(1)
  await fixture.ann.deleteSubscription({ id: deleted })
  expect(await windows()).toEqual([])
  const stopped = await waitingHistory({}, 'windows')
  expect(await windows()).toHaveLength(1)
  await fixture.ann.saveSubscription({ id: stopped, body: saved('acme.p.logs') })
  expect(await windows()).toEqual([])
  release()
  await fixture.ann.deleteSubscription({ id: stopped })
})

test('a source that only a history needs applies every block, also when it is far behind its head', async () => {
  const id = await waitingHistory()
  await engine.stop()
  const before = await fixture.headNumber()
  for (let made = 0; made < 60; made += 1) await fixture.node.request('evm_mine')
  engine = await startEngine()
  await fixture.processed(before + 60)
  // A source that jumps to its head applies only that block.
  const applied = async () => {
    const metrics = await (await fetch(engine.metricsUrl)).text()
    return Number(metrics.match(/^tocsin_blocks_total\{source="acme\.evm"\} (\d+)$/m)?.[1])
  }
  await until(applied, (count) => count >= 60)
  release()
  await fixture.ended(id)
  await fixture.ann.deleteSubscription({ id })
})

test('a history runs over the new blocks of a chain that was reset, after a person has moved the checkpoint to its head', async () => {
  const { node, faults, ann } = fixture
  const start = await fixture.headNumber()
  const snapshot = await node.request('evm_snapshot')
  for (const n of [600, 601]) await fixture.emit(n)
  // The connection keeps the newest blocks, which the node would not be asked for.
  for (let made = 0; made < 3; made += 1) await node.request('evm_mine')
  await fixture.processed(start + 5)
  faults.isHeldBack = (number) => number === start + 2
  const { id } = await fixture.subscribe({ from: { block: start + 1 } })
  expect(await untilValues(id, 1)).toEqual(backfilled([600]))
  await node.request('evm_revert', [snapshot])
  const follower = () =>
    query<{ head: number; hash: string | null }>(
      fixture.house,
      'select head::int, hash from followers where source = $1',
      [source],
    )
  await until(follower, ([row]) => row?.head === start)
  await ann.resetCustomSourceLag({ fullname: source, body: {} })
  await until(follower, ([row]) => row?.hash !== null)
  release()
  for (const n of [602, 603]) await fixture.emit(n)
  // Live alerts of two blocks may be recorded in any order.
  const values = (await untilValues(id, 3)).map(({ n }) => n)
  expect(values.toSorted()).toEqual([600, 602, 603])
  await ann.deleteSubscription({ id })
})

test('a history forgets the contract of a factory that it saw in a block of another branch', async () => {
  const { node, faults, ann } = fixture
  const word = (hex: string) => hex.replace('0x', '').padStart(64, '0')
  const hashOf = (signature: string) => keccak256(Buffer.from(signature))
  const [factory, pair] = [await node.deploy(emitter(2)), await node.deploy(emitter(2))]
  const announce = () =>
    node.send({ to: factory, data: `${hashOf('Made(address,address)')}${word('aa')}${word(pair)}` })
  const use = (value: number) =>
    node.send({ to: pair, data: `${hashOf('Used(address,uint256)')}${word('1')}${word(value.toString(16))}` })
  const made = { event: 'Made', abiFragment: 'event Made(address indexed by, address pair)', parameter: 'pair' }
  const from = (await fixture.headNumber()) + 1
  const contract = { factory: { contract: factory, ...made, fromBlock: from } }
  const abiFragment = 'event Used(address indexed by, uint256 n)'
  const triggerSpec = { type: 'evm_log', dataSource: source, abiFragment, contract } as const
  await fixture.saveTrigger('pairs', { triggerSpec, transform: '({ n: Number(source.params.n) })' })
  // On the other branch the first block makes the pair.
  const snapshot = await node.request('evm_snapshot')
  await announce()
  const other = (await node.request('eth_getBlockByNumber', [`0x${from.toString(16)}`, false])) as { hash: string }
  const logs = await node.request('eth_getLogs', [{ blockHash: other.hash }])
  await node.request('evm_revert', [snapshot])
  await node.request('evm_mine')
  await use(700)
  await announce()
  await use(701)
  await fixture.processed(await fixture.headNumber())
  let shown = 0
  faults.resultOf = ({ method, params }: Call) => {
    const isOther = method === 'eth_getBlockByNumber' && Number(params[0]) === from && shown++ < 4
    if (isOther) return other
    return method === 'eth_getLogs' && JSON.stringify(params).includes(other.hash) ? logs : undefined
  }
  const { id } = await fixture.subscribe({ from: { block: from } }, 'pairs')
  await until(
    async () => {
      skippedMs += 1_000
      return historyOf(id)
    },
    (history) => history?.state === 'done',
  )
  faults.resultOf = undefined
  expect(shown).toBeGreaterThan(4)
  expect(await fixture.valuesOf(id)).toEqual(backfilled([701]))
  await ann.deleteSubscription({ id })
})

// The last tests, because the service takes the skipped time for the time between two blocks.
test('a history whose last block was never on the chain ends after a minute, and the subscription is live', async () => {
  const { node, faults, ann } = fixture
  const head = await fixture.headNumber()
  const latest = (await node.request('eth_getBlockByNumber', ['latest', false])) as Record<string, unknown>
  const isLatest = ({ method, params }: Call) => method === 'eth_getBlockByNumber' && params[0] === 'latest'
  faults.resultOf = (call) => (isLatest(call) ? { ...latest, number: `0x${(head + 3).toString(16)}` } : undefined)
  const { id, history } = await fixture.subscribe({ from: { block: head } })
  faults.resultOf = undefined
  expect(history).toMatchObject({ from: head, to: head + 3 })
  await until(
    () => historyOf(id),
    (seen) => seen?.done === head,
  )
  const ended = await until(
    async () => {
      skippedMs += 20_000
      return historyOf(id)
    },
    (seen) => seen?.state === 'done',
  )
  expect(ended).toEqual({ from: head, to: head, done: head, state: 'done' })
  const before = await fixture.valuesOf(id)
  await fixture.emit(800)
  expect(await untilValues(id, before.length + 1)).toEqual([...before, { n: 800, backfilled: false }])
  await ann.deleteSubscription({ id })
})

test('blocks that cannot be read for a minute end the history as failed, and the subscription is live', async () => {
  const id = await waitingHistory()
  const head = await fixture.headNumber()
  const history = await until(
    async () => {
      skippedMs += 20_000
      return historyOf(id)
    },
    (seen) => seen?.state === 'failed',
  )
  const reason = expect.stringContaining('the node is busy')
  expect(history).toEqual({ from: 1, to: head, done: heldBlock - 1, state: 'failed', reason })
  await fixture.emit(500)
  expect(await untilValues(id, first.length + 1)).toEqual([...backfilled(first), { n: 500, backfilled: false }])
  await fixture.ann.deleteSubscription({ id })
})
