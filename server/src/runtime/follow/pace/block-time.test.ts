import { expect, test } from 'vitest'
import { BlockTime } from './block-time.ts'

function watching() {
  let now = 0
  let head = 0
  const blockTime = new BlockTime(() => now)
  /** The heads alone: their blocks name no times. */
  const mine = (...gapsMs: number[]) => {
    for (const gapMs of gapsMs) {
      now += gapMs
      blockTime.recordHead(++head)
    }
  }
  /** Blocks whose times are whole seconds, as those of a chain with slots. */
  const mineSlots = (...gapsMs: number[]) => {
    for (const gapMs of gapsMs) {
      mine(gapMs)
      blockTime.recordBlock(head, Math.floor(now / 1000) * 1000)
    }
  }
  const silence = (ms: number) => {
    now += ms
    return blockTime.silence
  }
  return { blockTime, mine, mineSlots, silence }
}
const every = (ms: number, blocks = 20) => Array<number>(blocks).fill(ms)
const tooLong = (ms: number) => ({ ms, mayBeUsual: false })

test('a chain with a block every second is silent after thirty seconds without one', () => {
  const { blockTime, mine, silence } = watching()
  mine(...every(1000, 8))
  expect(blockTime.usualMs).toBeUndefined()
  mine(...every(1000, 4))
  expect(blockTime.usualMs).toBe(1000)
  expect(silence(29_999)).toBeUndefined()
  expect(silence(1)).toEqual(tooLong(30_000))
  expect(silence(42_000)).toEqual(tooLong(72_000))
})

test('a chain with slots is silent within a minute, also if it misses a slot now and then', () => {
  const { mineSlots, silence } = watching()
  mineSlots(...every(12_000), 24_000, ...every(12_000))
  expect(silence(53_999)).toBeUndefined()
  expect(silence(1)).toEqual(tooLong(54_000))
})

test('a chain with slots that has missed several in a row, or has long ones, is silent after twice its longest gap', () => {
  const missing = watching()
  missing.mineSlots(...every(12_000), 48_000, ...every(12_000))
  expect(missing.silence(95_999)).toBeUndefined()
  expect(missing.silence(1)).toEqual(tooLong(96_000))
  const slow = watching()
  slow.mineSlots(...every(60_000))
  expect(slow.silence(119_999)).toBeUndefined()
  expect(slow.silence(1)).toEqual(tooLong(120_000))
})

test('a chain without slots is silent after three times its longest gap', () => {
  const { mine, silence } = watching()
  mine(...every(12_000), 24_000, ...every(12_000))
  expect(silence(71_999)).toBeUndefined()
  expect(silence(1)).toEqual(tooLong(72_000))
})

test('blocks at random are no false alarm: a gap that comes once in a day and a half at most', () => {
  // 10 s apart on average; numbers of the logarithm of equal steps, in an order that looks random.
  const { mineSlots, silence } = watching()
  const gaps = Array.from({ length: 64 }, (_, n) => Math.round(-10_000 * Math.log(((n * 37) % 64) / 64 + 1 / 128)))
  mineSlots(...gaps)
  expect(silence(9.5 * 10_000)).toBeUndefined()
  expect(silence(6 * 10_000)).toEqual(tooLong(155_000))
})

test('a new block ends the silence, and the next one is not reported at once', () => {
  const { blockTime, mine, silence } = watching()
  mine(...every(1000))
  expect(silence(60_000)).toEqual(tooLong(60_000))
  mine(0)
  expect(blockTime.silence).toBeUndefined()
  mine(...every(1000))
  expect(silence(60_000)).toBeUndefined()
  mine(...every(1000, 65))
  expect(silence(60_000)).toEqual(tooLong(60_000))
})

test('a node that makes blocks only for transactions is silent after three times its longest pause', () => {
  const { mine, silence } = watching()
  mine(50, 20, 9000, 40, 60_000, 30, 30, 5000, 45, 10, 12)
  expect(silence(179_999)).toBeUndefined()
  expect(silence(1)).toEqual(tooLong(180_000))
})

test('while too few gaps are known, a head that stands still for a minute may be usual', () => {
  const burst = watching()
  burst.mine(...every(50, 60))
  expect(burst.silence(53_999)).toBeUndefined()
  expect(burst.silence(1)).toEqual({ ms: 54_000, mayBeUsual: true })
  const stuck = watching()
  stuck.mine(0)
  expect(stuck.silence(54_000)).toEqual({ ms: 54_000, mayBeUsual: true })
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
