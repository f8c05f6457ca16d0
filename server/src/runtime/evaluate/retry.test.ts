import { expect, test } from 'vitest'
import type { EvaluateJob, HistoryChunk, HistoryJob } from '../jobs/job.ts'
import { failedOnceMore, retryJobs, wholeRetry } from './retry.ts'

const now = new Date('2030-01-01T00:00:00.000Z')
const job: EvaluateJob = { triggerId: 't', source: null, block: null, nowMs: 0, depth: 0, matches: [] }
const match = (key: string) => ({ key, item: {}, listeners: ['s:'] })
const later = (ms: number) => new Date(now.getTime() + ms)

test('six attempts fail in all, and those that this machine had no time for do not count', () => {
  expect(failedOnceMore({}, false)).toEqual({ attempt: 1, overloads: 0 })
  expect(failedOnceMore({ attempt: 4 }, false)).toEqual({ attempt: 5, overloads: 0 })
  expect(failedOnceMore({ attempt: 5 }, false)).toBeUndefined()
  expect(failedOnceMore({ attempt: 5 }, true)).toEqual({ attempt: 6, overloads: 1 })
  expect(failedOnceMore({ attempt: 12, overloads: 8 }, false)).toEqual({ attempt: 13, overloads: 8 })
  expect(failedOnceMore({ attempt: 13, overloads: 8 }, false)).toBeUndefined()
})

test('matches that count differently are repeated by jobs of their own, and each attempt is a new job', () => {
  const failed = { attempt: 7, overloads: 2 }
  const overloaded = { attempt: 7, overloads: 3 }
  const retries = [
    { match: match('a'), failed },
    { match: match('b'), failed: overloaded },
    { match: match('c'), failed },
  ]
  const jobs = retryJobs(job, retries, now)
  expect(jobs).toMatchObject([
    { data: { ...failed, matches: [match('a'), match('c')] }, startAfter: later(60_000) },
    { data: { ...overloaded, matches: [match('b')] }, startAfter: later(60_000) },
  ])
  const next = retryJobs(job, [{ match: match('b'), failed: { attempt: 8, overloads: 4 } }], now)
  expect(new Set([...jobs, ...next].map(({ id }) => id)).size).toBe(3)
  expect(retryJobs(job, [], now)).toEqual([])
})

test('an ordered job is repeated as it was, and so are all chunks of a history', () => {
  const failed = { attempt: 2, overloads: 0 }
  expect(wholeRetry(job, failed, now)).toEqual({ data: { ...job, ...failed }, startAfter: later(8_000) })
  const block = { number: 1, hash: '0x1', timestampMs: 0, incarnation: 0 }
  const chunks: HistoryChunk[] = [1, 2].map((nowMs) => ({ ...job, nowMs, block }))
  const history: HistoryJob = { history: { subscriptionId: 's', generation: 1, upTo: 1 }, chunks }
  expect(wholeRetry(history, failed, now).data).toEqual({
    ...history,
    chunks: chunks.map((chunk) => ({ ...chunk, ...failed })),
  })
})
