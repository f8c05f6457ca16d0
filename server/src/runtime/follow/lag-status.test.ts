import { expect, test } from 'vitest'
import { lagStatusOf, type Observed } from './step-report.ts'

const well: Observed = { lag: 0, laggingBeyond: 20, wasLagging: false, silence: undefined, limit: undefined }

test('a source is lagging beyond its limit, until half of it', () => {
  expect(lagStatusOf(well)).toEqual({ status: 'running' })
  expect(lagStatusOf({ ...well, lag: 20 })).toEqual({ status: 'running' })
  expect(lagStatusOf({ ...well, lag: 21 })).toEqual({ status: 'lagging', message: '21 blocks behind the head.' })
  expect(lagStatusOf({ ...well, lag: 11, wasLagging: true }).status).toBe('lagging')
  expect(lagStatusOf({ ...well, lag: 10, wasLagging: true }).status).toBe('running')
})

test('a chain without new blocks is lagging, and the message counts the seconds', () => {
  expect(lagStatusOf({ ...well, silence: { ms: 72_400, mayBeUsual: false } })).toEqual({
    status: 'lagging',
    message: 'No new block for 72 s',
  })
  expect(lagStatusOf({ ...well, silence: { ms: 73_000, mayBeUsual: false }, wasLagging: true }).message).toBe(
    'No new block for 73 s',
  )
})

test('a head that stands still on a chain of which too little is known is said, and the source keeps running', () => {
  const of = (ms: number) => lagStatusOf({ ...well, silence: { ms, mayBeUsual: true } })
  const unknown = 'How often this chain makes blocks is not known yet.'
  expect(of(54_000)).toEqual({ status: 'running', message: `No new block for about a minute. ${unknown}` })
  expect(of(200_000)).toEqual({ status: 'running', message: `No new block for 3 minutes. ${unknown}` })
})

test('if the endpoints limit the source, the status says so', () => {
  const limit = 'rpc.example.org allows about 3 calls a second; this source needs about 5.'
  expect(lagStatusOf({ ...well, lag: 30, limit }).message).toBe(`30 blocks behind the head. ${limit}`)
  expect(lagStatusOf({ ...well, lag: 3, limit })).toEqual({ status: 'running' })
})
