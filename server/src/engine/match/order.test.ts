import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orderOfSigned, orderOfUnsigned, signedAt, unsignedAt } from './order.ts'

/** Numbers of all lengths, also those that are halfway between two doubles. */
const number = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.tuple(fc.bigInt({ min: 0n, max: 2n ** 55n }), fc.nat(200)).map(([bits, shift]) => bits << BigInt(shift)),
  fc.bigInt({ min: 0n, max: 2n ** 82n }),
)

test('a word of a longer text is read as the nearest double and as the exact number', () => {
  fc.assert(
    fc.property(
      number,
      fc.constantFrom('0x', '0xa9059cbb', '0x0000000000'),
      fc.constantFrom('', 'ff'),
      (of, head, tail) => {
        const value = BigInt.asUintN(256, of)
        const signed = BigInt.asIntN(256, of)
        const text = `${head}${value.toString(16).padStart(64, '0')}${tail}`
        const at = head.length
        expect([orderOfUnsigned(text, at), unsignedAt(text, at)]).toEqual([Number(value), value])
        expect([orderOfSigned(text, at), signedAt(text, at)]).toEqual([Number(signed), signed])
      },
    ),
    { numRuns: 2_000 },
  )
})
