import { expect, test } from 'vitest'
import { showMs } from './show-ms.ts'

test.each([
  [0, '0 ms'],
  [0.4138, '0.414 ms'],
  [12.46, '12.5 ms'],
  [3_200, '3.2 s'],
  [150_000, '2.5 min'],
])('%d ms is shown as %s', (ms, text) => expect(showMs(ms)).toBe(text))
