import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Loop, whenWoken } from './every.ts'

const warnings: string[] = []
const deps = { log: { warn: (_fields: object, message: string) => void warnings.push(message) } }
const startedMs: number[] = []
let work: () => Promise<void>
let loop: Loop

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'], now: 0 })
  warnings.length = 0
  startedMs.length = 0
  work = async () => {}
  const started = () => {
    startedMs.push(performance.now())
    return work()
  }
  loop = whenWoken(started, { paceMs: 100, waitMs: () => 1_000 }, deps, 'working')
})
afterEach(async () => {
  await loop.stop()
  vi.useRealTimers()
})

test('without a wake the work starts after the wait, again and again', async () => {
  await vi.advanceTimersByTimeAsync(3_500)
  expect(startedMs).toEqual([1_000, 2_000, 3_000])
})

test('a wake starts the work at once, and further ones at its pace', async () => {
  await vi.advanceTimersByTimeAsync(300)
  loop.wake()
  await vi.advanceTimersByTimeAsync(10)
  for (let times = 0; times < 5; times++) loop.wake()
  await vi.advanceTimersByTimeAsync(200)
  expect(startedMs).toEqual([300, 400])
})

test('a wake during the work starts it again after its end', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  work = () => promise
  loop.wake()
  await vi.advanceTimersByTimeAsync(50)
  loop.wake()
  await vi.advanceTimersByTimeAsync(450)
  expect(startedMs).toEqual([0])
  resolve()
  await vi.advanceTimersByTimeAsync(1)
  expect(startedMs).toEqual([0, 500])
})

test('failures in a row are logged once, and the work goes on', async () => {
  work = () => Promise.reject(new Error('no'))
  await vi.advanceTimersByTimeAsync(2_500)
  work = async () => {}
  await vi.advanceTimersByTimeAsync(1_000)
  work = () => Promise.reject(new Error('no'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect([startedMs.length, warnings]).toEqual([4, ['working failed', 'working failed']])
})

test('a stop waits for the work and starts no more', async () => {
  loop.wake()
  await vi.advanceTimersByTimeAsync(0)
  await loop.stop()
  loop.wake()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(startedMs).toEqual([0])
})
