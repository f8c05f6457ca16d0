import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BlocksCommit, commitBlocks } from '../server/src/runtime/follow/commit-blocks.ts'
import { type LockedBlocks, saveProgress } from '../server/src/runtime/follow/save-progress.ts'
import { makeFairness } from '../server/src/runtime/jobs/split.ts'
import { type FollowerLease, LeaseLost } from '../server/src/store/following/followers.ts'
import type { OpenStore } from '../server/src/store/index.ts'
import { query, queued } from './harness/following.ts'
import { type Harness, harness, project, trigger } from './harness/index.ts'

let house: Harness
let store: OpenStore
let triggerId: string

beforeAll(async () => {
  house = await harness()
  store = house.service.store
  const ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  triggerId = (await ann.saveTrigger({ fullname: 'acme.p.t', body: trigger('acme.p.t') })).id
})
afterAll(() => house.close())

const now = () => new Date()
const lapse = (source: string) =>
  query(house, "update followers set lease_until = clock_timestamp() - interval '1 second' where source = $1", [source])
const take = async (source: string, owner = randomUUID()): Promise<FollowerLease> => {
  const row = await store.followers.take(source, owner, now())
  if (!row) throw new Error('somebody holds it')
  return { source, epoch: row.epoch }
}

/** A block in which one trigger matches one item. */
function commit(lease: FollowerLease, number: number, hash: string, parentHash: string, end?: () => Promise<void>) {
  const matches = [{ trigger: fakeLive(), matches: [{ key: `${hash}:0`, item: {}, listeners: ['s:'] }] }]
  const block = { number, hash, parentHash, timestampMs: 1, contents: undefined }
  const checkpoint = { head: number, headAt: null, finalized: null }
  const fairness = makeFairness(() => 0)
  const commit = { lease, blocks: [{ block, matches }], checkpoint, fairness, at: now() }
  return commitBlocks({ store, crashPoint: () => undefined }, commit, async () => end?.())
}

function fakeLive(): BlocksCommit['blocks'][number]['matches'][number]['trigger'] {
  const runnable = { providers: [], activation: null, transform: null, executionPolicy: null }
  const definition = {
    backend: {},
    inputs: {},
    triggerSpec: null,
    transform: null,
    activation: null,
    executionPolicy: null,
  }
  return {
    ...{
      id: triggerId,
      version: 1,
      fullname: 'acme.p.t',
      project: 'acme.p',
      projectId: 'p',
      workspaceId: 'w',
      title: 't',
    },
    ...{
      definition,
      runnable,
      dataSource: 'x',
      sources: ['x'],
      isOrdered: false,
      listeners: new Map(),
      feed: { kind: 'none' },
    },
    ...{ isPublic: false, hasDependents: false, since: 0 },
  }
}

const jobsOf = async (hash: string) => (await queued(house)).filter(({ data }) => data.block?.hash === hash)
const checkpoint = async (source: string) => (await store.followers.find(source))?.number

test('of two processes one gets the lease, and the other gets it when it expires', async () => {
  const [a, b] = [randomUUID(), randomUUID()]
  const both = await Promise.all([a, b].map((owner) => store.followers.take('one.holder', owner, now())))
  expect(both.filter(Boolean)).toHaveLength(1)
  const first = both.find((row) => row !== undefined)!
  expect(await store.followers.take('one.holder', a, now())).toBeUndefined()
  expect([...(await store.followers.renew(both[0] ? a : b, [first]))]).toEqual(['one.holder'])
  await lapse('one.holder')
  const next = await take('one.holder')
  expect(BigInt(next.epoch)).toBe(BigInt(first.epoch) + 1n)
  expect((await store.followers.renew(both[0] ? a : b, [first])).size).toBe(0)
})

test('a released lease is free at once', async () => {
  const held = await take('let.go')
  await store.followers.release(held)
  expect(BigInt((await take('let.go')).epoch)).toBe(BigInt(held.epoch) + 1n)
})

test('a process that lost the lease commits nothing: no checkpoint, no block, no job', async () => {
  const frozen = await take('fenced.source')
  await commit(frozen, 1, 'f1', 'f0')
  await lapse('fenced.source')
  const holder = await take('fenced.source')
  await expect(commit(frozen, 2, 'f2', 'f1')).rejects.toThrow(LeaseLost)
  expect(await checkpoint('fenced.source')).toBe(1)
  expect(await jobsOf('f2')).toEqual([])
  await commit(holder, 2, 'f2', 'f1')
  expect(await jobsOf('f2')).toHaveLength(1)
  expect(await checkpoint('fenced.source')).toBe(2)
})

test('a commit that fails at its end writes nothing, and its repeat writes everything once', async () => {
  const held = await take('atomic.source')
  const fail = async () => {
    throw new Error('the power went')
  }
  await expect(commit(held, 1, 'a1', 'a0', fail)).rejects.toThrow('the power went')
  expect(await jobsOf('a1')).toEqual([])
  expect(await store.sourceBlocks.listApplied('atomic.source')).toEqual([])
  await commit(held, 1, 'a1', 'a0')
  await expect(commit(held, 1, 'a1', 'a0')).rejects.toThrow('already applied')
  expect(await jobsOf('a1')).toHaveLength(1)
})

test('a process that freezes inside a commit does not block the lease for the next one', async () => {
  const frozen = await take('frozen.source')
  let thaw = () => {}
  const frost = new Promise<void>((resolve) => {
    thaw = resolve
  })
  const inside = Promise.withResolvers<void>()
  const freeze = () => {
    inside.resolve()
    return frost
  }
  const stuck = commit(frozen, 1, 'z1', 'z0', freeze).catch((error: Error) => error)
  await inside.promise
  const next = await take('frozen.source').catch(async () => {
    // The lease that the commit renewed must lapse too.
    await expect.poll(() => store.followers.take('frozen.source', 'b', now())).toBeTruthy()
    return store.followers.find('frozen.source').then((row) => ({ source: 'frozen.source', epoch: row!.epoch }))
  })
  thaw()
  expect(await stuck).toBeInstanceOf(Error)
  expect(await jobsOf('z1')).toEqual([])
  await commit(next, 1, 'z1', 'z0')
  expect(await jobsOf('z1')).toHaveLength(1)
})

test('a commit that locks its row delays the renewal of no other lease, and loses none', async () => {
  const owner = randomUUID()
  const [locked, free] = [await take('locked.source', owner), await take('free.source', owner)]
  await store.tx(async (inside) => {
    await inside.followers.fence(locked)
    await lapse('free.source')
    expect(await store.followers.renew(owner, [locked, free])).toEqual(new Set(['locked.source', 'free.source']))
    expect(await store.followers.take('free.source', randomUUID(), now())).toBeUndefined()
  })
})

/** Blocks without matches of one source, as its sink locks them. */
function held(lease: FollowerLease, ...blocks: [number: number, hash: string][]) {
  const saved: string[] = []
  const locked: LockedBlocks = {
    lease,
    version: listeners.version(),
    blocks: blocks.map(([number, hash]) => ({ number, hash, parentHash: 'p', contents: undefined })),
    checkpoint: { head: 9, headAt: null, finalized: null },
    markSaved: () => saved.push('together'),
    commitAlone: async () => void saved.push('alone'),
    unlock: () => saved.push('unlocked'),
  }
  return { locked, saved }
}
const listeners = { version: () => 1, refresh: async () => undefined }
const save = (...all: { locked: LockedBlocks }[]) =>
  saveProgress(
    { store, listeners, clock: now, crashPoint: () => undefined },
    all.map(({ locked }) => ({ held: locked, report: undefined })),
  )

test('blocks without matches of several sources are one commit, without those whose lease was lost', async () => {
  const [one, two, lost] = [await take('quiet.one'), await take('quiet.two'), await take('quiet.lost')]
  await lapse('quiet.lost')
  await take('quiet.lost')
  const all = [held(one, [1, 'q1'], [2, 'q2']), held(two, [5, 'q5']), held(lost, [7, 'q7'])]
  await save(...all)
  expect(all.map(({ saved }) => saved)).toEqual([['together', 'unlocked'], ['together', 'unlocked'], ['unlocked']])
  expect(await Promise.all(['quiet.one', 'quiet.two', 'quiet.lost'].map(checkpoint))).toEqual([2, 5, null])
  expect((await store.sourceBlocks.listApplied('quiet.one')).map(({ hash }) => hash)).toEqual(['q1', 'q2'])
  expect(await store.sourceBlocks.listApplied('quiet.lost')).toEqual([])
})

test('a source with a block that is already applied commits alone, the others together', async () => {
  const [one, two] = [await take('again.one'), await take('again.two')]
  await save(held(one, [1, 'r1']))
  const all = [held(one, [1, 'r1'], [2, 'r2']), held(two, [5, 'r5'])]
  await save(...all)
  expect(all.map(({ saved }) => saved)).toEqual([
    ['alone', 'unlocked'],
    ['together', 'unlocked'],
  ])
  expect(await Promise.all(['again.one', 'again.two'].map(checkpoint))).toEqual([1, 5])
  expect((await store.sourceBlocks.listApplied('again.one')).map(({ hash }) => hash)).toEqual(['r1'])
})

test('a block that was undone is applied again as its next incarnation', async () => {
  const lease = await take('back.source')
  await save(held(lease, [1, 'b1']))
  await store.sourceBlocks.undo('back.source', ['b1'], now())
  const again = held(lease, [1, 'b1'])
  await save(again)
  expect(again.saved).toEqual(['together', 'unlocked'])
  expect(await store.sourceBlocks.listApplied('back.source')).toMatchObject([{ hash: 'b1', incarnation: 1 }])
})

test('if the common commit fails, nothing of it is stored and each source commits alone', async () => {
  const [one, two] = [await take('broken.one'), await take('broken.two')]
  const all = [held(one, [1, 's1']), held(two, [0.5, 's5'])]
  await expect(save(...all)).rejects.toThrow('bigint')
  expect(all.map(({ saved }) => saved)).toEqual([
    ['alone', 'unlocked'],
    ['alone', 'unlocked'],
  ])
  expect(await checkpoint('broken.one')).toBe(null)
})

test('the head of a source without new blocks leaves its checkpoint, and a locked row is left out', async () => {
  const [free, locked] = [await take('head.free'), await take('head.locked')]
  await save(held(free, [3, 'h3']), held(locked, [4, 'h4']))
  const heads = [free, locked].map((lease) => ({ ...lease, head: 20, headAt: null, finalized: null, blocks: [] }))
  await store.tx(async (inside) => {
    await inside.followers.fence(locked)
    expect((await store.progress.save([], heads, now())).moved).toEqual(new Set(['head.free']))
  })
  const rows = await store.followers.findAll(['head.free', 'head.locked'])
  expect(rows.map(({ source, number, hash, head }) => [source, number, hash, head]).toSorted()).toEqual([
    ['head.free', 3, 'h3', 20],
    ['head.locked', 4, 'h4', 9],
  ])
})
