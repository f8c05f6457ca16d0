import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UpstreamError } from '../outbound/upstream-error.ts'
import type { BlockRef } from './block.ts'
import { findBlockAt, headersMax, readBlockAt, timeOf } from './block-at.ts'
import { makeKeptReads, type ReadContext } from './kept-reads.ts'

/** A chain whose block `number` has a time; undefined for a number without a block. The times never fall. */
type TimeOf = (number: number) => number | undefined
/** The longest run of numbers without a block. */
const skippedMax = 50

function chainOf(time: TimeOf, head: number) {
  let reads = 0
  const blockFrom = (number: number): BlockRef | undefined => {
    for (let at = number; at <= Math.min(head, number + skippedMax); at++) {
      const timestampMs = time(at)
      if (timestampMs !== undefined) return { number: at, hash: `0x${at}`, timestampMs }
    }
    return undefined
  }
  return {
    head: { number: head, hash: `0x${head}` },
    reads: () => reads,
    async headerFrom(number: number) {
      reads += 1
      return blockFrom(number)
    },
  }
}

const find = (chain: ReturnType<typeof chainOf>, timeMs: number) => findBlockAt(chain, chain.head, timeMs)

test('finds the last block at or before the time, also of several with equal times', async () => {
  const chain = chainOf((number) => 1_000 + Math.floor(number / 3) * 1_000, 99)
  expect(await find(chain, 5_000)).toEqual({ number: 14, hash: '0x14', timestampMs: 5_000 })
  expect(await find(chain, 5_999)).toMatchObject({ number: 14 })
  expect(await find(chain, 1_000)).toMatchObject({ number: 2 })
  expect(await find(chain, 34_000)).toMatchObject({ number: 99 })
  expect(await find(chain, 33_999)).toMatchObject({ number: 98 })
})

test('a time before the first block or after the head is out of range', async () => {
  const chain = chainOf((number) => 1_000 + number, 99)
  await expect(find(chain, 999)).rejects.toThrow(
    /^block_at\.out_of_range: 1970-01-01T00:00:00\.999Z is before the first/,
  )
  await expect(find(chain, 1_100)).rejects.toThrow(
    /^block_at\.out_of_range: .* is after the head of the chain, block 99/,
  )
})

test('a first block without a time is never the answer', async () => {
  const chain = chainOf((number) => 1_000 * number, 99)
  const withoutTime = {
    ...chain,
    async headerFrom(number: number) {
      const header = await chain.headerFrom(number)
      return number === 0 && header ? { number: 0, hash: '0x0' } : header
    },
  }
  await expect(findBlockAt(withoutTime, chain.head, 999)).rejects.toThrow('before the first block')
  expect(await findBlockAt(withoutTime, chain.head, 1_000)).toMatchObject({ number: 1 })
})

test('a node that deleted old blocks still finds later ones, and says what it refused', async () => {
  const chain = chainOf((number) => 1_000 * number, 5_000)
  const pruned = {
    ...chain,
    async headerFrom(number: number) {
      if (number < 4_500) throw new UpstreamError('bad_answer', 'the state was deleted')
      return chain.headerFrom(number)
    },
  }
  expect(await findBlockAt(pruned, chain.head, 4_600_000)).toMatchObject({ number: 4_600 })
  await expect(findBlockAt(pruned, chain.head, 4_400_000)).rejects.toThrow('the state was deleted')
})

/** Numbers without a block, and gaps between times that change from range to range, with long runs of equal times. */
const irregular = fc.record({
  head: fc.integer({ min: 1, max: 400_000_000 }),
  bends: fc.array(fc.record({ at: fc.nat(1_000_000), rise: fc.integer({ min: 0, max: 60 }) }), { maxLength: 8 }),
  jump: fc.integer({ min: 0, max: 1_000_000_000 }),
  skipped: fc.integer({ min: 1, max: 20 }),
  where: fc.double({ min: 0, max: 1, noNaN: true }),
})

test('forty reads are enough on a chain with 400 million numbers, whatever its gaps', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(irregular, async ({ head, bends, jump, skipped, where }) => {
      const turns = [
        { at: 0, rise: 1 },
        ...bends.map(({ at, rise }) => ({ at: Math.floor((at / 1_000_000) * head), rise })),
      ]
      turns.sort((a, b) => a.at - b.at)
      const middle = Math.floor(head / 2)
      const rawTime = (number: number) =>
        1 +
        (number >= middle ? jump : 0) +
        turns.reduce((sum, { at, rise }, index) => {
          const end = Math.min(number, turns[index + 1]?.at ?? number)
          return sum + Math.max(0, end - at) * rise
        }, 0)
      const isSkipped = (number: number) => number !== 0 && number !== head && number % 50 < skipped
      const time: TimeOf = (number) => (isSkipped(number) ? undefined : rawTime(number))
      const chain = chainOf(time, head)
      const timeMs = rawTime(0) + Math.floor(where * (rawTime(head) - rawTime(0)))
      const { number, timestampMs } = await find(chain, timeMs)
      expect(timestampMs).toBe(time(number))
      expect(timestampMs).toBeLessThanOrEqual(timeMs)
      const next = number === head ? undefined : await chain.headerFrom(number + 1)
      if (next) expect(next.timestampMs).toBeGreaterThan(timeMs)
      expect(chain.reads()).toBeLessThanOrEqual(headersMax + 1)
    }),
    { numRuns: 2_000 },
  )
})

test('the worst chain answers every guess as badly as it can, and forty reads are still enough', async () => {
  const head = 400_000_000
  await fc.assert(
    fc.asyncProperty(fc.nat(head - 1), fc.integer({ min: 0, max: 3 }), async (wanted, shape) => {
      // All blocks up to `wanted` are old and all later ones are new, but their times mislead each guess.
      const misleading = [
        (number: number) => (number <= wanted ? 1 : 1e12),
        (number: number) => (number <= wanted ? number : 1e15 + number),
        (number: number) => (number <= wanted ? Math.floor(number / 1e6) : 1e9 + Math.floor(number / 1e6)),
        (number: number) =>
          number <= wanted ? 5e8 - Math.floor((wanted - number) ** 0.5) : 5e8 + (number - wanted) ** 1.5,
      ]
      const chain = chainOf(misleading[shape] ?? (() => undefined), head)
      const timeMs = shape === 0 ? 5 : shape === 1 ? wanted : shape === 2 ? 5e8 : 5e8
      expect(await find(chain, timeMs)).toMatchObject({ number: wanted })
      expect(chain.reads()).toBeLessThanOrEqual(headersMax)
    }),
    { numRuns: 2_000 },
  )
})

test('an answer is kept for good once a later block is final too', async () => {
  const chain = chainOf((number) => 1_000 * number, 99)
  let finalized = 39
  const context = {
    connection: { head: async () => chain.head, headerFrom: chain.headerFrom },
    chain: { pace: { replaceable: 64, level: async () => ({ number: finalized }) } },
    network: 'n',
    kept: makeKeptReads(),
  } as unknown as ReadContext
  const readsOf = async () => {
    const before = chain.reads()
    expect(await readBlockAt(context, 40_500)).toEqual({ number: 40, hash: '0x40', timestampMs: 40_500 - 500 })
    return chain.reads() - before
  }
  expect(await readsOf()).toBeGreaterThan(0)
  finalized = 40
  expect(await readsOf()).toBeGreaterThan(0)
  finalized = 41
  expect(await readsOf()).toBeGreaterThan(0)
  expect(await readsOf()).toBe(0)
})

test('usual chains need few reads', async () => {
  const steady = chainOf((number) => 1_438_269_988_000 + number * 12_000, 20_000_000)
  expect(await find(steady, 1_500_000_000_000)).toMatchObject({ number: 5_144_167 })
  expect(steady.reads()).toBeLessThanOrEqual(8)
})

test('a time is ISO text or milliseconds', () => {
  expect(timeOf('2026-01-31T00:00:00Z')).toBe(1_769_817_600_000)
  expect(timeOf('2026-01-31')).toBe(1_769_817_600_000)
  expect(timeOf(' 1769817600000 ')).toBe(1_769_817_600_000)
  expect(timeOf(5)).toBe(5)
  for (const wrong of ['', 'yesterday', '1.5', '2026', '12e3', 'NaN', '99999999999999999999'])
    expect([wrong, timeOf(wrong)]).toEqual([wrong, wrong === '2026' ? 2026 : undefined])
})
