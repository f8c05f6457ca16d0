import { expect, test } from 'vitest'
import { showAmount } from './show-amount.ts'

test.each([
  ['0', '0'],
  ['-0', '0'],
  ['007', '7'],
  ['1234.5', '1,234.5'],
  ['1234567.50891', '1,234,567.5089'],
  ['1.23456', '1.2346'],
  ['-1.23456', '-1.2346'],
  ['9.99999', '10'],
  ['999.99995', '1,000'],
  ['0.00005', '0.00005'],
  ['0.0001267', '0.00013'],
  ['0.000999', '0.001'],
  ['0.000000000000000001', '0.000000000000000001'],
  ['0.00000000000000000123', '0.0000000000000000012'],
  ['1250500000000000000000000.000001', '1,250,500,000,000,000,000,000,000'],
  ['', ''],
  ['1e5', '1e5'],
  ['10%', '10%'],
])('the amount %s reads %s', (text, shown) => expect(showAmount(text)).toBe(shown))

test('an amount of money has its cents, and one under a cent keeps two digits', () => {
  expect(['12', '1234.567', '0.004', '0.01'].map((text) => showAmount(text, 2, 2))).toEqual([
    '12.00',
    '1,234.57',
    '0.004',
    '0.01',
  ])
})

test('no amount but zero becomes 0, and rounding changes it by half of its fourth decimal or by a twentieth at most', () => {
  for (const decimals of [0, 2, 6, 9, 18, 30])
    for (const digits of ['1', '49', '50', '99', '12345678', '99999999999999999999', '5'.repeat(40)]) {
      const padded = digits.padStart(decimals + 1, '0')
      const point = padded.length - decimals
      const exact = decimals === 0 ? padded : `${padded.slice(0, point)}.${padded.slice(point)}`
      const shown = showAmount(exact)
      const difference = Math.abs(Number(shown.replaceAll(',', '')) - Number(exact))
      expect(shown).toMatch(/[1-9]/)
      expect(difference <= 0.000_05 || difference <= Number(exact) / 20).toBe(true)
    }
})
