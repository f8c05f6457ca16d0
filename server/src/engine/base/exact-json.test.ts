import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExactJson } from './exact-json.ts'

test.each([
  ['{"a":18446744073709551615}', { a: '18446744073709551615' }],
  ['[1, -9007199254740993]', [1, '-9007199254740993']],
  ['12345678901234567890', '12345678901234567890'],
  ['{"a":9007199254740991}', { a: 9007199254740991 }],
  ['{"a":1.2345678901234567,"b":1e30}', { a: 1.2345678901234567, b: 1e30 }],
  ['{"a":"0x0000000000000000000000"}', { a: '0x0000000000000000000000' }],
])('%s', (text, value) => expect(parseExactJson(text)).toEqual(value))

test('integers of any size keep all digits, in any position', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt()), (integers) => {
      const read = parseExactJson(`{"list":[${integers.join(' , ')}],"text":"1234567890123456789"}`)
      expect(read).toEqual({
        list: integers.map((each) => (Number.isSafeInteger(Number(each)) ? Number(each) : String(each))),
        text: '1234567890123456789',
      })
    }),
  )
})
