import { expect, test } from 'vitest'
import { BlockTime } from './block-time.ts'
import { HeadPolling } from './polling.ts'

/** The time of a block, in whole seconds as most chains tell it. */
const inSeconds = (at: number) => 1_000 * Math.floor(at / 1_000)

/** Follows a chain whose blocks are made at these times, by a clock of its own, and returns the delays and the reads. */
function followChain(madeAt: readonly number[], timeOf: (at: number) => number | undefined = inSeconds) {
  let now = 0
  const blockTime = new BlockTime(() => now)
  const polling = new HeadPolling(blockTime, () => now)
  const delays: number[] = []
  let [head, reads] = [0, 0]
  while (head < madeAt.length) {
    const latest = madeAt.filter((at) => at <= now).length
    reads += 1
    blockTime.recordHead(latest)
    polling.recordHead(latest)
    for (; head < latest; head++) {
      const at = madeAt[head] ?? 0
      delays.push(now - at)
      blockTime.recordBlock(head + 1, timeOf(at))
    }
    now += polling.nextMs
  }
  const known = delays.slice(20)
  const at = (share: number) => known.toSorted((a, b) => a - b)[Math.floor(share * known.length)] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), most: Math.max(...known), perBlock: reads / madeAt.length }
}

/** The times of blocks with these gaps; `chance` is a fixed series between 0 and 1. */
function chainWith(gapOf: (block: number, chance: number) => number, blocks = 300): number[] {
  let [at, seed] = [0, 7]
  return Array.from({ length: blocks }, (_, block) => {
    seed = (seed * 16_807) % 2_147_483_647
    at += gapOf(block, seed / 2_147_483_647)
    return at
  })
}

test.each([1_000, 2_000, 12_000])('a chain with a block every %i ms is read soon after each block', (blockMs) => {
  const { p50, p95, perBlock } = followChain(chainWith(() => blockMs))
  expect(p50).toBeLessThan(blockMs / 12)
  expect(p95).toBeLessThan(blockMs / 8)
  // A chain with a block every 12 s is also read every 5 s.
  expect(perBlock).toBeLessThan(blockMs === 12_000 ? 3.75 : 1.75)
})

test('blocks that come early or late, or not at all, cost few reads more', () => {
  const uneven = followChain(chainWith((_, chance) => 2_000 + 400 * (chance - 0.5)))
  expect(uneven.p50).toBeLessThan(2_000 / 4)
  expect(uneven.perBlock).toBeLessThan(2)
  const missed = followChain(chainWith((block) => (block % 10 === 0 ? 24_000 : 12_000)))
  expect(missed.p50).toBeLessThan(12_000 / 4)
  expect(missed.perBlock).toBeLessThan(4.5)
  const byChance = followChain(chainWith((_, chance) => -12_000 * Math.log(1 - 0.999 * chance)))
  expect(byChance.p50).toBeLessThan(12_000 / 4)
})

test('a chain that suddenly makes blocks at other times is found again', () => {
  const { p95 } = followChain(chainWith((block) => (block % 60 === 59 ? 1_700 : 1_000)))
  expect(p95).toBeLessThan(300)
})

test('fast chains are read four times a second at most, and one that stopped about as often', () => {
  expect(followChain(chainWith(() => 50)).perBlock).toBeLessThan(0.25)
  let now = 0
  const blockTime = new BlockTime(() => now)
  const polling = new HeadPolling(blockTime, () => now)
  const mine = (head: number) => {
    blockTime.recordHead(head)
    polling.recordHead(head)
  }
  for (let head = 1; head <= 10; head++, now += 1_000) mine(head)
  for (let read = 0; read < 20; read++) mine(10)
  expect(polling.nextMs).toBe(300)
})

test('without a known block time the head is read two to four times a second', () => {
  let now = 0
  const polling = new HeadPolling(new BlockTime(() => now), () => now)
  polling.recordHead(1)
  expect(polling.nextMs).toBe(250)
  now = 1_600
  expect(polling.nextMs).toBe(400)
  now = 60_000
  expect(polling.nextMs).toBe(500)
})

const byChance = (meanMs: number) => chainWith((_, chance) => -meanMs * Math.log(1 - 0.999 * chance))

test.each([
  ['in seconds', inSeconds],
  ['in milliseconds', (at: number) => at],
  ['that are all equal', () => 1_700_000_000_000],
  ['that are missing', () => undefined],
])('a chain with blocks at random, with times %s, is read after a quarter of its gap and 50 ms', (_, timeOf) => {
  for (const meanMs of [2_000, 6_000, 10_000]) {
    const { p50, p95, most, perBlock } = followChain(byChance(meanMs), timeOf)
    expect(p50).toBeLessThan(meanMs / 8 + 100)
    // The gap is known from 16 blocks only.
    expect(p95).toBeLessThan(meanMs / 3 + 50)
    expect(most).toBeLessThan(Math.min(5_000, meanMs / 2))
    expect(perBlock).toBeLessThan(12)
  }
})

test('a chain that wakes up after a quiet night is read every 5 s at least, and often after three blocks', () => {
  const night = Array.from({ length: 30 }, (_, block) => 600_000 * (block + 1) + (block % 3) * 50_000)
  const awake = Array.from({ length: 60 }, (_, block) => 600_000 * 31 + 7_000 * block + (block % 4) * 1_500)
  const { most } = followChain([...night, ...awake])
  expect(most).toBeLessThanOrEqual(5_000)
  expect(followChain([...night, ...awake].slice(10)).p50).toBeLessThan(2_000)
})

test('a regular chain that makes blocks at random from now on is read within 5 s of each block', () => {
  const regular = Array.from({ length: 100 }, (_, block) => 12_000 * (block + 1))
  const random = byChance(6_000).map((at) => 1_200_000 + at)
  const { most, p95 } = followChain([...regular, ...random])
  expect(most).toBeLessThanOrEqual(5_000)
  expect(p95).toBeLessThan(3_050)
})

test('blocks that were read late do not make the wait longer', () => {
  let now = 0
  const blockTime = new BlockTime(() => now)
  const polling = new HeadPolling(blockTime, () => now)
  // One block every 8 s in truth, one read each minute.
  for (let read = 1, block = 1; read <= 10; read++) {
    now = 60_000 * read
    const head = Math.floor(now / 8_000)
    blockTime.recordHead(head)
    polling.recordHead(head)
    for (; block <= head; block++) blockTime.recordBlock(block, 8_000 * block + (block % 2) * 3_000)
  }
  expect(polling.nextMs).toBeLessThanOrEqual(8_000 / 4 + 50)
})
