import { expect, test } from 'vitest'
import type { AlertToRecord } from './policies/index.ts'
import { sortByItemTime } from './record-alerts.ts'

test('alerts are recorded as they happened, by time and block, and as they came within a block', () => {
  const passed = (id: string, at: string, block: number | null) =>
    ({ alert: { id, item_at: `2030-01-01T00:00:${at}.000Z`, block_number: block } }) as Pick<AlertToRecord, 'alert'>
  const came = [
    passed('e', '02', 5),
    passed('c', '01', 4),
    passed('d', '01', 4),
    passed('b', '01', 3),
    passed('a', '00', null),
  ]
  expect(sortByItemTime(came).map(({ alert }) => alert.id)).toEqual(['a', 'b', 'c', 'd', 'e'])
})
