import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStoreWithOwner, type StoreWithOwner } from '../../../../tests/harness/store-with-owner.ts'
import type { ChainBlock } from '../../engine/sources/block.ts'
import type { FollowerLease } from '../../store/following/followers.ts'
import { PartHealth } from './part-health.ts'

let own: StoreWithOwner
beforeAll(async () => {
  own = await openStoreWithOwner('acme')
})
afterAll(() => own.close())

const at = new Date()
const parts = ['logs', 'transactions'] as const

function readBlock(number: number, isWhole: boolean) {
  const specTypes = ['evm_transaction']
  const lost = { unreadable: [{ part: 'transactions' as const, reason: 'No node answered.', specTypes }] }
  const block: ChainBlock = {
    number,
    hash: `0x${number}`,
    parentHash: '0x',
    contents: undefined,
    ...(!isWhole && lost),
  }
  return { block, parts }
}

/** A process that commits blocks of the source. */
async function takeSource(source: string) {
  const row = await own.store.followers.take(source, 'p', at)
  const lease: FollowerLease = { source, epoch: row?.epoch ?? '' }
  const health = new PartHealth(lease)
  await health.load(own.store)
  return {
    async commit(...blocks: ReturnType<typeof readBlock>[]): Promise<string[]> {
      const change = health.check(blocks)
      await own.store.tx((store) => health.write(store, change, at))
      health.keep(change)
      return change.lines.map(({ message }) => message)
    },
    mustWrite: (...blocks: Parameters<PartHealth['check']>[0]) => health.mustWrite(health.check(blocks)),
    release: () => own.store.followers.release(lease),
  }
}

test('the blocks without a part are named when it is back, also by the process that takes the source over', async () => {
  const first = await takeSource('taken-over')
  expect(await first.commit(readBlock(9, true))).toEqual([])
  expect(await first.commit(readBlock(10, false), readBlock(11, false))).toEqual([
    expect.stringMatching(/^The transactions of block 10 cannot be read, so triggers on transactions are broken/),
  ])
  await first.release()
  const second = await takeSource('taken-over')
  expect(await second.commit(readBlock(12, false))).toEqual([])
  await second.release()
  const third = await takeSource('taken-over')
  expect(await third.commit(readBlock(13, true))).toEqual([
    'The transactions can be read again from block 13; blocks 10 to 12 gave nothing to triggers on transactions.',
  ])
  await third.release()
  expect(await (await takeSource('taken-over')).commit(readBlock(14, true))).toEqual([])
})

test('after a reorg the lost blocks begin at the first that was read without the part', async () => {
  const source = await takeSource('reorganised')
  await source.commit(readBlock(20, false))
  expect(await source.commit(readBlock(15, false))).toHaveLength(1)
  expect(await source.commit(readBlock(16, true))).toEqual([
    'The transactions can be read again from block 16; blocks 15 to 15 gave nothing to triggers on transactions.',
  ])
  await source.commit(readBlock(17, false))
  expect(await source.commit(readBlock(16, true))).toEqual(['The transactions can be read again from block 16.'])
})

test('a lost part that no trigger needs any more does not make each block a commit of its own', async () => {
  const source = await takeSource('unneeded')
  await source.commit(readBlock(1, false))
  expect(source.mustWrite(readBlock(2, false))).toBe(true)
  expect(source.mustWrite({ ...readBlock(2, true), parts: ['logs'] })).toBe(false)
})
