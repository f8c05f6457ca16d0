import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OutboundResponse } from './door.ts'
import type { Prepared } from './post.ts'
import { type Outcome, Queues } from './queues.ts'
import { UpstreamError } from './upstream-error.ts'

type Call = { path: string; answer(status: number, headers?: Record<string, string>): void; fail(): void }

/** What is on its way now, by the order in which it went out, and what was told. */
let calls: Call[]
let taken: [number: number, status: number][]
let others: Outcome[]
let queues: Queues
beforeEach(() => {
  vi.useFakeTimers()
  calls = []
  taken = []
  others = []
  const send = (
    { target }: Prepared,
    onAnswer: (response: OutboundResponse) => void,
    onFailure: (error: UpstreamError) => void,
  ) =>
    calls.push({
      path: target.path,
      answer: (status, headers = {}) => onAnswer({ status, headers, text: '', url: target.url }),
      fail: () => onFailure(new UpstreamError('timeout', 'Too late.')),
    })
  queues = new Queues(send, {
    taken: (number, status) => taken.push([number, status]),
    other: (outcome) => others.push(outcome),
  })
})
afterEach(() => {
  vi.useRealTimers()
})

const add = (name: string, numbers: number[], url = `http://example.org/${name}`) =>
  queues.add({
    queue: { name, url, keys: [], atOnce: 2, timeoutMs: 1_000 },
    webhooks: numbers.flatMap((number) => [number, `al_${number}`, '1', '{}']),
  })

test('so many of a queue are on their way, and each that arrives makes room for the next', () => {
  add('a', [1, 2, 3])
  add('b', [4])
  expect(calls.map(({ path }) => path)).toEqual(['/a', '/a', '/b'])
  calls[1]?.answer(204)
  expect(calls).toHaveLength(4)
  calls[3]?.answer(200)
  expect(taken).toEqual([
    [2, 204],
    [3, 200],
  ])
})

test.each<[string, (call: Call | undefined) => void, Partial<Outcome>]>([
  ['fails', (call) => call?.fail(), { error: 'Too late.', kind: 'timeout' }],
  [
    'is not taken',
    (call) => call?.answer(429, { 'retry-after': '7' }),
    { status: 429, headers: { 'retry-after': '7' } },
  ],
])('after one that %s the rest of its queue goes back, another is not touched', (_, end, told) => {
  add('a', [1, 2, 3, 4])
  add('b', [5, 6, 7])
  end(calls[0])
  expect(others).toEqual([
    { number: 3, isReturned: true },
    { number: 4, isReturned: true },
    expect.objectContaining({ number: 1, ...told }),
  ])
  expect(calls).toHaveLength(4)
  calls[1]?.answer(200)
  expect(taken).toEqual([[2, 200]])
  add('a', [3])
  expect(calls).toHaveLength(5)
})

test('what waits for long goes back, and what is on its way is still waited for', () => {
  add('a', [1, 2, 3])
  vi.advanceTimersByTime(1_000)
  expect(others).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(others).toEqual([{ number: 3, isReturned: true }])
  for (const call of calls) call.answer(200)
  expect(taken).toEqual([
    [1, 200],
    [2, 200],
  ])
})

test('one that cannot be made ready is told by itself', () => {
  add('a', [1], 'ftp://example.org')
  add('a', [2])
  expect(others).toEqual([{ number: 1, kind: 'refused', error: 'Only http and https addresses can be called.' }])
  expect(calls).toHaveLength(1)
})

test('nothing is kept of a queue that is empty', () => {
  add('a', [1])
  calls[0]?.answer(200)
  vi.advanceTimersByTime(1_000)
  expect(vi.getTimerCount()).toBe(0)
})
