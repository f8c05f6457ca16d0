import { expect, test } from 'vitest'
import { readViews } from './saved-views.ts'

test('stored views are read, and what is no view is left out', () => {
  const good = { name: 'Failed', filters: { status: 'failed', severity: 'critical', q: 'usdc', range: '24h' } }
  const stored = JSON.stringify([
    good,
    { name: 'No filters' },
    7,
    { name: 'Odd', filters: { status: 'unknown', range: '9y' } },
  ])
  expect(readViews(stored)).toEqual([good, { name: 'Odd', filters: {} }])
  expect(readViews(null)).toEqual([])
  expect(readViews('{')).toEqual([])
  expect(readViews('{}')).toEqual([])
})
