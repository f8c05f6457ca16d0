import { afterAll, afterEach, expect, test } from 'vitest'
import { eventually } from '../../../../../tests/nodes/eventually.ts'
import type { ScriptedCall } from '../../../../../tests/nodes/scripted-node.ts'
import { scriptedPools } from '../../../../../tests/nodes/scripted-pool.ts'
import { UpstreamError } from '../../outbound/upstream-error.ts'
import type { EndpointNotice } from '../endpoint-report.ts'
import { RpcError } from './index.ts'

const { clock, node, pool, clear, close } = scriptedPools()
afterEach(clear)
afterAll(close)

const says = (result: unknown) => node(({ id }) => ({ id, result }))
const noticing = () => {
  const notices: EndpointNotice[] = []
  return { notices, onNotice: (notice: EndpointNotice) => void notices.push(notice) }
}
const whole = (answer: unknown) => {
  if (answer !== 'all') throw new UpstreamError('bad_answer', 'Some are missing.')
  return answer
}

test('a rejected answer is read from another endpoint, and the first endpoint is used last for a while', async () => {
  const { notices, onNotice } = noticing()
  const [partial, complete] = [await says('some'), await says('all')]
  const both = pool([partial.url, complete.url], { onNotice })
  expect(await both.ask('m', [], whole)).toBe('all')
  expect(await both.ask('m', [], whole)).toBe('all')
  expect([partial.messages, complete.messages]).toEqual([1, 2])
  expect(notices).toMatchObject([{ code: 'endpoint_incomplete', level: 'warn', host: partial.host }])
  expect(both.report()).toMatchObject([
    { host: partial.host, requests: 1, incomplete: 1, failures: 1, restMs: 1000 },
    { host: complete.host, requests: 2, incomplete: 0, failures: 0, restMs: 0 },
  ])
})

test('if every answer is rejected, the error names every endpoint, and none is used last', async () => {
  const [first, second] = [await says('some'), await says('few')]
  const both = pool([first.url, second.url])
  const asked = both.ask('m', [], whole)
  await expect(asked).rejects.toMatchObject({ kind: 'bad_answer' })
  await expect(asked).rejects.toThrow(`${first.host}: Some are missing. ${second.host}: Some are missing.`)
  expect(both.report()).toMatchObject([{ restMs: 0 }, { restMs: 0 }])
})

test('endpoints of one host are told apart by their place in the list, without the rest of their addresses', async () => {
  const { notices, onNotice } = noticing()
  let asked = 0
  const { host } = await node(({ id }) => ({ id, result: ++asked === 1 ? 'some' : 'all' }))
  const both = pool([`http://${host}/v3/secret`, `http://${host}/v3/hidden?key=secret`], { onNotice })
  expect(await both.ask('m', [], whole)).toBe('all')
  expect(notices[0]?.message).toBe(
    `${host} (endpoint 1) gave an answer that ${host} (endpoint 2) corrected: ${host} (endpoint 1): Some are missing.`,
  )
})

test('an invalid request is not repeated at another endpoint', async () => {
  const [first, second] = [await says(1), await says(2)]
  const refuse = () => {
    throw new UpstreamError('refused', 'no')
  }
  await expect(pool([first.url, second.url]).ask('m', [], refuse)).rejects.toMatchObject({ kind: 'refused' })
  expect(second.messages).toBe(0)
})

const refuses = (message: string, code = -32000) => node(({ id }) => ({ id, error: { code, message } }))

test.each([
  [-32701, 'Please specify an address in your request'],
  [-32602, 'blockHash is not supported'],
  [-32005, 'query returned more than 10000 results'],
  [-32601, 'Method not found'],
  [-32000, 'missing trie node'],
])('an error (%d, %s) for a call of the service itself leads to the next endpoint', async (code, words) => {
  const { notices, onNotice } = noticing()
  const [strict, well] = [await refuses(words, code), await says('0x1')]
  const both = pool([strict.url, well.url], { onNotice })
  for (let call = 0; call < 3; call += 1) expect(await both.ask('eth_getLogs', [], String)).toBe('0x1')
  expect(both.report()).toMatchObject([
    { failures: 0, restMs: 0 },
    { failures: 0, restMs: 0 },
  ])
  if (words === 'missing trie node') return expect(notices).toEqual([])
  // It was asked once: for this method the other goes first now.
  expect([strict.messages, well.messages]).toEqual([1, 3])
  const message = `${strict.host} refuses eth_getLogs, which ${well.host} answers: ${strict.host} answered: ${words}`
  expect(notices).toEqual([{ level: 'warn', code: 'endpoint_refusing', host: strict.host, message }])
  await both.ask('other', [], String)
  expect(strict.methods.at(-1)).toBe('other')
})

test('if every endpoint answers with an error, the message contains each of them', async () => {
  const [first, second] = [await refuses('blockHash is not supported', -32602), await refuses('no such method', -32601)]
  const asked = pool([first.url, second.url]).ask('m', [], String)
  await expect(asked).rejects.toMatchObject({
    code: -32602,
    message: `${first.host} answered: blockHash is not supported ${second.host} answered: no such method`,
  })
  await expect(asked).rejects.toBeInstanceOf(RpcError)
})

test.each([
  [3, 'execution reverted: paused'],
  [-32000, 'execution reverted'],
  [-32602, 'invalid argument 0: hex string has length 2'],
  [-32000, 'out of gas'],
])(
  'an error (%d, %s) for a call that a tenant wrote is the answer, and no endpoint cools down',
  async (code, words) => {
    const { notices, onNotice } = noticing()
    const [first, second] = [await refuses(words, code), await says(1)]
    const both = pool([first.url, second.url], { onNotice })
    for (let call = 0; call < 4; call += 1) await expect(both.request('eth_call')).rejects.toThrow(words)
    expect([first.messages, second.messages, notices]).toEqual([4, 0, []])
    expect(both.report()[0]).toMatchObject({ failures: 0, restMs: 0 })
  },
)

test('a method that one endpoint lacks is called at the next one, for tenants too', async () => {
  const [first, second] = [await refuses('Method not found', -32601), await says('traced')]
  expect(await pool([first.url, second.url]).request('debug_traceCall')).toBe('traced')
})

test('the endpoint that announced a block can be preferred', async () => {
  const [first, second] = [await says('first'), await says('second')]
  const both = pool([first.url, second.url])
  expect(await both.ask('m', [], (answer) => answer, { prefer: 1 })).toBe('second')
  expect(await both.ask('m', [], (answer) => answer)).toBe('first')
})

const onChain = (chain: string, answer: string) =>
  node(({ id, method }) => ({ id, result: method === 'id' ? chain : answer }))
const network = { method: 'id', params: [], read: String }

test('an endpoint of another network is never used', async () => {
  const { notices, onNotice } = noticing()
  const [right, wrong] = [await onChain('1', 'right'), await onChain('5', 'wrong')]
  const both = pool([right.url, wrong.url], { network, onNotice })
  expect(await both.request('m')).toBe('right')
  await expect(both.ask('m', [], String, { prefer: 1 })).resolves.toBe('right')
  await right.close()
  await expect(both.request('m')).rejects.toThrow(
    `${wrong.host} serves another network (5) than the other endpoints (1).`,
  )
  expect(notices.map(({ code, host }) => [code, host])).toEqual([['endpoint_of_other_network', wrong.host]])
  expect(wrong.methods).toEqual(['id'])
})

test('the network that is known in advance decides, also for a single endpoint', async () => {
  const wrong = await onChain('5', 'wrong')
  await expect(pool([wrong.url], { network: { ...network, expected: '1' } }).request('m')).rejects.toThrow(
    'another network',
  )
  expect(await pool([wrong.url], { network }).request('m')).toBe('wrong')
  expect(wrong.methods).toEqual(['id', 'm'])
})

test('a node that does not report its network is skipped', async () => {
  const mute = await node(({ id }: ScriptedCall) => ({ id, error: { code: -32601, message: 'Method not found' } }))
  const right = await onChain('1', 'right')
  expect(await pool([mute.url, right.url], { network }).request('m')).toBe('right')
  expect(mute.methods).toEqual(['id'])
})

const atHeight = (height: { of: number }) =>
  node(({ id, method }) => ({ id, result: method === 'head' ? height.of : 'x' }))
const head = { method: 'head', params: [], read: Number }

test('an endpoint far behind the median head is used last until it has caught up', async () => {
  const { notices, onNotice } = noticing()
  const behind = { of: 100 }
  const nodes = [await atHeight(behind), await atHeight({ of: 200 }), await atHeight({ of: 201 })]
  const three = pool(
    nodes.map(({ url }) => url),
    { head, onNotice },
  )
  await three.measureLag()
  expect(three.report()).toMatchObject([{ head: 100, lag: 100 }, { lag: 0 }, { head: 201, lag: 0 }])
  await three.request('m')
  expect(nodes.map(({ methods }) => methods.includes('m'))).toEqual([false, true, false])
  behind.of = 198
  clock.ms += 12_000
  await three.measureLag()
  await three.request('m')
  expect(nodes[0]!.methods.at(-1)).toBe('m')
  clock.ms += 300_000
  await three.request('m')
  expect(notices.map(({ code }) => code)).toEqual(['endpoint_lagging', 'endpoint_caught_up'])
})

test('the lag limit depends on the block time of the chain', async () => {
  const heights = [{ of: 1000 }, { of: 1000 }, { of: 1000 }]
  const nodes = await Promise.all(heights.map(atHeight))
  const three = pool(
    nodes.map(({ url }) => url),
    { head },
  )
  await three.measureLag()
  const grow = async (blocks: number, behind: number) => {
    clock.ms += 10_000
    for (const height of heights) height.of += blocks
    const [first] = heights
    first!.of -= behind
    await three.measureLag()
    first!.of += behind
    await three.request('m')
    return nodes[0]!.methods.at(-1) === 'm'
  }
  expect(await grow(40, 15)).toBe(true)
  expect(await grow(40, 25)).toBe(false)
  expect(await grow(1, 3)).toBe(true)
  expect(await grow(1, 5)).toBe(false)
})

test('heads are compared regularly while calls are made', async () => {
  const nodes = [await atHeight({ of: 100 }), await atHeight({ of: 900 })]
  const both = pool(
    nodes.map(({ url }) => url),
    { head },
  )
  await both.request('m')
  expect(nodes.map(({ methods }) => methods)).toEqual([['m'], []])
  clock.ms += 15_000
  await both.request('m')
  await eventually(() => both.report()[0]?.lag === 800)
  await both.request('m')
  expect(nodes[1]!.methods).toEqual(['head', 'm'])
})

test('null results, timeouts and rejected answers are counted, and no report contains a URL', async () => {
  const [empty, slow, busy] = [await says(null), await node(() => 'hang'), await node(() => ({ status: 429 }))]
  const urls = [empty, slow, busy].map(({ host }) => `http://me:secret@${host}/v3/secret?key=secret`)
  // Only the node that hangs has a short time: a busy machine answers late.
  const [first, second, third] = urls.map((url, at) => pool([url], at === 1 ? { timeoutMs: 100 } : {}))
  await first!.request('m')
  await expect(second!.request('m')).rejects.toMatchObject({ kind: 'timeout' })
  await expect(third!.request('m')).rejects.toThrow('asks to slow down')
  const reports = [first, second, third].flatMap((each) => each!.report())
  expect(reports).toMatchObject([{ nulls: 1, perSecond: null }, { timeouts: 1 }, { slowDowns: 1, perSecond: 2 }])
  expect(JSON.stringify(reports)).not.toContain('secret')
})

test('concurrent failures count as one failure', async () => {
  const flaky = await node(() => ({ status: 503 }))
  const alone = pool([flaky.url], { now: () => performance.now() })
  await Promise.allSettled(Array.from({ length: 20 }, () => alone.request('m')))
  expect(alone.report()).toMatchObject([{ failures: 20 }])
  expect(alone.report()[0]!.restMs).toBeLessThanOrEqual(1000)
})

test('three failures in a row are logged once, and so is the recovery', async () => {
  const { notices, onNotice } = noticing()
  let isWell = false
  const flaky = await node(({ id }) => (isWell ? { id, result: 1 } : { status: 503 }))
  const alone = pool([flaky.url], { onNotice })
  for (let attempt = 0; attempt < 5; attempt += 1) await expect(alone.request('m')).rejects.toThrow('HTTP 503')
  isWell = true
  await alone.request('m')
  clock.ms += 300_000
  await alone.request('m')
  await alone.request('m')
  expect(notices.map(({ code, level }) => [code, level])).toEqual([
    ['endpoint_failing', 'warn'],
    ['endpoint_recovered', 'info'],
  ])
})

test('an endpoint that fails at every second block is logged once, not once per block', async () => {
  const { notices, onNotice } = noticing()
  let block = 0
  const shaky = await node(({ id }) => ({ id, result: block % 2 === 0 ? 'some' : 'all' }))
  const both = pool([shaky.url, (await says('all')).url], { onNotice })
  for (block = 0; block < 500; block += 1) {
    clock.ms += 1000
    expect(await both.ask('m', [], whole)).toBe('all')
  }
  expect(notices).toHaveLength(1)
  block = 1
  for (let minute = 0; minute < 20; minute += 1) {
    clock.ms += 60_000
    await both.ask('m', [], whole)
  }
  expect(notices.map(({ code }) => code)).toEqual(['endpoint_incomplete', 'endpoint_recovered'])
})

test('a late answer does not end the cooldown that the endpoint requested', async () => {
  const held = Promise.withResolvers<void>()
  const busy = await node(async ({ id, method }) => {
    if (method === 'refused') return { status: 429, headers: { 'retry-after': '30' } }
    await held.promise
    return { id, result: 'late' }
  })
  const alone = pool([busy.url])
  clock.ms = 1000
  const late = alone.request('held')
  await eventually(() => busy.messages === 1)
  clock.ms = 2000
  await expect(alone.request('refused')).rejects.toThrow('asks to slow down')
  held.resolve()
  expect(await late).toBe('late')
  await expect(alone.request('m')).rejects.toThrow('free again in 30 s')
})

test('calls that exceed the rate limit of an endpoint fail at once and do not delay later calls', async () => {
  let isBusy = true
  const busy = await node(({ id }) => (isBusy ? { status: 429 } : { id, result: 'served' }))
  const alone = pool([busy.url], { timeoutMs: 1000 })
  await expect(alone.request('m')).rejects.toThrow('asks to slow down')
  isBusy = false
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => alone.request('m')))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(outcomes.at(-1)).toMatchObject({ reason: { message: expect.stringContaining('exceed the time limit') } })
  clock.ms += 1500
  await expect(alone.request('m')).resolves.toBe('served')
})
