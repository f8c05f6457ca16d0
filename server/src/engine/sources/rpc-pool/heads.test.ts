import { afterAll, afterEach, expect, test } from 'vitest'
import { eventually } from '../../../../../tests/nodes/eventually.ts'
import type { ScriptedCall, ScriptedNode } from '../../../../../tests/nodes/scripted-node.ts'
import { scriptedPools } from '../../../../../tests/nodes/scripted-pool.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { HeadListener } from '../connection.ts'
import type { HeadSubscription } from './index.ts'

const { node, pool, clear, close } = scriptedPools()
afterEach(clear)
afterAll(close)

const heads: HeadSubscription = {
  method: 'eth_subscribe',
  params: ['newHeads'],
  unsubscribe: 'eth_unsubscribe',
  read(notice) {
    if (typeof notice !== 'number') throw new UpstreamError('bad_answer', 'That is no head.')
    return { number: notice }
  },
}
const subscribable = ({ id, method, params }: ScriptedCall) => ({
  id,
  result: method === 'eth_subscribe' ? '0xcafe' : [method, params],
})
const announce = ({ push }: ScriptedNode, result: unknown, subscription = '0xcafe') =>
  push({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription, result } })
const listening = () => {
  const told: string[] = []
  const listener: HeadListener = {
    onHead: ({ number }, from) => void told.push(`${number} from ${from}`),
    onUp: () => void told.push('up'),
    onDown: (reason) => void told.push(`down: ${reason.replaceAll(/127\S+/g, 'host')}`),
  }
  return { told, listener }
}
const isSubscribed = ({ methods }: ScriptedNode, times = 1) =>
  methods.filter((method) => method === 'eth_subscribe').length >= times

test('heads arrive in the order in which the node pushes them; the stream is down before the first', async () => {
  const { told, listener } = listening()
  const live = await node(subscribable)
  const streaming = pool([live.wsUrl])
  const stream = streaming.heads(heads, listener)
  await eventually(() => isSubscribed(live))
  expect([stream.isUp, told]).toEqual([false, []])
  announce(live, 7)
  announce(live, 99, '0xother')
  announce(live, 8)
  await eventually(() => told.length === 3)
  expect([stream.isUp, told]).toEqual([true, ['up', '7 from 0', '8 from 0']])
  expect(streaming.report()).toMatchObject([{ head: 8 }])
  expect(await streaming.request('m', [1])).toEqual(['m', [1]])
})

test('the endpoint that announced a block is known while the stream is up; it may not have blocks above that', async () => {
  const { told, listener } = listening()
  const live = await node(subscribable)
  const streaming = pool(['http://127.0.0.1:1/', live.wsUrl])
  const stream = streaming.heads(heads, listener)
  await eventually(() => isSubscribed(live))
  expect(streaming.announcedBy(7)).toBe(undefined)
  announce(live, 7)
  await eventually(() => stream.isUp)
  expect([4, 5, 7, 8].map((number) => streaming.announcedBy(number))).toEqual([undefined, 1, 1, undefined])
  live.cut()
  await eventually(() => told.length === 3)
  expect(streaming.announcedBy(7)).toBe(undefined)
})

test('a broken stream is reported, and continues at the next endpoint', async () => {
  const { told, listener } = listening()
  const [first, second] = [await node(subscribable), await node(subscribable)]
  pool(['http://127.0.0.1:1/', first.wsUrl, second.wsUrl]).heads(heads, listener)
  await eventually(() => isSubscribed(first))
  announce(first, 1)
  await eventually(() => told.length === 2)
  first.cut()
  await eventually(() => isSubscribed(second))
  announce(second, 2)
  await eventually(() => told.length === 5)
  expect(told).toEqual(['up', '1 from 1', 'down: host closed the connection.', 'up', '2 from 2'])
})

test('a single endpoint is subscribed to again with backoff; an outage is reported once', async () => {
  const { told, listener } = listening()
  let isWell = true
  const flaky = await node((call) => (isWell ? subscribable(call) : 'cut'))
  pool([flaky.wsUrl]).heads(heads, listener, { retryFirstMs: 5 })
  await eventually(() => isSubscribed(flaky))
  announce(flaky, 1)
  await eventually(() => told.length === 2)
  isWell = false
  flaky.cut()
  await eventually(() => isSubscribed(flaky, 4))
  isWell = true
  await eventually(() => {
    announce(flaky, 2)
    return told.includes('2 from 0')
  })
  expect(told.slice(0, 5)).toEqual(['up', '1 from 0', 'down: host closed the connection.', 'up', '2 from 0'])
})

test('a node that stops sending, or sends invalid data, is replaced by the next one', async () => {
  const { told, listener } = listening()
  const [silent, babbling, fine] = [await node(subscribable), await node(subscribable), await node(subscribable)]
  // Long enough for those that speak to do so in time, however busy the machine is.
  pool([silent.wsUrl, babbling.wsUrl, fine.wsUrl]).heads(heads, listener, { quietMs: 2_000 })
  await eventually(() => isSubscribed(babbling))
  announce(babbling, { no: 'head' })
  await eventually(() => isSubscribed(fine))
  announce(fine, 5)
  await eventually(() => told.length === 3)
  expect(told).toEqual(['down: host announced no block for 2 s.', 'up', '5 from 2'])
  expect(silent.methods).toEqual(['eth_subscribe', 'eth_unsubscribe'])
})

test('a node that repeats an old head counts as one that stopped', async () => {
  const { told, listener } = listening()
  const [stale, second] = [await node(subscribable), await node(subscribable)]
  pool([stale.wsUrl, second.wsUrl]).heads(heads, listener, { quietMs: 300 })
  await eventually(() => isSubscribed(stale))
  const repeating = setInterval(() => announce(stale, 7), 20)
  await eventually(() => isSubscribed(second))
  clearInterval(repeating)
  expect(told.at(-1)).toBe('down: host announced no block for 0.3 s.')
})

test('a node without subscriptions, or of another network, is not used for heads', async () => {
  const { told, listener } = listening()
  const plain = await node(({ id, method }) =>
    method === 'id' ? { id, result: '1' } : { id, error: { code: -32601, message: 'Method not found' } },
  )
  const other = await node((call) => (call.method === 'id' ? { id: call.id, result: '5' } : subscribable(call)))
  const right = await node((call) => (call.method === 'id' ? { id: call.id, result: '1' } : subscribable(call)))
  const network = { method: 'id', params: [], read: String }
  pool([plain.wsUrl, other.wsUrl, right.wsUrl], { network }).heads(heads, listener)
  await eventually(() => isSubscribed(right))
  announce(right, 9)
  await eventually(() => told.includes('9 from 2'))
  expect(told[0]).toBe('down: host answered: Method not found')
  expect(isSubscribed(other)).toBe(false)
})

test('without a WebSocket endpoint the stream stays down, and a report says so', async () => {
  const { told, listener } = listening()
  const { url } = await node(subscribable)
  const stream = pool([url]).heads(heads, listener)
  await eventually(() => told.length === 1)
  expect([stream.isUp, told]).toEqual([false, ['down: No endpoint of the source is a web socket.']])
})

test('a closed stream reports nothing more and is unsubscribed at the node', async () => {
  const { told, listener } = listening()
  const live = await node(subscribable)
  const stream = pool([live.wsUrl]).heads(heads, listener)
  await eventually(() => isSubscribed(live))
  stream.close()
  await eventually(() => live.methods.includes('eth_unsubscribe'))
  announce(live, 1)
  expect(told).toEqual([])
})

test('closing the pool ends its streams', async () => {
  const { told, listener } = listening()
  const live = await node(subscribable)
  const streaming = pool([live.wsUrl])
  streaming.heads(heads, listener, { retryFirstMs: 1 })
  await eventually(() => isSubscribed(live))
  await streaming.close()
  live.cut()
  const again = pool([live.wsUrl])
  await again.request('m')
  expect(live.methods.filter((method) => method === 'eth_subscribe')).toHaveLength(1)
  expect(told).toEqual([])
})
