import { createServer, type Server } from 'node:http'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EvaluationHouse, evaluationHouse } from '../../../../tests/harness/evaluation.ts'
import type { FollowerLease } from '../../store/following/followers.ts'
import { commitUndo } from '../follow/commit-undo.ts'
import { commitHistory } from '../follow/history/commit-history.ts'
import type { HistoryJob } from '../jobs/job.ts'
import { commitChunks } from './commit-chunks.ts'
import { evaluateHistory } from './evaluate-history.ts'
import { makeSerialPerTrigger } from './serial-per-trigger.ts'

/** Histories whose runs wait for a provider while the subscription is paused, or blocks are replaced. */
let house: EvaluationHouse
let deps: Awaited<ReturnType<EvaluationHouse['openDeps']>>
let server: Server
let triggerId: string
/** The items whose answer is not there yet. Each is asked for once before it is. */
let late = new Set<string>()
let sources = 0

beforeAll(async () => {
  server = createServer((request, response) => {
    const item = (request.url ?? '').slice(1)
    response.end(JSON.stringify(late.delete(item) ? [] : [item]))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  house = await evaluationHouse()
  const retry = { attempts: 20, delayMs: 250, backoff: 'fixed', retryOn: ['empty_array'] }
  const url = `http://127.0.0.1:${port}/{{source.id}}`
  triggerId = await house.trigger('late', { providers: [{ id: 'h', type: 'http', url, retry }] })
  deps = await house.openDeps()
})
afterAll(async () => {
  server.close()
  await house.close()
})

type Item = { value: number; isLate: boolean }
type Block = { number: number; hash: string; parentHash: string; items: Item[] }
/** What happens when a run waits: the job goes on, the subscription is paused, or the blocks above a number are replaced. */
type Interruption = 'none' | 'pause' | { reorgTo: number }
type Story = { blocks: Item[][]; interruptions: Interruption[] }
type Policy = NonNullable<NonNullable<Parameters<EvaluationHouse['subscribe']>[1]>['policy']>

const policies: Policy[] = [
  { type: 'change', value: 'value', by: 5 },
  { type: 'count', count: 4, within: '2s' },
  { type: 'threshold', value: 'value', above: 6, until: 3 },
]

/** One subscription with a history over the blocks of a story. */
async function openHistory(blocks: Item[][], policy: Policy) {
  const source = `s${++sources}`
  const subscriptionId = await house.subscribe(triggerId, { policy })
  await deps.listeners.refresh()
  const taken = await deps.store.followers.take(source, 'this process', house.clock.now())
  const lease: FollowerLease = { source, epoch: taken?.epoch ?? '' }
  const add = { source, from: 1, to: blocks.length, delivers: false }
  await deps.store.histories.add(subscriptionId, add, house.clock.now())
  const chain = chainOf(blocks, 'a', [])
  await follow(lease, chain)
  return { subscriptionId, source, lease, chain }
}
type OpenHistory = Awaited<ReturnType<typeof openHistory>>

/** The blocks of `before`, and new blocks of a branch with these items after them. */
function chainOf(blocks: Item[][], branch: string, before: Block[]): Block[] {
  const chain = [...before]
  for (const items of blocks) {
    const number = chain.length + 1
    chain.push({ number, hash: `${number}${branch}`, parentHash: chain.at(-1)?.hash ?? '', items })
  }
  return chain
}

const checkpointAt = (number: number) => ({ head: number, headAt: null, finalized: null })

async function follow({ source, ...lease }: FollowerLease, chain: Block[]): Promise<void> {
  await deps.store.sourceBlocks.add(source, chain)
  const last = chain.at(-1)
  const to = { ...checkpointAt(chain.length), number: chain.length, hash: last?.hash ?? '' }
  await deps.store.followers.saveCheckpoint({ source, ...lease }, to, house.clock.now())
}

/** Reads all blocks that the history lacks as one batch, as its run does. */
async function read(history: OpenHistory): Promise<void> {
  const { subscriptionId, source, lease, chain } = history
  const row = await deps.store.histories.find(subscriptionId)
  if (!row || row.fetched >= chain.length) return
  const live = deps.listeners.trigger(triggerId)
  if (!live) throw new Error('the trigger is missing')
  const feed = { kind: 'none' } as const
  const trigger = { ...live, listeners: new Map(live.listeners), feed, isPublic: false, since: 0 }
  const matched = chain.slice(row.fetched).map((block) => {
    const { number, hash, parentHash } = block
    const matches = block.items.map(({ value }, at) => {
      const id = `${source}-${hash}-${at}`
      return { key: `${hash}:${at}`, item: { id, value }, listeners: [`${subscriptionId}:`] }
    })
    const ofBlock = { number, hash, parentHash, timestampMs: number * 1_000, contents: undefined }
    return { block: ofBlock, matches: matches.length > 0 ? [{ trigger, matches }] : [] }
  })
  await commitHistory({ deps, lease }, { row, source, matched, upTo: chain.length })
}

/** Takes the job of the history up, as the evaluate loop does. */
async function evaluate(): Promise<void> {
  await house.query('update pgboss.job set start_after = now() where start_after > now()')
  const claimed = await house.claim<HistoryJob>(deps.store, 'evaluate-ordered')
  const context = { deps, addressBooks: new Map(), serialPerTrigger: makeSerialPerTrigger() }
  const { results, commit } = await evaluateHistory(context, claimed)
  await commitChunks(deps, results, commit)
}

async function pause({ subscriptionId }: OpenHistory): Promise<void> {
  const setPaused = async (isPaused: boolean) => {
    await house.query('update subscriptions set paused = $2 where id = $1', [subscriptionId, isPaused])
    await deps.listeners.refresh()
  }
  await setPaused(true)
  await evaluate()
  await setPaused(false)
}

/** The blocks above `number` are replaced by blocks with the same items. */
async function reorg(history: OpenHistory, number: number): Promise<void> {
  const { lease, chain } = history
  const to = chain[number - 1] ?? { number: 0, hash: '', parentHash: '' }
  const undo = { lease, blocks: chain.slice(number), to, checkpoint: checkpointAt(number), at: house.clock.now() }
  await deps.store.tx((store) => commitUndo(store, undo))
  const items = chain.slice(number).map(({ items }) => items)
  history.chain = chainOf(items, `${chain.at(-1)?.hash.replace(/^\d+/, '')}b`, chain.slice(0, number))
  await follow(lease, history.chain)
  // The job of the old generation writes nothing.
  await evaluate()
}

/** Runs a history to its end and returns what its alerts say. Late answers are there at the second attempt. */
async function run({ blocks, interruptions }: Story, policy: Policy): Promise<unknown[]> {
  const history = await openHistory(blocks, policy)
  late = new Set(blocks.flatMap((items, block) => lateOf(history, items, block)))
  const next = [...interruptions]
  for (let rounds = 0; rounds < 200; rounds += 1) {
    await read(history)
    const row = await deps.store.histories.find(history.subscriptionId)
    if (row?.done === blocks.length) return alertsOf(history)
    await evaluate()
    const after = await deps.store.histories.find(history.subscriptionId)
    const interruption = after?.done === blocks.length ? 'none' : (next.shift() ?? 'none')
    if (interruption === 'pause') await pause(history)
    else if (interruption !== 'none') await reorg(history, Math.min(interruption.reorgTo, blocks.length - 1))
  }
  throw new Error('the history does not end')
}

function lateOf({ source, chain }: OpenHistory, items: Item[], block: number): string[] {
  return items.flatMap(({ isLate }, at) => (isLate ? [`${source}-${chain[block]?.hash}-${at}`] : []))
}

async function alertsOf({ subscriptionId }: OpenHistory): Promise<unknown[]> {
  const alerts = (await house.alerts()).filter((alert) => alert.subscription_id === subscriptionId)
  return alerts
    .filter(({ status }) => status !== 'retracted')
    .map(({ kind, item_at: at, trace: { raw } }) => ({ kind, at: at.getTime(), value: raw?.value }))
}

const item = (value: number, isLate = false): Item => ({ value, isLate })

test.each<[string, Interruption]>([
  ['a pause', 'pause'],
  ['a reorg of later blocks', { reorgTo: 3 }],
])('%s while a run waits repeats no output: a policy gets each of them once', async (_, interruption) => {
  // A second 1 after the 9, or the 1, 9, 9 of the third block once more, would be a change.
  const blocks = [[item(1)], [item(5)], [item(9), item(9, true), item(9)], [item(10)]]
  const told = await run({ blocks, interruptions: [interruption] }, { type: 'change', value: 'value', by: 5 })
  expect(told).toEqual([])
  const counted = await run({ blocks, interruptions: [interruption] }, { type: 'count', count: 7, within: '1h' })
  expect(counted).toEqual([])
})

test.each(policies)(
  '$type tells the same whether or not runs wait while blocks are replaced and pauses come',
  async (policy) => {
    // A late item is alone in its block: the items of one block that wait come after those that do not.
    const one = fc.nat(10).map((value) => item(value))
    const blocksOf = fc.array(
      fc.oneof(
        fc.array(one, { maxLength: 3 }),
        fc.nat(10).map((value) => [item(value, true)]),
      ),
      {
        minLength: 2,
        maxLength: 6,
      },
    )
    const interruption = fc.oneof(
      fc.constantFrom<Interruption>('none', 'pause'),
      fc.record({ reorgTo: fc.integer({ min: 1, max: 5 }) }),
    )
    const stories = fc.record({ blocks: blocksOf, interruptions: fc.array(interruption, { maxLength: 3 }) })
    const property = fc.asyncProperty(stories, async (story) => {
      const inOrder = story.blocks.map((items) => items.map(({ value }) => item(value)))
      const wanted = await run({ blocks: inOrder, interruptions: [] }, policy)
      expect(await run(story, policy)).toEqual(wanted)
    })
    await fc.assert(property, { numRuns: 60 })
  },
)
