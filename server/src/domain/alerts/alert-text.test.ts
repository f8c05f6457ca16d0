import { expect, test } from 'vitest'
import type { AlertRow, AlertTextRow } from '../../store/alerts/alerts.ts'
import { alertText } from './read.ts'
import { alertView } from './views.ts'

const at = new Date('2026-11-17T09:30:00.120Z')
const bare: AlertRow = {
  ...{ id: 'al_1', seq: '1', workspace_id: 'w', workspace: 'busy', project: 'busy.app', trigger: 'busy.app.t' },
  ...{ subscription_id: null, source: null, block_number: null, block_hash: null, reason: null, retry_error: null },
  shown_block: null,
  ...{ status: 'pending', severity: 'info', state: null, resolves: null, duration_ms: null, about_resource: null },
  ...{ backfilled: false, has_deliveries: false, destinations: [], message: { title: 'A' } },
  ...{ created_at: at, updated_at: at },
}
const hostile = '"}],\\ \u2028\ud800 <é> 🦊 \n'
const full: AlertRow = {
  ...bare,
  ...{ subscription_id: 's', source: 'busy.chain', block_number: '21000000', block_hash: '0xab', reason: hostile },
  ...{ status: 'failed', severity: 'critical', state: 'resolved', resolves: 'al_0', duration_ms: '90061000' },
  ...{ backfilled: true, has_deliveries: true, retry_error: hostile, about_resource: 'busy.hook' },
  project: hostile,
  message: { title: hostile, short: '{{x}}', long: '**bold**' },
  destinations: [{ resource: 'busy.hook', blueprint: 'common.delivery.webhook', status: 'dead', isRetrying: true }],
  updated_at: new Date('2026-11-18T00:00:00Z'),
}

test.each([
  ['only what every alert has', bare],
  ['everything', full],
  ['a block without a number', { ...full, block_number: null }],
  ['the block of a newer output', { ...full, shown_block: { number: 21000007, hash: '0xcd' } }],
])('the text of an alert with %s is the JSON of its view', (_what, row) => {
  expect(alertText(asText(row))).toBe(JSON.stringify(alertView(row)))
})

/** The row as PostgreSQL writes it. */
function asText(row: AlertRow): AlertTextRow {
  const time = (date: Date) =>
    date
      .toISOString()
      .replace('T', ' ')
      .replace(/\.?0*Z$/, '+00')
  const [message, destinations] = [JSON.stringify(row.message), JSON.stringify(row.destinations)]
  return { ...row, message, destinations, created_at: time(row.created_at), updated_at: time(row.updated_at) }
}
