import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pack, unpack } from './packing.ts'

test('the payload of a job is unpacked unchanged', async () => {
  const bodies = fc
    .record({ triggerId: fc.string(), matches: fc.array(fc.jsonValue(), { maxLength: 50 }) })
    .map((body): object => JSON.parse(JSON.stringify(body)))
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const travelled = JSON.parse(JSON.stringify(await pack(body)))
      expect(unpack(travelled)).toEqual(body)
      // The first call may find it in the cache.
      expect(unpack(travelled)).toEqual(body)
    }),
  )
})

test('the process that packed a payload unpacks it without parsing, once; the cache has a size limit', async () => {
  const large = (letter: string) => ({ text: letter.repeat(1_500_000) })
  const payloads = ['a', 'b', 'c'].map(large)
  const packed: object[] = []
  for (const payload of payloads) packed.push(await pack(payload))
  const isSame = () => packed.map((each, at) => unpack(each) === payloads[at])
  expect(isSame()).toEqual([true, true, false])
  expect(isSame()).toEqual([false, false, false])
  expect(packed.map(unpack)).toEqual(payloads)
})

test('characters that PostgreSQL cannot store are removed from large and small payloads', async () => {
  const padded = (count: number) => ({ names: Array.from({ length: count }, () => 'USD\0\0\ud800') })
  for (const count of [1, 1_000]) {
    const stored = JSON.stringify(await pack(padded(count)))
    expect(stored).not.toMatch(/\\u0000|\\ud800/)
    expect(unpack(JSON.parse(stored))).toEqual({ names: Array.from({ length: count }, () => 'USD\ufffd') })
  }
})

test('a large payload is compressed, a small one stays readable', async () => {
  const matches = Array.from({ length: 100 }, (_, index) => ({ index, address: `0x${'ab'.repeat(20)}` }))
  expect(JSON.stringify(await pack({ matches })).length).toBeLessThan(JSON.stringify({ matches }).length / 4)
  expect(await pack({ resourceId: 'r' })).toEqual({ resourceId: 'r' })
})
