import { expect, test } from 'vitest'
import { BlockMemory } from './block-memory.ts'

const behind = { bytes: 1_000, isAtHead: false }

test('batches are applied one at a time, in order, and an error lets the next one begin', async () => {
  const memory = new BlockMemory()
  const seen: string[] = []
  const { promise: read, resolve } = Promise.withResolvers<void>()
  const first = memory.runBatch(async () => {
    await read
    seen.push('first')
    throw new Error('broken')
  }, behind)
  const second = memory.runBatch(async () => void seen.push('second'), behind)
  seen.push('waiting')
  resolve()
  await expect(first).rejects.toThrow('broken')
  await second
  expect(seen).toEqual(['waiting', 'first', 'second'])
})

test('a batch that takes too long makes way for the next, and still ends with its own result', async () => {
  const memory = new BlockMemory({ batchMsMax: 1 })
  const { promise: answer, resolve } = Promise.withResolvers<string>()
  const slow = memory.runBatch(() => answer, behind)
  expect(await memory.runBatch(async () => 'next', behind)).toBe('next')
  resolve('slow')
  expect(await slow).toBe('slow')
})

test('a batch that fails after it made way fails for its caller alone', async () => {
  const memory = new BlockMemory({ batchMsMax: 1 })
  const { promise: answer, reject } = Promise.withResolvers<string>()
  const slow = memory.runBatch(() => answer, behind)
  await memory.runBatch(async () => undefined, behind)
  reject(new Error('the node does not answer'))
  await expect(slow).rejects.toThrow('the node does not answer')
})

test('a block at the head goes before the batches of sources that are behind, and a small one waits for nothing', async () => {
  const memory = new BlockMemory()
  const seen: string[] = []
  const { promise: written, resolve } = Promise.withResolvers<void>()
  const first = memory.runBatch(() => written, behind)
  const run = (name: string, batch: typeof behind) => memory.runBatch(async () => void seen.push(name), batch)
  const others = [run('behind', behind), run('large head', { bytes: 1_000_000, isAtHead: true })]
  await run('small head', { bytes: 1_000, isAtHead: true })
  expect(seen).toEqual(['small head'])
  resolve()
  await Promise.all([first, ...others])
  expect(seen).toEqual(['small head', 'large head', 'behind'])
})

test('large blocks get room in order as soon as others are no longer in memory, and small ones at once', async () => {
  const memory = new BlockMemory({ bytesMax: 1_000_000 })
  const granted: string[] = []
  const ask = async (name: string, bytes: number) => {
    await memory.count(bytes)
    granted.push(name)
  }
  expect(memory.tryCount(900_000)).toBe(true)
  const [first, second] = [ask('first', 900_000), ask('second', 900_000)]
  await ask('small', 200_000)
  // Reading ahead leaves the room to those that wait for it.
  expect(memory.tryCount(1)).toBe(false)
  memory.change(-900_000)
  await first
  expect(granted).toEqual(['small', 'first'])
  memory.change(-900_000)
  await second
})

test('a source waits for room only for a while', async () => {
  const memory = new BlockMemory({ bytesMax: 1, roomMsMax: 1 })
  await memory.count(1_000_000)
  await memory.count(1_000_000)
})
