import { afterAll, afterEach, expect, test } from 'vitest'
import { eventually } from '../../../../../tests/nodes/eventually.ts'
import { scriptedPools } from '../../../../../tests/nodes/scripted-pool.ts'
import { AnswerTimes } from './answer-times.ts'
import type { After } from './second-tries.ts'

const { clock, node, pool, clear, close } = scriptedPools()
afterEach(clear)
afterAll(close)

/** Timers that run when the test says so. */
function heldTimers() {
  const held: { ms: number; run: () => void }[] = []
  const after: After = (ms, run) => {
    const timer = { ms, run }
    held.push(timer)
    return () => void held.splice(held.indexOf(timer), held.includes(timer) ? 1 : 0)
  }
  /** Runs the next timer of at most this time. */
  const runNext = async (maxMs: number) => {
    const find = () => held.findIndex(({ ms }) => ms <= maxMs)
    await eventually(() => find() >= 0)
    const timer = held.splice(find(), 1)[0]
    timer?.run()
    return timer?.ms
  }
  return { after, held, runNext }
}
const fails = { status: 503, body: '' }

test('a call that the only endpoint fails is sent again, with growing pauses, and four times at most', async () => {
  const { after, runNext } = heldTimers()
  const answers: unknown[] = [fails, '<html>', fails]
  const shaky = await node(({ id }) => answers.shift() ?? { id, result: 'served' })
  const asked = pool([shaky.url], { after }).ask('m', [], String)
  const pauses = [await runNext(200), await runNext(200), await runNext(200)]
  expect(await asked).toBe('served')
  expect([pauses, shaky.messages]).toEqual([[50, 100, 200], 4])

  answers.push(fails, fails, fails, fails, fails)
  const again = pool([shaky.url], { after }).ask('m', [], String)
  const failed = expect(again).rejects.toThrow('HTTP 503')
  for (let pause = 0; pause < 3; pause += 1) await runNext(200)
  await failed
  expect(answers).toHaveLength(1)
})

test('a call that is not answered is sent again beside the first one, and the first answer counts', async () => {
  const { after, held, runNext } = heldTimers()
  let asked = 0
  const late = Promise.withResolvers<object>()
  const silent = await node(({ id }) => (++asked === 1 ? late.promise.then(() => ({ id, result: 'late' })) : 'hang'))
  const alone = pool([silent.url], { after, timeoutMs: 60_000 })
  const answer = alone.ask('m', [], String)
  expect([await runNext(9_000), await runNext(9_000)]).toEqual([2_500, 5_000])
  await eventually(() => asked === 3)
  late.resolve({})
  expect(await answer).toBe('late')
  expect(held).toEqual([])
})

test('a call that a caller wrote, a refusal, a missing key and an endpoint that is down are not asked twice', async () => {
  const { after, held } = heldTimers()
  const shaky = await node(() => fails)
  await expect(pool([shaky.url], { after }).request('m')).rejects.toThrow('HTTP 503')
  const keyless = await node(() => ({ status: 401, body: '' }))
  await expect(pool([keyless.url], { after }).ask('m', [], String)).rejects.toThrow('asks for a key')
  const refusing = await node(({ id }) => ({ id, error: { code: -32000, message: 'no such block' } }))
  await expect(pool([refusing.url], { after }).ask('m', [], String)).rejects.toThrow('no such block')
  expect([shaky.messages, keyless.messages, refusing.messages, held]).toEqual([1, 1, 1, []])
  const down = pool([shaky.url], { after })
  for (let call = 0; call < 8; call += 1) await expect(down.request('m')).rejects.toThrow('HTTP 503')
  clock.ms += 5_000
  await expect(down.ask('m', [], String)).rejects.toThrow('HTTP 503')
  expect([shaky.messages, held]).toEqual([10, []])
})

test('how long a call waits before it is sent again is learned from the answers to its method', () => {
  const times = new AnswerTimes()
  expect(times.silentMs('m', 10_000)).toBe(2_500)
  for (let answer = 0; answer < 50; answer += 1) times.record('m', 2)
  expect(times.silentMs('m', 10_000)).toBe(500)
  for (let answer = 0; answer < 50; answer += 1) times.record('slow', answer % 2 === 0 ? 600 : 800)
  expect(times.silentMs('slow', 10_000)).toBeGreaterThan(1_400)
  expect(times.silentMs('slow', 2_000)).toBe(1_000)
  // What callers ask for is without end.
  for (let method = 0; method < 1_000; method += 1) for (let at = 0; at < 9; at += 1) times.record(`m${method}`, 1)
  expect(times.silentMs('m999', 10_000)).toBe(2_500)
})
