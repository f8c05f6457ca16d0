import { expect, test } from 'vitest'
import type { Alert } from '../../layouts/alert/alert-status.ts'
import { storiesOf } from './stories.ts'

function alert(id: string, extra: Partial<Alert> = {}): Alert {
  const at = '2030-01-01T00:00:00.000Z'
  const names = { id, workspace: 'acme', project: 'acme.p', trigger: 'acme.p.t', message: { title: id } }
  const flags = { state: null, hasDeliveries: true, destinations: [], backfilled: false }
  return { ...names, ...flags, status: 'delivered', severity: 'info', createdAt: at, updatedAt: at, ...extra }
}

const firing = alert('firing', { state: 'firing' })
const resolved = alert('resolved', { state: 'resolved', resolves: 'firing', durationMs: 300_000 })
const told = (alerts: Alert[]) => storiesOf(alerts).map(({ alert, fired }) => (fired ? [fired.id, alert.id] : alert.id))

test('a firing and a resolved alert are one story, in the place of the resolved one', () => {
  expect(told([alert('new'), resolved, alert('other'), firing, alert('old')])).toEqual([
    'new',
    ['firing', 'resolved'],
    'other',
    'old',
  ])
})

test('an alert is alone if the other one is not on the page', () => {
  expect(told([resolved, alert('other')])).toEqual(['resolved', 'other'])
  expect(told([firing])).toEqual(['firing'])
})

test('a retracted alert resolves nothing', () => {
  const retracted = alert('undone', { state: 'resolved', resolves: 'firing', status: 'retracted' })
  expect(told([retracted, firing])).toEqual(['undone', 'firing'])
  expect(told([resolved, retracted, firing])).toEqual([['firing', 'resolved'], 'undone'])
})
