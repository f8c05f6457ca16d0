import { expect, test } from 'vitest'
import { type Seen, standingOf } from './standing.ts'

const well: Seen = { lag: 0, laggingBeyond: 20, wasLagging: false, silentMs: undefined, limit: undefined }

test('a source is lagging beyond its limit, until half of it', () => {
  expect(standingOf(well)).toEqual({ to: 'running' })
  expect(standingOf({ ...well, lag: 20 })).toEqual({ to: 'running' })
  expect(standingOf({ ...well, lag: 21 })).toEqual({ to: 'lagging', message: '21 blocks behind the head.' })
  expect(standingOf({ ...well, lag: 11, wasLagging: true }).to).toBe('lagging')
  expect(standingOf({ ...well, lag: 10, wasLagging: true }).to).toBe('running')
})

test('a chain without new blocks is lagging, and the seconds are counted on', () => {
  expect(standingOf({ ...well, silentMs: 72_400 })).toEqual({ to: 'lagging', message: 'No new block for 72 s' })
  expect(standingOf({ ...well, silentMs: 73_000, wasLagging: true }).message).toBe('No new block for 73 s')
})

test('where the endpoints limit the source, the status says so', () => {
  const limit = 'rpc.example.org allows about 3 calls a second; this source needs about 5.'
  expect(standingOf({ ...well, lag: 30, limit }).message).toBe(`30 blocks behind the head. ${limit}`)
  expect(standingOf({ ...well, lag: 3, limit })).toEqual({ to: 'running' })
})
