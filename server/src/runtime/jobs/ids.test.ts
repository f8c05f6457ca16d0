import { expect, test } from 'vitest'
import { deliveryId } from '../../store/alerts/delivery-id.ts'
import { alertId } from './ids.ts'

const cause = {
  subscriptionId: 's',
  ruleId: '',
  triggerId: 't',
  itemKey: 'k',
  outputIndex: 0,
  itemAtMs: 1_700_000_000_999,
}

test('the ids of an alert and of its delivery are made from their cause and begin with the time of the item', () => {
  const id = alertId(cause)
  expect(id).toMatch(/^al_6553f100[0-9a-f]{24}$/)
  expect(alertId({ ...cause })).toBe(id)
  expect(deliveryId(id, 'r', 'alert')).toMatch(/^dl_6553f100[0-9a-f]{32}$/)
  const others = [{ subscriptionId: 'u' }, { ruleId: 'r' }, { triggerId: 'u' }, { itemKey: 'l' }, { outputIndex: 1 }]
  expect(new Set([id, ...others.map((other) => alertId({ ...cause, ...other }))]).size).toBe(6)
})

test('the time of an item may be any number', () => {
  for (const itemAtMs of [Number.NaN, Number.POSITIVE_INFINITY, -1, 1e300])
    expect(alertId({ ...cause, itemAtMs })).toMatch(/^al_[0-9a-f]{32}$/)
})
