import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type EvaluationHouse, evaluationHouse } from '../../../../../tests/harness/evaluation.ts'
import type { FollowerLease } from '../../../store/following/followers.ts'
import type { RuntimeDeps } from '../../deps.ts'
import { ChainMoved } from '../source-chain.ts'
import { commitHistory } from './commit-history.ts'

/** Every order in which a history and the follower can see a block. A block is written as its number and its branch: `11b`. */
let house: EvaluationHouse
let deps: RuntimeDeps
let subscriptionId: string
let lease: FollowerLease
let sources = 0

beforeAll(async () => {
  house = await evaluationHouse()
  deps = await house.openDeps()
  subscriptionId = await house.subscribe(await house.trigger('t'))
})
afterAll(() => house.close())

/** The history has read the blocks up to 10. */
beforeEach(async () => {
  const source = `s${++sources}`
  const at = house.clock.now()
  const taken = await deps.store.followers.take(source, 'this process', at)
  lease = { source, epoch: taken?.epoch ?? '' }
  await house.query('delete from histories')
  await deps.store.histories.add(subscriptionId, { source, from: 11, to: 12, delivers: false }, at)
})

type Block = { number: number; hash: string; parentHash: string }
/** Blocks that follow one another. */
function chainOf(...hashes: string[]): Block[] {
  return hashes.map((hash, at) => ({ number: Number.parseInt(hash, 10), hash, parentHash: hashes[at - 1] ?? '' }))
}

/** The follower has applied the blocks and undone some of the last ones. */
async function follow(blocks: Block[], undone: string[] = []): Promise<void> {
  await deps.store.sourceBlocks.add(lease.source, blocks)
  await deps.store.sourceBlocks.undo(lease.source, undone, house.clock.now())
  const last = blocks.filter(({ hash }) => !undone.includes(hash)).at(-1)
  const checkpoint = { number: last?.number ?? 0, hash: last?.hash ?? '', head: 12, headAt: null, finalized: null }
  await deps.store.followers.saveCheckpoint(lease, checkpoint, house.clock.now())
}

/** Commits blocks that a history has read, one after the block 10. */
async function commit(blocks: Block[], upTo = blocks.at(-1)?.number ?? 10): Promise<number> {
  const row = await deps.store.histories.find(subscriptionId)
  if (!row) throw new Error('the history is missing')
  const matched = blocks.map((block) => ({ block: { ...block, contents: undefined }, matches: [] }))
  await commitHistory({ deps, lease }, { row, source: lease.source, matched, upTo })
  return (await deps.store.histories.find(subscriptionId))?.fetched ?? 0
}
const blocksOf = (...hashes: string[]) => chainOf('10a', ...hashes).slice(1)

test('blocks that the follower has applied are committed, and so are blocks before the first one that it keeps', async () => {
  await follow(chainOf('12a', '13a', '14a'))
  expect(await commit(chainOf('11a', '12a', '13a'))).toBe(13)
})

test('a block of another branch than the applied one is refused', async () => {
  await follow(chainOf('10a', '11a', '12a'))
  await expect(commit(blocksOf('11a', '12b'))).rejects.toThrow(ChainMoved)
})

test('a block whose number the follower has undone is refused, whether it is the undone one or one that the follower does not know', async () => {
  await follow(chainOf('10a', '11a', '12a'), ['12a'])
  await expect(commit(blocksOf('11a', '12a'))).rejects.toThrow(ChainMoved)
  await expect(commit(blocksOf('11a', '12b'))).rejects.toThrow(ChainMoved)
  expect(await commit(blocksOf('11a'))).toBe(11)
})

test('blocks that do not follow one another, or are not followed by the next applied one, are refused', async () => {
  await follow(chainOf('14a', '15a'))
  await expect(commit([...chainOf('11a'), ...chainOf('11b', '12b').slice(1)])).rejects.toThrow(ChainMoved)
  await follow(chainOf('10a', '11a', '12a', '13a'))
  await expect(commit(blocksOf('11b'))).rejects.toThrow(ChainMoved)
  await expect(commit(chainOf('10b', '11a').slice(1))).rejects.toThrow(ChainMoved)
})

test('on a chain that skips numbers, a block that the node did not return, and one that is not on the chain, are refused', async () => {
  await follow(chainOf('10a', '12a', '13a'))
  await expect(commit(blocksOf('13a'))).rejects.toThrow(ChainMoved)
  await expect(commit([], 12)).rejects.toThrow(ChainMoved)
  await expect(commit([...blocksOf('11b'), ...blocksOf('12a')])).rejects.toThrow(ChainMoved)
  expect(await commit(blocksOf('12a', '13a'))).toBe(13)
})

test('a block that was undone and came back is committed', async () => {
  await follow(chainOf('10a', '11a', '12a'), ['12a'])
  await follow(chainOf('10a', '11a', '12a'))
  expect(await commit(blocksOf('11a', '12a'))).toBe(12)
})
