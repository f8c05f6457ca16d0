import { expect, test } from 'vitest'
import { keccak256 } from '../abi/keccak.ts'
import { Blooms, fillsBloom, namedInBloom, readBloom } from './bloom.ts'

const logs = [
  { address: `0x${'11'.repeat(20)}`, topics: [`0x${'22'.repeat(32)}`, `0x${'33'.repeat(32)}`] },
  { address: `0x${'44'.repeat(20)}`, topics: [] },
]
const zero = `0x${'00'.repeat(256)}`

/** Written from the yellow paper, with one big integer in place of bytes. */
function bloomOf(values: string[]): string {
  let bloom = 0n
  for (const value of values) {
    const hash = Buffer.from(keccak256(Buffer.from(value.slice(2), 'hex')))
    for (const at of [0, 2, 4]) bloom |= 1n << BigInt(hash.readUInt16BE(at) % 2048)
  }
  return `0x${bloom.toString(16).padStart(512, '0')}`
}

const bloom = bloomOf(logs.flatMap(({ address, topics }) => [address, ...topics]))

test('complete logs match the bloom of their block; logs with one or all missing do not', () => {
  expect(fillsBloom(bloom, logs)).toBe(true)
  expect(fillsBloom(bloom, logs.slice(0, 1))).toBe(false)
  expect(fillsBloom(bloom, [{ ...logs[0]!, topics: [] }, logs[1]!])).toBe(false)
  expect(fillsBloom(bloom, [])).toBe(false)
})

test('a chain with empty blooms, or without system logs in its blooms, is accepted', () => {
  expect(fillsBloom(zero, logs)).toBe(true)
  expect(fillsBloom(undefined, logs)).toBe(true)
  expect(fillsBloom(bloom, [...logs, { address: `0x${'55'.repeat(20)}`, topics: [] }])).toBe(true)
})

test('a bloom that is missing, full or of the wrong size is not used', () => {
  for (const nothing of [undefined, null, '0x', `0x${'ff'.repeat(256)}`]) expect(readBloom(nothing)).toBe(undefined)
  expect([readBloom(zero), readBloom(bloom)]).toEqual([zero, bloom])
  expect(() => readBloom('full')).toThrow('no valid logsBloom')
})

const stranger = { address: `0x${'55'.repeat(20)}`, topics: [] }

test('a bloom excludes contracts that are not in it; a bloom of zeros excludes all once the chain has shown that such blooms are right', () => {
  const blooms = new Blooms()
  expect([blooms.exclude(zero), blooms.exclude(undefined)]).toEqual([false, false])
  expect(blooms.exclude(bloom, [stranger.address])).toBe(true)
  expect(blooms.exclude(bloom, [stranger.address, logs[0]!.address])).toBe(false)
  blooms.learn(bloom, logs)
  expect(blooms.exclude(zero)).toBe(false)
  for (let blocks = 0; blocks < 8; blocks += 1) blooms.confirmZero()
  expect([blooms.exclude(bloom), blooms.exclude(zero), blooms.exclude(undefined)]).toEqual([false, true, false])
})

test('one log outside its bloom shows that a chain leaves logs out, and no bloom of it excludes anything any more', () => {
  const blooms = new Blooms()
  blooms.learn(bloom, logs)
  for (let blocks = 0; blocks < 8; blocks += 1) blooms.confirmZero()
  blooms.learn(bloom, [...logs, stranger])
  expect([blooms.exclude(zero), blooms.exclude(bloom, [stranger.address])]).toEqual([false, false])
  const never = new Blooms()
  for (let blocks = 0; blocks < 8; blocks += 1) never.confirmZero()
  never.learn(zero, logs)
  expect(never.exclude(zero)).toBe(false)
})

test('a bloom contains the contracts with a log in the block, and more false positives the fuller it is', () => {
  const [first, second] = logs.map(({ address }) => address)
  const other = `0x${'55'.repeat(20)}`
  const { named, byChance } = namedInBloom(bloom, [first!, other, second!])
  expect(named).toEqual([first, second])
  expect(byChance).toBeCloseTo(3 * (12 / 2048) ** 3, 9)
  expect(namedInBloom(`0x00${'ff'.repeat(255)}`, [other]).byChance).toBeGreaterThan(0.98)
  expect(namedInBloom(zero, [other])).toEqual({ named: [], byChance: 0 })
  expect(namedInBloom(undefined, [other])).toEqual({ named: [], byChance: 0 })
})
