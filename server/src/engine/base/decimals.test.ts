import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareDecimals, formatUnits, readDecimal, roundDecimal, shift, showDecimal } from './decimals.ts'

const read = (value: unknown) => {
  const decimal = readDecimal(value)
  if (!decimal) throw new Error(`${String(value)} is no decimal`)
  return decimal
}
const big = fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n })
const places = fc.integer({ min: 0, max: 60 })
const text = (digits: bigint, scale: number) => showDecimal({ digits, scale })

test.each([
  [0, '0'],
  [-0, '0'],
  [0.1, '0.1'],
  [1e21, '1000000000000000000000'],
  [5e-7, '0.0000005'],
  [12n, '12'],
  ['007', '7'],
  ['+1.50', '1.5'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['-1e-2', '-0.01'],
  ['1e+21', '1000000000000000000000'],
  ['-0.0', '0'],
])('%s is the decimal %s', (value, shown) => expect(showDecimal(read(value))).toBe(shown))

test.each([
  '',
  '.',
  '-',
  'e5',
  ' 1',
  '1 ',
  '0x10',
  '1_000',
  '1,5',
  'NaN',
  'Infinity',
  '1e401',
  '1'.repeat(1001),
  '١',
  Number.NaN,
  Number.POSITIVE_INFINITY,
  null,
  undefined,
  true,
  [],
  {},
])('%j is not a decimal', (value) => expect(readDecimal(value)).toBeUndefined())

test('comparing agrees with BigInt arithmetic at one scale', () => {
  fc.assert(
    fc.property(big, places, big, places, (a, scaleA, b, scaleB) => {
      const [left, right] = [a * 10n ** BigInt(60 - scaleA), b * 10n ** BigInt(60 - scaleB)]
      const expected = left === right ? 0 : left < right ? -1 : 1
      expect(compareDecimals(read(text(a, scaleA)), read(text(b, scaleB)))).toBe(expected)
    }),
  )
})

test('a shown decimal reads back as the same value, and equal values show the same text', () => {
  fc.assert(
    fc.property(big, places, places, (digits, scale, zeros) => {
      const longer = { digits: digits * 10n ** BigInt(zeros), scale: scale + zeros }
      expect(showDecimal(longer)).toBe(text(digits, scale))
      expect(compareDecimals(read(text(digits, scale)), { digits, scale })).toBe(0)
    }),
  )
})

test('shifting there and back changes nothing, and multiplies by powers of ten', () => {
  fc.assert(
    fc.property(big, places, places, (digits, scale, by) => {
      const decimal = { digits, scale }
      expect(compareDecimals(shift(shift(decimal, by), -by), decimal)).toBe(0)
      expect(compareDecimals(shift(decimal, by), { digits: digits * 10n ** BigInt(by), scale })).toBe(0)
    }),
  )
})

test('rounding is at most half a unit away, and a half goes away from zero', () => {
  fc.assert(
    fc.property(big, places, fc.integer({ min: -5, max: 60 }), (digits, scale, to) => {
      const rounded = roundDecimal({ digits, scale }, to)
      const at = (decimal: { digits: bigint; scale: number }) => decimal.digits * 10n ** BigInt(70 - decimal.scale)
      const unit = 10n ** BigInt(70 - to)
      const [before, after] = [at({ digits, scale }), at(rounded)]
      const away = before < 0n ? before - after : after - before
      if (scale <= to) expect(away).toBe(0n)
      else expect(after % unit).toBe(0n)
      expect(2n * away <= unit && -2n * away < unit).toBe(true)
    }),
  )
})

test.each([
  ['2.5', 0, '3'],
  ['-2.5', 0, '-3'],
  ['1.005', 2, '1.01'],
  ['0.4', 0, '0'],
  ['-0.4', 0, '0'],
  ['1250', -2, '1300'],
  ['123456789012345678901234567890.5', 0, '123456789012345678901234567891'],
])('%s to %i places is %s', (value, to, shown) => expect(showDecimal(roundDecimal(read(value), to))).toBe(shown))

test('fixed keeps trailing zeros', () => {
  expect(showDecimal(read('1.5'), 4)).toBe('1.5000')
  expect(showDecimal(read(3), 2)).toBe('3.00')
})

test.each([
  ['1500000', 6, '1.5'],
  ['1', 18, '0.000000000000000001'],
  ['-1000000000000000000', 18, '-1'],
  [10n ** 30n, 18, '1000000000000'],
  ['1.5', 1, '0.15'],
])('%s with %i decimals is %s', (amount, decimals, shown) => expect(formatUnits(amount, decimals)).toBe(shown))

test('a text that is not a number has no units', () => expect(formatUnits('many', 6)).toBeUndefined())
