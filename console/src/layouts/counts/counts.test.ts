import { expect, test } from 'vitest'
import { type Counts, dayInWords, summaryOf, toBars } from './counts.ts'

function counts(range: Counts['range'], hours: number): Counts {
  const start = Date.parse('2030-01-01T00:00:00.000Z')
  const one = { recorded: 2, delivered: 1, failed: 1, failedAttempts: 3 }
  return {
    range,
    total: { recorded: 2 * hours, delivered: hours, failed: hours, failedAttempts: 3 * hours },
    hours: Array.from({ length: hours }, (_, at) => ({ hour: new Date(start + at * 3_600_000).toISOString(), ...one })),
  }
}

test('a day has a bar for each hour, and the last one is open', () => {
  const bars = toBars(counts('24h', 24))
  expect(bars).toHaveLength(24)
  expect(bars.filter(({ isOpen }) => isOpen)).toEqual([bars.at(-1)])
  expect(bars[0]).toMatchObject({ good: 2, failed: 3 })
})

test('a week has a bar for each day, with the sum of its hours', () => {
  const bars = toBars(counts('7d', 24 * 7))
  expect(bars.length).toBeGreaterThanOrEqual(7)
  expect(bars.length).toBeLessThanOrEqual(8)
  expect(bars.reduce((total, { good }) => total + good, 0)).toBe(2 * 24 * 7)
})

test('the summary counts in words', () => {
  expect(summaryOf(counts('24h', 24))).toBe('The last 24 hours: 48 alerts, 24 deliveries arrived, 72 attempts failed')
})

test('the day in words leaves out the share while nothing was sent', () => {
  expect(dayInWords(counts('24h', 24))).toBe('48 alerts in the last 24 hours, 25 % of delivery attempts succeeded')
  expect(dayInWords(counts('24h', 0))).toBe('0 alerts in the last 24 hours')
})
