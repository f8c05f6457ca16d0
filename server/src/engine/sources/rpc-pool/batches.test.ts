import { afterAll, afterEach, expect, test } from 'vitest'
import type { ScriptedCall } from '../../../../../tests/nodes/scripted-node.ts'
import { scriptedPools } from '../../../../../tests/nodes/scripted-pool.ts'
import type { EndpointNotice } from '../endpoint-report.ts'

const { node, pool, clear, close } = scriptedPools()
afterEach(clear)
afterAll(close)

const echo = ({ id, method }: ScriptedCall) => ({ jsonrpc: '2.0', id, result: method })
const names = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`)
const askAll = (from: { request(method: string): Promise<unknown> }, count: number) =>
  Promise.all(names(count).map((method) => from.request(method)))

test('concurrent calls are sent in one batch, never more than the source allows', async () => {
  const sizes: number[] = []
  const started = await node(echo, (calls) => {
    sizes.push(calls.length)
    return calls.map(echo).reverse()
  })
  const batching = pool([started.url], { batchMaxCount: 10 })
  expect(await askAll(batching, 25)).toEqual(names(25))
  expect(sizes).toEqual([10, 10, 5])
  expect(await batching.request('alone')).toBe('alone')
  expect([sizes.length, started.messages]).toEqual([3, 4])
})

test('without batchMaxCount every call is a separate request', async () => {
  const single = await node(echo, () => 'hang')
  expect(await askAll(pool([single.url]), 5)).toEqual(names(5))
  expect(single.messages).toBe(5)
})

test('each caller gets the outcome of its own call: a result or an error; a call without an answer is sent alone', async () => {
  const { url, methods } = await node(echo, (calls) => [
    echo(calls[0]!),
    { id: calls[1]!.id, error: { code: 3, message: 'execution reverted' } },
    { id: 999, result: 'nobody asked' },
  ])
  const batching = pool([url], { batchMaxCount: 10 })
  const outcomes = await Promise.allSettled(names(3).map((method) => batching.request(method)))
  expect(outcomes).toMatchObject([
    { value: 'm0' },
    { reason: { code: 3, message: expect.stringContaining('execution reverted') } },
    { value: 'm2' },
  ])
  expect(methods).toEqual(['m0', 'm1', 'm2', 'm2'])
})

test('a node that answers the ids of a batch as texts is understood, also for single calls and over a web socket', async () => {
  const asText = ({ id, method }: ScriptedCall) => ({ id: String(id), result: method })
  const { url, wsUrl } = await node(asText)
  const batching = pool([url], { batchMaxCount: 10 })
  expect(await askAll(batching, 5)).toEqual(names(5))
  expect(await batching.request('alone')).toBe('alone')
  expect(await askAll(pool([wsUrl]), 3)).toEqual(names(3))
})

test('an error without an id beside the answers of a batch is the error of the calls that it leaves out', async () => {
  const limit = { id: null, error: { code: -32007, message: '3 request limit reached' } }
  const { url } = await node(echo, (calls) => [...calls.slice(0, 3).map(echo), limit, limit])
  const batching = pool([url], { batchMaxCount: 10 })
  const outcomes = await Promise.allSettled(names(5).map((method) => batching.request(method)))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
})

const refusals: [string, (calls: ScriptedCall[]) => unknown][] = [
  ['an error in place of the list', () => ({ id: null, error: { code: -32600, message: 'batches are not allowed' } })],
  ['HTTP 400 with a text', () => ({ status: 400, body: 'no batches' })],
  ['a web page', () => '<html>'],
  ['ids that are null', (calls) => calls.map(({ method }) => ({ id: null, result: method }))],
]

test.each(refusals)('a node that answers a batch with %s gets single calls from then on', async (_, refuse) => {
  const notices: EndpointNotice[] = []
  const { url, host, methods } = await node(echo, refuse)
  const batching = pool([url], { batchMaxCount: 4, onNotice: (notice) => notices.push(notice) })
  expect(await askAll(batching, 8)).toEqual(names(8))
  const before = methods.length
  expect(await askAll(batching, 8)).toEqual(names(8))
  expect(methods.length - before).toBe(8)
  expect(notices).toMatchObject([{ code: 'endpoint_without_batches', host }])
})

test('a node that accepts only small batches gets small batches', async () => {
  const sizes: number[] = []
  const { url } = await node(echo, (calls) => {
    sizes.push(calls.length)
    return calls.length > 5 ? { error: { code: -32600, message: 'batch too large' } } : calls.map(echo)
  })
  const batching = pool([url], { batchMaxCount: 16 })
  expect(await askAll(batching, 16)).toEqual(names(16))
  sizes.length = 0
  expect(await askAll(batching, 16)).toEqual(names(16))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(5)
  expect(Math.min(...sizes)).toBeGreaterThan(1)
})

test('answers that are too large together are read in smaller batches, and large batches are tried again later', async () => {
  const long = ({ id }: ScriptedCall) => ({ id, result: 'x'.repeat(900) })
  const sizes: number[] = []
  const { url } = await node(long, (calls) => {
    sizes.push(calls.length)
    return calls.map(long)
  })
  const batching = pool([url], { batchMaxCount: 8 })
  expect(await askAll(batching, 8)).toHaveLength(8)
  expect(await askAll(batching, 8)).toHaveLength(8)
  expect(sizes.filter((size) => size === 8)).toHaveLength(2)
})

test('after a failure or a rate limit, the calls of a batch are not repeated one by one', async () => {
  const bad = await node(
    () => ({ status: 503, body: '' }),
    () => ({ status: 503, body: '' }),
  )
  const limited = await node(
    () => ({ status: 429, body: '' }),
    () => ({ status: 429, body: '' }),
  )
  const broken = await node(
    () => '<html>',
    () => '<html>',
  )
  const fine = await node(echo)
  for (const [first, most] of [
    [bad, 1],
    [limited, 1],
    [broken, 2],
  ] as const) {
    expect(await askAll(pool([first.url, fine.url], { batchMaxCount: 10 }), 10)).toEqual(names(10))
    expect(first.messages).toBeLessThanOrEqual(most)
  }
})

test('a batch without an answer ends at the deadline of its calls', async () => {
  const { url } = await node(echo, () => 'hang')
  const hung = pool([url], { batchMaxCount: 10, timeoutMs: 200, now: () => performance.now() })
  const outcomes = await Promise.allSettled(names(4).map((method) => hung.request(method)))
  expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
})
