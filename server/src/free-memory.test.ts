import { expect, test } from 'vitest'
import { BurstWatch } from './free-memory.ts'

test('memory is freed once after each burst, not while it lasts, and at most every 30 s', () => {
  const watch = new BurstWatch()
  const ended = (shares: number[], fromMs: number) =>
    shares.map((share, at) => watch.hasEnded(share, fromMs + 5_000 * at))
  expect(ended([0.01, 0.9, 0.15, 0.02, 0.02], 0)).toEqual([false, false, false, true, false])
  expect(ended([0.9, 0.02, 0.02, 0.02, 0.02, 0.02], 25_000)).toEqual([false, false, false, false, true, false])
})
