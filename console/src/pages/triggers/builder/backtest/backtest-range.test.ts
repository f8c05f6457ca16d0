import { expect, test } from 'vitest'
import { defaultRange, readRange } from './backtest-range.tsx'

const between = (fromBlock: number | undefined, toBlock: number | undefined) =>
  readRange({ ...defaultRange, mode: 'between', fromBlock, toBlock })

test('a range is sent as the last blocks or as two ends, never as both', () => {
  expect(readRange(defaultRange)).toEqual({ blocks: { lastBlocks: 500 } })
  expect(between(7, 7)).toEqual({ blocks: { fromBlock: 7, toBlock: 7 } })
  expect(between(1, 100_000)).toEqual({ blocks: { fromBlock: 1, toBlock: 100_000 } })
})

test('a range that the service would refuse has a problem before it is sent', () => {
  expect(readRange({ ...defaultRange, lastBlocks: undefined }).problem).toBeDefined()
  expect(between(5, undefined).problem).toBeDefined()
  expect(between(5, 4).problem).toMatch(/before/)
  expect(between(1, 100_001).problem).toMatch(/100,001 blocks/)
})
