import { expect, test } from 'vitest'
import { BlockTime } from './block-time.ts'
import { HeadPolling } from './polling.ts'

/** Follows a chain whose blocks are made at these times, by a clock of its own, and returns the delays and the reads. */
function followChain(madeAt: readonly number[]) {
  let now = 0
  const blockTime = new BlockTime(() => now)
  const polling = new HeadPolling(blockTime, () => now)
  const delays: number[] = []
  let [head, reads] = [0, 0]
  while (head < madeAt.length) {
    const latest = madeAt.filter((at) => at <= now).length
    for (let block = head; block < latest; block++) delays.push(now - (madeAt[block] ?? 0))
    head = latest
    reads += 1
    blockTime.recordHead(head)
    polling.recordHead(head)
    now += polling.nextMs(false)
  }
  const known = delays.slice(20)
  const at = (share: number) => known.toSorted((a, b) => a - b)[Math.floor(share * known.length)] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), perBlock: reads / madeAt.length }
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
  expect(perBlock).toBeLessThan(blockMs === 1_000 ? 1.5 : 1.75)
})

test('blocks that come early or late, or not at all, cost few reads more', () => {
  const uneven = followChain(chainWith((_, chance) => 2_000 + 400 * (chance - 0.5)))
  expect(uneven.p50).toBeLessThan(2_000 / 4)
  expect(uneven.perBlock).toBeLessThan(2)
  const missed = followChain(chainWith((block) => (block % 10 === 0 ? 24_000 : 12_000)))
  expect(missed.p50).toBeLessThan(12_000 / 4)
  expect(missed.perBlock).toBeLessThan(2.5)
  const byChance = followChain(chainWith((_, chance) => -12_000 * Math.log(1 - 0.999 * chance)))
  expect(byChance.p50).toBeLessThan(12_000 / 4)
})

test('a chain that suddenly makes blocks at other times is found again', () => {
  const { p95 } = followChain(chainWith((block) => (block % 60 === 59 ? 1_700 : 1_000)))
  expect(p95).toBeLessThan(300)
})

test('fast chains are read four times a second at most, and a chain that stopped twice a second or less', () => {
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
  expect(polling.nextMs(false)).toBe(500)
})

test('without a known block time the head is read two to four times a second, and every 5 s while heads are announced', () => {
  let now = 0
  const polling = new HeadPolling(new BlockTime(() => now), () => now)
  polling.recordHead(1)
  expect(polling.nextMs(false)).toBe(250)
  now = 1_600
  expect(polling.nextMs(false)).toBe(400)
  now = 60_000
  expect(polling.nextMs(false)).toBe(500)
  expect(polling.nextMs(true)).toBe(5_000)
})
