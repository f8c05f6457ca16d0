import { base58 } from '@scure/base'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeBase58 } from './base58.ts'

test('agrees with a library on everything that the library accepts', () => {
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 20, max: 1 }))
  fc.assert(
    fc.property(bytes, (sent) => {
      expect(decodeBase58(base58.encode(sent))).toEqual(Uint8Array.from(sent))
    }),
  )
})

test('the longest data that a program may emit is decoded, longer text is refused', () => {
  expect(decodeBase58('z'.repeat(13_984))?.length).toBe(10_240)
  expect(decodeBase58('z'.repeat(14_001))).toBeUndefined()
})

test.each(['0', 'O', 'Il', 'abc!', 'é', ' 1'])('%j is not base58', (text) => expect(decodeBase58(text)).toBeUndefined())

test('an empty text decodes to no bytes', () => expect(decodeBase58('')).toEqual(new Uint8Array()))
