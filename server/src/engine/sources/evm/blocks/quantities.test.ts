import { expect, test } from 'vitest'
import { requireAmount, requireInteger, requireNumber } from './quantities.ts'

test('the largest integer of the virtual machine is read, a longer one is no integer', () => {
  const largest = `0x${'f'.repeat(64)}`
  expect(requireAmount(largest, 'value')).toBe(String(2n ** 256n - 1n))
  expect(requireInteger(`0x${'0'.repeat(60)}12ab`, 'gas')).toBe(0x12ab)
  for (const digits of [65, 30_000_000]) {
    const long = `0x${'f'.repeat(digits)}`
    for (const read of [requireAmount, requireInteger, requireNumber])
      expect(() => read(long, 'value')).toThrow("The node's answer has no valid value.")
  }
})
