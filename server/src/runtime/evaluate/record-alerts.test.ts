import { expect, test } from 'vitest'
import type { AlertToRecord } from './policies/index.ts'
import { sortByItemTime } from './record-alerts.ts'

test('alerts are recorded by item time, then by block, and keep their order within a block', () => {
  const toRecord = (id: string, at: string, block: number | null) =>
    ({ alert: { id, item_at: `2030-01-01T00:00:${at}.000Z`, block_number: block } }) as Pick<AlertToRecord, 'alert'>
  const alerts = [
    toRecord('e', '02', 5),
    toRecord('c', '01', 4),
    toRecord('d', '01', 4),
    toRecord('b', '01', 3),
    toRecord('a', '00', null),
  ]
  expect(sortByItemTime(alerts).map(({ alert }) => alert.id)).toEqual(['a', 'b', 'c', 'd', 'e'])
})
