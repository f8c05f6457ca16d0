import { HistoryFrom } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { checkStart, describeStart, nextBlock, startOf } from './start.ts'

const fromBlock = { ...nextBlock, from: 'block' as const, block: 7, delivers: true }
const fromTime = { ...nextBlock, from: 'time' as const, time: '2026-01-31T12:00' }

test('a start becomes what the service accepts, and the next block needs nothing', () => {
  expect(startOf(nextBlock)).toEqual({})
  expect(startOf(fromBlock)).toEqual({ from: { block: 7 }, deliverHistory: true })
  expect(startOf(fromTime)).toEqual({ from: { time: new Date(fromTime.time).toISOString() }, deliverHistory: false })
  for (const draft of [fromBlock, fromTime]) expect(HistoryFrom.safeParse(startOf(draft).from).success).toBe(true)
})

test('a start without its block or time is refused at its field', () => {
  expect(checkStart({ ...fromBlock, block: undefined })).toEqual([
    { path: 'from.block', message: 'Enter the number of a block' },
  ])
  expect(checkStart({ ...fromTime, time: '' })).toEqual([{ path: 'from.time', message: 'Enter a date and a time' }])
  expect([nextBlock, fromBlock, fromTime].flatMap(checkStart)).toEqual([])
})

test('a sentence says what happens with past blocks', () => {
  expect(describeStart(nextBlock)).toBe('The subscription begins with the next block.')
  expect(describeStart(fromBlock)).toBe(
    'First, the blocks from block 7 on are run, and their alerts are sent to the destinations. Then the subscription goes on with new blocks.',
  )
  expect(describeStart(fromTime)).toContain('from 2026-01-31 12:00 on are run, and their alerts are listed in the app')
})
