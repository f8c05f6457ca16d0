import { expect, test } from 'vitest'
import { parseDurationMs } from './durations.ts'

test.each([
  ['30s', 30_000],
  ['5m', 300_000],
  ['1h30m', 5_400_000],
  ['1d', 86_400_000],
  ['1d2h3m4s', 93_784_000],
  ['0s', 0],
])('%s is %i ms', (text, ms) => expect(parseDurationMs(text)).toBe(ms))

test.each(['', '5', 's', '5ms', '30m1h', '-5s', '1.5h', ' 5s', '5s5s', '9999999999s'])('%j is not a duration', (text) =>
  expect(parseDurationMs(text)).toBeUndefined(),
)
