import { afterEach, expect, test } from 'vitest'
import type { TestTasks } from '../../../../tests/harness/thread-program.ts'
import { type Pool, type PoolOptions, startPool, ThreadsBusy, TooExpensive } from './pool.ts'

const program = new URL('../../../../tests/harness/thread-program.ts', import.meta.url)
let pool: Pool<TestTasks>

function start(options: Partial<PoolOptions> = {}, now?: () => number): Pool<TestTasks> {
  const waitingMax = { ofOne: 16, ofAll: 64 }
  const limits = { threadsMax: 2, deadlineMs: 60_000, memoryMegabytesMax: 64, callerMsPerMinute: 600_000 }
  pool = startPool(program, { ...limits, waitingMax, idleMs: 60_000, ...options }, now)
  return pool
}
afterEach(() => pool.close())

test('a thread answers with the result of a task, or with its error', async () => {
  const { run } = start()
  expect(await run('ann', 'echo', { list: [1n, 'two'] })).toEqual({ list: [1n, 'two'] })
  await expect(run('ann', 'fail', 'it is odd')).rejects.toThrow('it is odd')
  expect(await run('ann', 'echo', 'still here')).toBe('still here')
})

test('a task that takes too long ends with its thread, and the next one runs', async () => {
  const { run } = start({ threadsMax: 1, deadlineMs: 3_000 })
  const endless = run('ann', 'loop', undefined)
  const next = run('bob', 'echo', 'next')
  await expect(endless).rejects.toThrow(TooExpensive)
  expect(await next).toBe('next')
})

test('so does a task that needs too much memory', async () => {
  const { run } = start({ threadsMax: 1 })
  await expect(run('ann', 'grow', undefined)).rejects.toThrow(new TooExpensive('takes too much memory'))
  expect(await run('ann', 'echo', 'next')).toBe('next')
})

test('a thread frees the memory that a task needed', async () => {
  const { run } = start({ threadsMax: 1, memoryMegabytesMax: 384 })
  expect(await run('ann', 'leave', undefined)).toBe(1_000_000)
  expect(await run('ann', 'usedMegabytes', undefined)).toBeLessThan(32)
})

test('a caller has at most half of the threads, so others do not wait for it', async () => {
  const { run } = start()
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const held = [run('ann', 'hold', flag), run('ann', 'hold', flag), run('ann', 'hold', flag)]
  expect(await run('bob', 'echo', 'bob')).toBe('bob')
  Atomics.store(flag, 0, 1)
  Atomics.notify(flag, 0)
  await Promise.all(held)
})

test('callers take turns', async () => {
  const { run } = start({ threadsMax: 1 })
  await run('cid', 'echo', 'the thread is ready')
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const done: string[] = []
  const add = async (caller: string) => void done.push(`${await run(caller, 'echo', caller)}`)
  const first = run('ann', 'hold', flag)
  const rest = ['ann', 'ann', 'ann', 'bob', 'bob'].map(add)
  Atomics.store(flag, 0, 1)
  Atomics.notify(flag, 0)
  await Promise.all([first, ...rest])
  expect(done).toEqual(['ann', 'bob', 'ann', 'bob', 'ann'])
})

test('work that would wait too long is refused, first that of the caller with much of it', async () => {
  const { run } = start({ threadsMax: 1, waitingMax: { ofOne: 2, ofAll: 3 } })
  await run('cid', 'echo', 'the thread is ready')
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const admitted = [run('ann', 'hold', flag), run('ann', 'echo', 1), run('ann', 'echo', 2)]
  await expect(run('ann', 'echo', 3)).rejects.toThrow(ThreadsBusy)
  admitted.push(run('bob', 'echo', 4))
  await expect(run('cid', 'echo', 5)).rejects.toThrow(ThreadsBusy)
  Atomics.store(flag, 0, 1)
  Atomics.notify(flag, 0)
  expect((await Promise.all(admitted)).slice(1)).toEqual([1, 2, 4])
})

test('a caller who has used the time of a minute is refused until the minute is over', async () => {
  let nowMs = 0
  const { run } = start({ callerMsPerMinute: 20_000 }, () => nowMs)
  const flag = new Int32Array(new SharedArrayBuffer(4))
  await run('ann', 'echo', 'the thread is ready')
  const held = run('ann', 'hold', flag)
  nowMs = 20_000
  Atomics.store(flag, 0, 1)
  Atomics.notify(flag, 0)
  await held
  await expect(run('ann', 'echo', 1)).rejects.toMatchObject({ retryAfterSeconds: 40 })
  expect(await run('bob', 'echo', 1)).toBe(1)
  nowMs = 60_000
  expect(await run('ann', 'echo', 1)).toBe(1)
})

test('an idle thread ends, and the next task starts another one', async () => {
  const { run } = start({ idleMs: 1 })
  const first = await run('ann', 'id', undefined)
  await expect.poll(() => run('ann', 'id', undefined), { interval: 50 }).not.toBe(first)
})

test('a pool that is closed refuses what it has not done', async () => {
  const { run } = start({ threadsMax: 1 })
  const flag = new Int32Array(new SharedArrayBuffer(4))
  const open = [run('ann', 'hold', flag), run('bob', 'echo', 1)]
  const refused = Promise.all(open.map((each) => expect(each).rejects.toThrow(ThreadsBusy)))
  await pool.close()
  await refused
})
