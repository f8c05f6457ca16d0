import { expect, test } from 'vitest'
import type { ChainBlock } from '../sources/block.ts'
import { BlockMemory } from './block-memory.ts'
import { Lookahead } from './lookahead.ts'

test('a block that cannot be fetched is fetched again alone; the blocks after it are kept', async () => {
  const asked: number[] = []
  let isRefused = true
  const fetch = async (number: number): Promise<ChainBlock> => {
    asked.push(number)
    if (number === 3 && isRefused) throw new Error('refused')
    return { number, hash: `b${number}`, parentHash: `b${number - 1}`, contents: undefined }
  }
  const ahead = new Lookahead(fetch, { concurrency: 8, queuedMax: 8, memory: new BlockMemory() })
  const taken: number[] = []
  const take = async () => taken.push(...(await ahead.take(8, 100)).map(({ number }) => number))
  ahead.setRange(1, 6)
  await nextTurn()
  await take()
  expect(taken).toEqual([1, 2])
  await expect(take()).rejects.toThrow('refused')
  ahead.setRange(3, 6)
  await expect(take()).rejects.toThrow('refused')
  isRefused = false
  ahead.setRange(3, 6)
  await take()
  expect(taken).toEqual([1, 2, 3, 4, 5, 6])
  expect(asked).toEqual([1, 2, 3, 4, 5, 6, 3, 3])
})

test('large blocks are fetched ahead and taken only up to a number of bytes, but always one', async () => {
  const { asked, ahead, numbers } = makeLargeBlocks(new BlockMemory({ bytesMax: 1_500_000 }))
  ahead.setRange(1, 8)
  await nextTurn()
  expect(asked).toEqual([1, 2])
  expect(await numbers(1_200_000)).toEqual([1, 2])
  await nextTurn()
  expect(asked).toEqual([1, 2, 3, 4])
  expect(await numbers(10)).toEqual([3])
})

test('several sources share the memory of blocks', async () => {
  const memory = new BlockMemory({ bytesMax: 1_500_000 })
  const [first, second] = [makeLargeBlocks(memory), makeLargeBlocks(memory)]
  first.ahead.setRange(1, 8)
  await nextTurn()
  second.ahead.setRange(1, 8)
  await nextTurn()
  expect(first.asked).toEqual([1, 2])
  expect(second.asked).toEqual([])
  // What a closed source has read does not count.
  first.ahead.drop()
  await nextTurn()
  expect(second.asked).toEqual([1, 2])
  expect(await second.numbers(600_000)).toEqual([1])
})

test('a block that is dropped while it waits for room is neither fetched nor counted', async () => {
  const memory = new BlockMemory({ bytesMax: 1_500_000 })
  const [first, second] = [makeLargeBlocks(memory), makeLargeBlocks(memory)]
  first.ahead.setRange(1, 8)
  await nextTurn()
  second.ahead.setRange(1, 8)
  second.ahead.drop()
  first.ahead.drop()
  await nextTurn()
  expect(second.asked).toEqual([])
  expect(memory.tryCount(1_500_000)).toBe(true)
})

test('blocks above a head that went back are dropped, and fetched again when the head is there', async () => {
  const asked: number[] = []
  let fork = 'a'
  const fetch = async (number: number): Promise<ChainBlock> => {
    asked.push(number)
    return { number, hash: `${fork}${number}`, parentHash: `${fork}${number - 1}`, contents: undefined }
  }
  const ahead = new Lookahead(fetch, { concurrency: 8, queuedMax: 8, memory: new BlockMemory() })
  const hashes = async () => (await ahead.take(8, 100)).map(({ block }) => block?.hash)
  ahead.setRange(1, 3)
  await nextTurn()
  fork = 'b'
  ahead.setRange(1, 1)
  expect(await hashes()).toEqual(['a1'])
  ahead.setRange(2, 3)
  await nextTurn()
  expect(await hashes()).toEqual(['b2', 'b3'])
  expect(asked).toEqual([1, 2, 3, 2, 3])
})

/** Blocks of 600 kB, fetched one at a time. */
function makeLargeBlocks(memory: BlockMemory) {
  const asked: number[] = []
  const fetch = async (number: number): Promise<ChainBlock> => {
    asked.push(number)
    return { number, hash: `b${number}`, parentHash: `b${number - 1}`, contents: undefined, bytes: 600_000 }
  }
  const ahead = new Lookahead(fetch, { concurrency: 1, queuedMax: 8, memory })
  const numbers = async (bytesMax: number) => (await ahead.take(8, bytesMax)).map(({ number }) => number)
  return { asked, ahead, numbers }
}

/** One turn of the event loop is enough, since nothing here waits for real work. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
