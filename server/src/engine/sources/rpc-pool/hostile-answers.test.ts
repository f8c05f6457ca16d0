import { afterAll, afterEach, expect, test } from 'vitest'
import { scriptedPools } from '../../../../../tests/nodes/scripted-pool.ts'
import { smallBytes } from '../answer-sizes.ts'

const { node, pool, clear, close } = scriptedPools()
afterEach(clear)
afterAll(close)

const answerSizes = { small: new Set(['head', 'subscribe']), large: { block: 16 * 1024 * 1024 } }
const options = { responseBytesMax: 32 * 1024 * 1024, answerSizes }
const answer = (id: number, result: unknown) => ({ jsonrpc: '2.0', id, result })

test.each(['url', 'wsUrl'] as const)('what a method may answer depends on the method (%s)', async (transport) => {
  const result = 'x'.repeat(3 * 1024 * 1024)
  const long = await node(({ id }) => answer(id, result))
  const rpc = pool([long[transport]], options)
  await expect(rpc.request('head')).rejects.toMatchObject({ kind: 'too_large' })
  await expect(rpc.request('anything')).rejects.toMatchObject({ kind: 'too_large' })
  expect(await rpc.request('block')).toBe(result)
})

test.each(['url', 'wsUrl'] as const)(
  'an answer with too many values is refused as too large (%s)',
  async (transport) => {
    const dense = await node(({ id }) => `{"jsonrpc":"2.0","id":${id},"result":[${'{},'.repeat(1_100_000)}0]}`)
    await expect(pool([dense[transport]], options).request('block')).rejects.toMatchObject({ kind: 'too_large' })
  },
)

test('a dense answer over a web socket is read while others get their turn', async () => {
  const dense = await node(({ id }) => `{"id":${id},"result":[${'[12345678901234567890],'.repeat(60_000)}0]}`)
  const read = (await pool([dense.wsUrl], { ...options, timeoutMs: 30_000 }).request('block')) as unknown[]
  expect(read).toHaveLength(60_001)
  expect(read[0]).toEqual(['12345678901234567890'])
})

test('a web socket that sends what nobody asked for is closed', async () => {
  const flooding = await node(({ id, method }) => {
    if (method === 'flood') {
      const notice = { method: 'notice', params: { subscription: '0x1', result: 'x'.repeat(smallBytes) } }
      for (let sent = 0; sent < 600; sent++) flooding.push(notice)
      return 'hang'
    }
    return answer(id, 'ok')
  })
  const rpc = pool([flooding.wsUrl], { ...options, timeoutMs: 30_000 })
  await expect(rpc.request('flood')).rejects.toThrow(/sends more messages than anybody asked for/)
})
