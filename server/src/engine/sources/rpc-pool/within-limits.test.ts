import { afterAll, afterEach, expect, test } from 'vitest'
import { scriptedPools } from '../../../../../tests/nodes/scripted-pool.ts'
import type { EndpointNotice } from '../endpoint-report.ts'

const { node, pool, clear, close } = scriptedPools()
afterEach(clear)
afterAll(close)

const now = () => performance.now()
const slowDown = { status: 429, headers: { 'retry-after': '0' } }

test('work of several calls waits for a rate limit and continues, without repeating a call', async () => {
  const notices: EndpointNotice[] = []
  let asked = 0
  const limiting = await node(({ id, method }) => (++asked % 3 === 0 ? slowDown : { id, result: method }))
  const patient = pool([limiting.url], { now, limitWaitMs: 10_000, onNotice: (notice) => void notices.push(notice) })
  let works = 0
  const read = await patient.atOne(async (at) => {
    works += 1
    const answers: unknown[] = []
    for (const method of ['a', 'b', 'c', 'd']) answers.push(await at.request(method, []))
    return answers
  })
  expect([works, read]).toEqual([1, ['a', 'b', 'c', 'd']])
  expect(limiting.methods).toEqual(['a', 'b', 'c', 'c', 'd'])
  expect(notices).toMatchObject([{ code: 'endpoint_limiting', level: 'warn' }])
  expect(notices[0]?.message).toMatch(
    /rejects calls because of its rate limit; it now gets about 2 calls per second: .* \(HTTP 429\)/,
  )
})

test('an endpoint that is free now is used instead of waiting for another', async () => {
  const [limiting, well] = [await node(() => slowDown), await node(({ id }) => ({ id, result: 1 }))]
  const both = pool([limiting.url, well.url], { now, limitWaitMs: 10_000 })
  expect(await both.ask('m', [], (answer) => answer)).toBe(1)
  expect([limiting.messages, well.messages]).toEqual([1, 1])
})

test('a wait longer than allowed fails with the reason', async () => {
  const limiting = await node(() => ({ status: 429, headers: { 'retry-after': '120' } }))
  const patient = pool([limiting.url], { now, limitWaitMs: 10_000 })
  await expect(patient.request('m')).rejects.toThrow('asks to slow down (HTTP 429)')
  await expect(patient.request('m')).rejects.toThrow('free again in 120 s')
})

test('a call can allow a shorter wait than the pool does', async () => {
  const limiting = await node(() => ({ status: 429, headers: { 'retry-after': '30' } }))
  const patient = pool([limiting.url], { now, limitWaitMs: 60_000 })
  await expect(patient.ask('m', [], String, { limitWaitMs: 8000 })).rejects.toThrow('asks to slow down (HTTP 429)')
})

test('a closed pool ends waiting calls', async () => {
  const limiting = await node(() => ({ status: 429, headers: { 'retry-after': '30' } }))
  // The wait begins after the refusal was read, which is what the notice is about.
  const refused = Promise.withResolvers<void>()
  const patient = pool([limiting.url], { now, limitWaitMs: 60_000, onNotice: () => refused.resolve() })
  const waiting = patient.request('m')
  const outcome = expect(waiting).rejects.toThrow('The connection is closed.')
  await refused.promise
  await patient.close()
  await outcome
})
