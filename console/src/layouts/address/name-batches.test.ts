import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeNameBatches } from './name-batches.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Names every address that ends in an even digit. */
function makeService() {
  const requests: [string, string[]][] = []
  const findName = makeNameBatches(async (source, addresses) => {
    requests.push([source, addresses])
    if (source === 'down') throw new Error('down')
    return addresses.flatMap((address) => (/[02468]$/.test(address) ? [{ address, name: `Name ${address}` }] : []))
  })
  return { requests, findName }
}

test('the addresses of a page leave in one request per source', async () => {
  const { requests, findName } = makeService()
  const names = Promise.all([findName('a', '1'), findName('a', '2'), findName('b', '4')])
  expect(requests).toEqual([])
  await vi.advanceTimersByTimeAsync(0)
  expect(requests).toEqual([
    ['a', ['1', '2']],
    ['b', ['4']],
  ])
  expect(await names).toEqual([null, 'Name 2', 'Name 4'])
})

test('a request has at most 100 addresses, and the next batch waits', async () => {
  const { requests, findName } = makeService()
  const first = Promise.all(Array.from({ length: 101 }, (_, at) => findName('a', String(at))))
  await vi.advanceTimersByTimeAsync(0)
  expect(requests.map(([, addresses]) => addresses.length)).toEqual([100, 1])
  expect((await first)[100]).toBe('Name 100')
  const next = findName('a', '202')
  await vi.advanceTimersByTimeAsync(1_999)
  expect(requests).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(await next).toBe('Name 202')
})

test('a failed request fails only its own addresses', async () => {
  const { findName } = makeService()
  const names = Promise.allSettled([findName('down', '2'), findName('a', '2')])
  await vi.advanceTimersByTimeAsync(0)
  expect((await names).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})
