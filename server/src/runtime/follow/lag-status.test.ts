import { expect, test } from 'vitest'
import { lagStatusOf, type Observed } from './lag-status.ts'

const well: Observed = { lag: 0, laggingBeyond: 20, wasLagging: false, silentMs: undefined, limit: undefined }

test('a source is lagging beyond its limit, until half of it', () => {
  expect(lagStatusOf(well)).toEqual({ status: 'running' })
  expect(lagStatusOf({ ...well, lag: 20 })).toEqual({ status: 'running' })
  expect(lagStatusOf({ ...well, lag: 21 })).toEqual({ status: 'lagging', message: '21 blocks behind the head.' })
  expect(lagStatusOf({ ...well, lag: 11, wasLagging: true }).status).toBe('lagging')
  expect(lagStatusOf({ ...well, lag: 10, wasLagging: true }).status).toBe('running')
})

test('a chain without new blocks is lagging, and the message counts the seconds', () => {
  expect(lagStatusOf({ ...well, silentMs: 72_400 })).toEqual({ status: 'lagging', message: 'No new block for 72 s' })
  expect(lagStatusOf({ ...well, silentMs: 73_000, wasLagging: true }).message).toBe('No new block for 73 s')
})

test('if the endpoints limit the source, the status says so', () => {
  const limit = 'rpc.example.org allows about 3 calls a second; this source needs about 5.'
  expect(lagStatusOf({ ...well, lag: 30, limit }).message).toBe(`30 blocks behind the head. ${limit}`)
  expect(lagStatusOf({ ...well, lag: 3, limit })).toEqual({ status: 'running' })
})
