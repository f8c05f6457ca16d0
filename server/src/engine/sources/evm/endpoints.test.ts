import { afterAll, expect, test } from 'vitest'
import { itemsIn } from '../../../../../tests/harness/items-in.ts'
import { bob, connectedEvm, logSpec } from '../../../../../tests/nodes/connected-evm.ts'
import { eventually } from '../../../../../tests/nodes/eventually.ts'
import { type Fault, faultyEndpoint } from '../../../../../tests/nodes/faulty-endpoint.ts'
import type { Head } from '../connection.ts'
import { evm } from './index.ts'

const { node, connection, options, start, connectTo, faulty, emitTransfer, close } = await connectedEvm()
afterAll(close)

test('missing logs are never treated as a block without logs', async () => {
  const { hash } = await emitTransfer()
  const forgetful = await faulty((method) => (method === 'eth_getLogs' ? { result: [] } : undefined))
  await expect(connectTo(forgetful.url).blockOfTransaction(hash, ['logs'])).rejects.toMatchObject({
    kind: 'bad_answer',
  })
  const block = await connectTo(forgetful.url, node.url).blockOfTransaction(hash, ['logs'])
  expect((await itemsIn(evm, logSpec({}), block!)).length).toBe(1)
})

/** The second of two equal logs changes no bloom, so only the receipts root shows that it is missing. */
async function twoTransfers() {
  await emitTransfer()
  await node.request('evm_setAutomine', [false])
  const sent = [await emitTransfer(7n), await emitTransfer(7n)]
  await node.request('evm_mine')
  await node.request('evm_setAutomine', [true])
  return sent[1]!
}
const withoutLogs = async (hash: string) => {
  const receipt = await node.request('eth_getTransactionReceipt', [hash])
  return { ...(receipt as object), logs: [] }
}

test.each([true, false])('incomplete receipts are read from another endpoint (in one call: %s)', async (inOne) => {
  const { hash } = await twoTransfers()
  const block = (await node.request('eth_getBlockByNumber', ['latest', false])) as { transactions: string[] }
  const receipts = await Promise.all(
    block.transactions.map((each) =>
      each === hash ? withoutLogs(each) : node.request('eth_getTransactionReceipt', [each]),
    ),
  )
  const cutting = await faulty((method, params) => {
    if (inOne && method === 'eth_getBlockReceipts') return { result: receipts }
    const place = method === 'eth_getTransactionReceipt' ? block.transactions.indexOf(String(params[0])) : -1
    return place < 0 ? undefined : { result: receipts[place] }
  })
  const alone = connectTo(cutting.url).blockOfTransaction(hash)
  await expect(alone).rejects.toThrow('do not make up the receipts root of the block')
  const whole = await connectTo(cutting.url, node.url).blockOfTransaction(hash)
  expect(await itemsIn(evm, logSpec({}), whole!)).toHaveLength(2)
})

test('a block that a lagging node lacks is read from another node', async () => {
  const lagging = await faulty((method) => (method === 'eth_getBlockByNumber' ? { result: null } : undefined))
  const { number } = await connection.head()
  expect((await connectTo(lagging.url, node.url).block(number))?.number).toBe(number)
  await expect(connectTo(lagging.url).block(number)).rejects.toThrow('no valid block')
})

test.each<[string, Fault, string]>([
  ['a web page', (response) => response.setHeader('content-type', 'text/html').end('<html>'), 'bad_answer'],
  ['null', { result: null }, 'bad_answer'],
  ['a number', { result: 5 }, 'bad_answer'],
  ['429', (response) => response.writeHead(429).end(), 'failed'],
  ['an error', { error: { code: -32000, message: 'no' } }, 'failed'],
  ['a hang', () => {}, 'timeout'],
  ['a flood', (response) => response.end(`"${'x'.repeat(2_000_000)}"`), 'too_large'],
])('an endpoint that answers %s fails with a clear error in time, and another one is used', async (_, fault, kind) => {
  const bad = await faulty(() => fault)
  // Only a hang needs a short time: a busy machine answers late.
  const short = { ...options, ...(kind === 'timeout' && { timeoutMs: 3_000 }), responseBytesMax: 1_000_000 }
  const alone = evm.connect([bad.url], { ...short, ...(kind === 'timeout' && { timeoutMs: 300 }) })
  await expect(alone.head()).rejects.toMatchObject({ kind, message: expect.stringMatching(/\w/) })
  await expect(alone.block(1)).rejects.toMatchObject({ kind })
  await alone.close()
  const { endpoints } = await evm.verify([bad.url, node.url], short)
  expect(endpoints).toMatchObject([{ ok: false, error: expect.stringMatching(/\w/) }, { ok: true }])
})

test('verification reports the chain, the latest block and the features of each endpoint', async () => {
  const { number } = await connection.head()
  expect(await evm.verify([node.url, node.wsUrl], options)).toEqual({
    network: 'eip155:31337',
    chainId: '31337',
    latestBlock: number,
    endpoints: [
      {
        url: node.url,
        ok: true,
        latencyMs: expect.any(Number),
        latestBlock: number,
        capabilities: ['eth_getLogs', 'logs:hash', `history:${number}`],
        notes: [{ level: 'info', message: 'Logs are read by eth_getLogs by block hash (one call per block).' }],
        refusedParts: ['traces'],
      },
      {
        url: node.wsUrl,
        ok: true,
        latencyMs: expect.any(Number),
        latestBlock: number,
        capabilities: ['eth_getLogs', 'logs:hash', 'eth_subscribe', `history:${number}`],
        notes: [{ level: 'info', message: expect.stringContaining('by block hash') }],
        refusedParts: ['traces'],
      },
    ],
    unreadable: [expect.objectContaining({ part: 'traces' }), expect.objectContaining({ part: 'any_traces' })],
  })
})

test('a block is fetched from the endpoint that announced it if the first endpoint does not have it yet', async () => {
  const live = await start()
  const late = { isLate: false }
  const behind = await faultyEndpoint(live.url, ({ method }) =>
    late.isLate && method === 'eth_getBlockByNumber' ? { result: null } : undefined,
  )
  const connected = connectTo(behind.url, live.wsUrl)
  const heads: Head[] = []
  connected.heads({ onHead: (head) => void heads.push(head) })
  await eventually(async () => {
    await live.request('evm_mine')
    return heads.length > 0
  })
  late.isLate = true
  const { number } = heads.at(-1)!
  expect((await connected.block(number))?.number).toBe(number)
  expect(connected.report()[0]).toMatchObject({ nulls: 0 })
  await behind.close()
})

test('concurrent calls share one batch request if the source allows it', async () => {
  await node.request('evm_setAutomine', [false])
  for (let count = 0; count < 9; count += 1) await node.send({ to: bob, value: '0x1' })
  await node.request('evm_mine')
  await node.request('evm_setAutomine', [true])
  const { number } = await connection.head()
  const fetchThrough = async (batchMaxCount: number) => {
    const counting = await faulty(() => undefined)
    const batching = evm.connect([counting.url], { ...options, batchMaxCount })
    const block = await batching.block(number, ['transactions'])
    await batching.close()
    expect(await itemsIn(evm, { type: 'evm_transaction', dataSource: 'x' }, block!)).toHaveLength(9)
    return counting.requests.count
  }
  // The block, the receipts in one call that this node does not know, and the receipts one by one.
  expect(await fetchThrough(1)).toBe(11)
  expect(await fetchThrough(100)).toBe(3)
})

test('new heads arrive over a WebSocket, and again after it reconnects', async () => {
  const live = await start()
  const heads: Head[] = []
  const connected = connectTo(live.url, live.wsUrl)
  connected.heads({ onHead: (head) => void heads.push(head) }, { retryFirstMs: 20 })
  const mineUntilTold = () =>
    eventually(async () => {
      await live.request('evm_mine')
      return heads.length > 0
    })
  await mineUntilTold()
  live.cut()
  heads.length = 0
  await mineUntilTold()
  const { number, hash, parentHash } = heads[0]!
  expect(await connected.block(number, ['logs'])).toMatchObject({ number, hash, parentHash })
  expect(connected.report()[1]?.head).toBe(heads.at(-1)!.number)
})

test('an endpoint of another chain is detected', async () => {
  const other = await start({ chainId: 5, blockReceipts: true })
  const { network, endpoints } = await evm.verify([node.url, other.url], options)
  expect(network).toBe('eip155:31337')
  expect(endpoints).toMatchObject([
    { ok: true },
    {
      ok: false,
      error: 'It serves chain 5, the endpoints before it chain 31337.',
      capabilities: ['eth_getLogs', 'eth_getBlockReceipts', 'logs:hash', 'history:0'],
    },
  ])
  const solana = await faulty(() => ({ error: { code: -32601, message: 'Method not found' } }))
  expect((await evm.verify([solana.url], options)).endpoints[0]?.error).toMatch('This endpoint is no EVM node')
})
