import { expect, test } from 'vitest'
import { BlockTime } from './block-time.ts'

function watching() {
  let now = 0
  let head = 0
  const blockTime = new BlockTime(() => now)
  const mine = (...gapsMs: number[]) => {
    for (const gapMs of gapsMs) {
      now += gapMs
      blockTime.recordHead(++head)
    }
  }
  const silence = (ms: number) => {
    now += ms
    return blockTime.silentMs
  }
  return { blockTime, mine, silence }
}
const every = (ms: number, blocks = 20) => Array<number>(blocks).fill(ms)

test('a chain with a block every second is silent after thirty seconds without one', () => {
  const { blockTime, mine, silence } = watching()
  mine(...every(1000, 8))
  expect(blockTime.usualMs).toBeUndefined()
  mine(...every(1000, 4))
  expect(blockTime.usualMs).toBe(1000)
  expect(silence(29_999)).toBeUndefined()
  expect(silence(1)).toBe(30_000)
  expect(silence(42_000)).toBe(72_000)
})

test('slow chains and chains that miss a slot now and then are silent later', () => {
  const { mine, silence } = watching()
  mine(...every(12_000), 24_000, ...every(12_000))
  expect(silence(71_999)).toBeUndefined()
  expect(silence(1)).toBe(72_000)
})

test('a new block ends the silence, and the next one is not reported at once', () => {
  const { blockTime, mine, silence } = watching()
  mine(...every(1000))
  expect(silence(60_000)).toBe(60_000)
  mine(0)
  expect(blockTime.silentMs).toBeUndefined()
  mine(...every(1000))
  expect(silence(60_000)).toBeUndefined()
  mine(...every(1000, 65))
  expect(silence(60_000)).toBe(60_000)
})

test('a node that makes blocks only for transactions is never silent', () => {
  const { mine, silence } = watching()
  mine(50, 20, 9000, 40, 60_000, 30, 30, 5000, 45, 10, 12)
  expect(silence(3_600_000)).toBeUndefined()
  const burst = watching()
  burst.mine(...every(50, 60))
  expect(burst.silence(3_600_000)).toBeUndefined()
})

test('several blocks that appear in one read share their time', () => {
  let now = 0
  const blockTime = new BlockTime(() => now)
  for (let head = 0; head <= 30; head += 3) {
    blockTime.recordHead(head)
    now += 3000
  }
  expect(blockTime.usualMs).toBe(1000)
})
