import { expect, test } from 'vitest'
import type { AlertContent } from '../../store/alerts/deliveries.ts'
import { makeRecentAlertsCache } from './recent-alerts-cache.ts'

function content(rawJson = '1'): AlertContent {
  return {
    messageJson: '{"title":"T"}',
    rawJson,
    humanJson: rawJson,
    reason: null,
    subscription_id: 's',
    trigger_id: 't',
    workspace_id: 'w',
    project_id: 'p',
    workspace: 'acme',
    project: 'acme.p',
    trigger: 'acme.p.t',
    severity: 'info',
    state: null,
    resolves: null,
    duration_ms: null,
    backfilled: false,
    source: null,
    block_number: null,
    block_hash: null,
    alerted_at: new Date(0),
    item_at: new Date(0),
  }
}

test('a recent alert is found for each of its resources until it expires', () => {
  let now = 0
  const fresh = makeRecentAlertsCache(() => now)
  fresh.add([['a', content()]])
  expect([fresh.find('a'), fresh.find('a'), fresh.find('b')]).toEqual([content(), content(), undefined])
  now = 60_000
  expect(fresh.find('a')).toBeUndefined()
})

test('a delivered alert is dropped', () => {
  const fresh = makeRecentAlertsCache(() => 0)
  fresh.add([
    ['a', content()],
    ['b', content()],
  ])
  fresh.drop(['a', 'c'])
  expect([fresh.find('a'), fresh.find('b')]).toEqual([undefined, content()])
})

test('the cache has a size limit: it evicts the oldest alerts, which are in the store', () => {
  const fresh = makeRecentAlertsCache(() => 0)
  const large = 'x'.repeat(1_950_000)
  for (const id of ['a', 'b', 'c', 'd', 'e']) fresh.add([[id, content(large)]])
  expect(['a', 'b', 'e'].map((id) => fresh.find(id) !== undefined)).toEqual([false, true, true])
})
