import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExactJson } from './exact-json.ts'
import { atOnceCharsMax, parseForeignJson, valuesMax } from './foreign-json.ts'
import { JsonTooLarge } from './json-stream.ts'

test('a large text is read like a small one, whatever its shape', async () => {
  const part = '{"a":[{},[],"\\"x\\\\",{"__proto__":1}],"b":-12345678901234567890,"c":"12345678901234567890","d":1.5e3}'
  const count = 20_000
  const read = (await parseForeignJson(`[${Array(count).fill(part).join(' , ')}]`)) as unknown[]
  expect(read).toHaveLength(count)
  const wanted = JSON.stringify(parseExactJson(part))
  for (const each of read) if (JSON.stringify(each) !== wanted) expect(each).toEqual(parseExactJson(part))
  expect(Object.getPrototypeOf(read[0])).toBe(Object.prototype)
})

test('others get their turn while a dense text is read', async () => {
  let turns = 0
  const count = () => {
    turns++
    isReading && setImmediate(count)
  }
  let isReading = true
  setImmediate(count)
  await parseForeignJson(`[${'{},'.repeat(300_000)}0]`)
  isReading = false
  // 900,000 bytes in steps of 16 KiB.
  expect(turns).toBeGreaterThan(50)
})

test('a text with too many values is refused before it needs memory', async () => {
  await expect(parseForeignJson(`[${'0,'.repeat(valuesMax + 1)}0]`)).rejects.toThrow(JsonTooLarge)
  await expect(parseForeignJson('['.repeat(valuesMax + 1))).rejects.toThrow(JsonTooLarge)
})

test('a large text that is not JSON is refused', async () => {
  for (const text of [' '.repeat(atOnceCharsMax * 40), `[${'0,'.repeat(200_000)}`, `"${'\\"'.repeat(atOnceCharsMax)}`])
    await expect(parseForeignJson(text)).rejects.toThrow()
})

test('what JSON.parse refuses stays refused beside big integers', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[[\]{}",:.eE+\- 0-9]{0,30}$/), (middle) => {
      const text = `[12345678901234567890${middle}`
      expect(
        succeeds(() => parseExactJson(text)),
        text,
      ).toBe(succeeds(() => JSON.parse(text)))
    }),
    { numRuns: 2_000 },
  )
  for (const text of [
    '{12345678901234567:1}',
    '[012345678901234567]',
    '[1-1234567890123456789]',
    '[12345678901234567890 1]',
  ])
    expect(
      succeeds(() => parseExactJson(text)),
      text,
    ).toBe(false)
})

function succeeds(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
