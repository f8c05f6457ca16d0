import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OutboundResponse } from './door.ts'
import type { Prepared } from './post.ts'
import { type Outcome, Queues } from './queues.ts'
import { UpstreamError } from './upstream-error.ts'

type Call = { path: string; answer(status: number, headers?: Record<string, string>): void; fail(): void }

/** The calls in flight, in the order they were sent, and the reported outcomes. */
let calls: Call[]
let accepted: [number: number, status: number][]
let others: Outcome[]
let queues: Queues
beforeEach(() => {
  vi.useFakeTimers()
  calls = []
  accepted = []
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
    accepted: (number, status) => accepted.push([number, status]),
    other: (outcome) => others.push(outcome),
  })
})
afterEach(() => {
  vi.useRealTimers()
})

const add = (name: string, numbers: number[], url = `http://example.org/${name}`) =>
  queues.add({
    queue: { name, url, keys: [], headers: {}, atOnce: 2, timeoutMs: 1_000, responseBytesMax: 100 },
    cells: numbers.flatMap((number) => [number, `al_${number}`, '1', 1, '{}']),
  })

test('a queue has a limit of webhooks in flight, and each answer starts the next', () => {
  add('a', [1, 2, 3])
  add('b', [4])
  expect(calls.map(({ path }) => path)).toEqual(['/a', '/a', '/b'])
  calls[1]?.answer(204)
  expect(calls).toHaveLength(4)
  calls[3]?.answer(200)
  expect(accepted).toEqual([
    [2, 204],
    [3, 200],
  ])
})

test.each<[string, (call: Call | undefined) => void, Partial<Outcome>]>([
  ['fails', (call) => call?.fail(), { error: 'Too late.', kind: 'timeout' }],
  [
    'is not accepted',
    (call) => call?.answer(429, { 'retry-after': '7' }),
    { status: 429, headers: { 'retry-after': '7' } },
  ],
])('after a webhook that %s the rest of its queue is returned unsent; other queues continue', (_, end, outcome) => {
  add('a', [1, 2, 3, 4])
  add('b', [5, 6, 7])
  end(calls[0])
  expect(others).toEqual([
    { number: 3, isUnsent: true },
    { number: 4, isUnsent: true },
    expect.objectContaining({ number: 1, ...outcome }),
  ])
  expect(calls).toHaveLength(4)
  calls[1]?.answer(200)
  expect(accepted).toEqual([[2, 200]])
  add('a', [3])
  expect(calls).toHaveLength(5)
})

test('a webhook that waits too long is returned unsent, and one in flight still gets its answer', () => {
  add('a', [1, 2, 3])
  vi.advanceTimersByTime(1_000)
  expect(others).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(others).toEqual([{ number: 3, isUnsent: true }])
  for (const call of calls) call.answer(200)
  expect(accepted).toEqual([
    [1, 200],
    [2, 200],
  ])
})

test('a webhook that cannot be prepared fails alone', () => {
  add('a', [1], 'ftp://example.org')
  add('a', [2])
  expect(others).toEqual([{ number: 1, kind: 'refused', error: 'Only http and https addresses can be called.' }])
  expect(calls).toHaveLength(1)
})

test('an empty queue is removed', () => {
  add('a', [1])
  calls[0]?.answer(200)
  vi.advanceTimersByTime(1_000)
  expect(vi.getTimerCount()).toBe(0)
})

test('an origin has a limit of webhooks in flight over all queues, and waiting queues get free places in turns', () => {
  const numbers = Array.from({ length: 40 }, (_, at) => at)
  for (const number of numbers) add(`q${number}`, [3 * number, 3 * number + 1, 3 * number + 2])
  add('elsewhere', [500], 'http://example.net/elsewhere')
  expect(calls.filter(({ path }) => path !== '/elsewhere')).toHaveLength(64)
  expect(calls.at(-1)?.path).toBe('/elsewhere')
  for (const call of calls.slice(0, 4)) call.answer(200)
  expect(calls.slice(65).map(({ path }) => path)).toEqual(['/q32', '/q33', '/q34', '/q35'])
  for (let at = 4; at < calls.length; at++) calls[at]?.answer(200)
  expect(accepted).toHaveLength(121)
  expect(others).toEqual([])
})
