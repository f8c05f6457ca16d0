import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExactJson } from './exact-json.ts'
import { InvalidJson, JsonStream, JsonTooLarge } from './json-stream.ts'

const keepAll = (element: unknown) => element

function parse(text: string, sizes: readonly number[] = [], take = keepAll, keptBytesMax = 1e6): unknown {
  const stream = new JsonStream({ take, keptBytesMax })
  const bytes = Buffer.from(text)
  let at = 0
  for (const size of [...sizes, bytes.length]) {
    stream.write(bytes.subarray(at, at + size))
    at += size
  }
  return JSON.parse(JSON.stringify(stream.end()))
}

test('any JSON is read as JSON.parse reads it, in whatever pieces it comes', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 60 })
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), sizes, fc.boolean(), (value, sizes, isWide) => {
      const text = JSON.stringify(value, null, isWide ? 2 : 0)
      expect(parse(text, sizes)).toEqual(parseExactJson(text))
    }),
    { numRuns: 500 },
  )
  expect(parse('{"a":[{"b":"\\"\\\\\\u00e9"}],"c":12345678901234567890}', [9, 1, 1, 1])).toEqual({
    a: [{ b: '"\\é' }],
    c: '12345678901234567890',
  })
})

test('text that is not JSON is refused', () => {
  for (const text of [
    '',
    '{',
    '[1,]',
    '{"a" 1}',
    '{"a":1,}',
    '[1 2]',
    '{a:1}',
    '"a',
    'nul',
    '[1}',
    '1 2',
    ']',
    '{"a":}',
  ])
    expect(() => parse(text), text).toThrow(InvalidJson)
  expect(() => parse('['.repeat(100))).toThrow(InvalidJson)
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        JSON.parse(text)
      } catch {
        expect(() => parse(text)).toThrow()
      }
    }),
  )
})

test('of a long list only the elements that are taken need memory', () => {
  const list = Array.from({ length: 2_000 }, (_, at) => ({ at, data: 'x'.repeat(1_000) }))
  const text = JSON.stringify({ result: list, id: 1 })
  const takeSome = (element: unknown) => ((element as { at: number }).at % 500 === 0 ? element : undefined)
  const sizes = Array.from({ length: 300 }, () => 7_001)
  expect(parse(text, sizes, takeSome, 10_000)).toEqual({ result: list.filter(({ at }) => at % 500 === 0), id: 1 })
  expect(() => parse(text, sizes, keepAll, 10_000)).toThrow(JsonTooLarge)
})

test('small objects count with the memory that they need, not with their characters', () => {
  const stream = new JsonStream({ take: (element) => element, keptBytesMax: 1024 * 1024 })
  expect(() => stream.write(Buffer.from(`[${'{},'.repeat(10_000)}0]`))).toThrow(JsonTooLarge)
})
