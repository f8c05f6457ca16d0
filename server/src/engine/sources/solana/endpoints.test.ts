import type { TriggerSpec } from '@tocsin/contract'
import { afterAll, expect, test } from 'vitest'
import { itemsIn } from '../../../../../tests/harness/items-in.ts'
import { connectedSolana } from '../../../../../tests/nodes/connected-solana.ts'
import { type Fault, faultyEndpoint } from '../../../../../tests/nodes/faulty-endpoint.ts'
import { genesisHash } from '../../../../../tests/nodes/solana-rpc.ts'
import type { EndpointNotice } from '../endpoint-report.ts'
import { solana } from './index.ts'

/** Before the LiteSVM-backed RPC double stand endpoints that answer some calls wrongly. */
const { double, options, close } = await connectedSolana()
const opened: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const closeOne of opened) await closeOne()
  await close()
})
const event = Uint8Array.of(1, 2, 3)
await double.emit({ by: 'both' }, event)
const slot = double.produceBlock()

test('each endpoint is verified: network, latest slot, features', async () => {
  expect(await solana.verify([double.url], options)).toEqual({
    network: 'solana',
    genesisHash,
    latestBlock: slot,
    endpoints: [
      {
        url: double.url,
        ok: true,
        latencyMs: expect.any(Number),
        latestBlock: slot,
        capabilities: ['solana-core 0.0.0-litesvm', 'getBlock', 'getAccountInfo'],
      },
    ],
  })
})

test('verification distinguishes an endpoint of another network, one without blocks and a dead one', async () => {
  const mainnet = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
  const other = await endpoint((method) => (method === 'getGenesisHash' ? { result: mainnet } : undefined))
  const noBlocks = await endpoint((method) => (/^getBlock/.test(method) ? { error: { code: -32601 } } : undefined))
  const verified = await solana.verify([double.url, other, noBlocks, 'http://127.0.0.1:1'], options)
  expect(verified.endpoints).toMatchObject([
    { ok: true },
    { ok: false, error: expect.stringContaining(mainnet) },
    { ok: true, capabilities: ['solana-core 0.0.0-litesvm', 'getAccountInfo'] },
    { ok: false, capabilities: [], error: expect.any(String) },
  ])
  expect(await solana.verify([other], options)).toMatchObject({ network: 'mainnet-beta', genesisHash: mainnet })
})

test('if no endpoint answers, verification says so', async () => {
  const dead = await endpoint(() => (response) => void response.end('<html>'))
  expect(await solana.verify([dead], options)).toMatchObject({
    network: 'solana',
    latestBlock: 0,
    endpoints: [{ ok: false, error: expect.stringContaining('web page') }],
  })
})

const whole = { blockhash: 'a', previousBlockhash: 'b', blockTime: 1 }
const keys = { accountKeys: ['k'], instructions: [] }
const transaction = { transaction: { signatures: ['s'], message: keys }, meta: { err: null, logMessages: [] } }

test.each<[string, Fault]>([
  ['HTML', (response) => void response.end('<html></html>')],
  ['a text', { result: 'block' }],
  ['an empty object', { result: {} }],
  ['no list of transactions', { result: { ...whole, transactions: null } }],
  ['null for a transaction', { result: { ...whole, transactions: [null] } }],
  ['no meta', { result: { ...whole, transactions: [{ ...transaction, meta: null }] } }],
  ['neither logs nor instructions', { result: { ...whole, transactions: [{ ...transaction, meta: { err: null } }] } }],
  ['logs that are numbers', { result: { ...whole, transactions: [withMeta({ logMessages: [1] })] } }],
  ['a program that is not there', { result: { ...whole, transactions: [withInstruction({ programIdIndex: 9 })] } }],
  ['an account that is not there', { result: { ...whole, transactions: [withInstruction({ accounts: [1] })] } }],
  ['another error', { error: { code: -32001, message: 'Block cleaned up' } }],
])('a node that answers %s for a block fails with a clear message', async (_, fault) => {
  const url = await endpoint((method) => (method === 'getBlock' ? fault : undefined))
  const connection = solana.connect([url], options)
  await expect(connection.block(slot)).rejects.toMatchObject({
    kind: expect.stringMatching(/^(bad_answer|failed)$/),
    message: expect.stringMatching(/^\S.{10,}/),
  })
})

test.each<[string, unknown]>([
  ['null', null],
  ['a text', 'x'],
  ['no slot', { value: { blockhash: 'a' } }],
  ['a negative slot', { context: { slot: -1 }, value: { blockhash: 'a', data: ['', 'base64'] } }],
  ['no value', { context: { slot: 5 } }],
  ['other data', { context: { slot: 5 }, value: { owner: 'o', lamports: 1, data: { parsed: {} } } }],
  ['no lamports', { context: { slot: 5 }, value: { owner: 'o', data: ['', 'base64'] } }],
])('a node that answers %s for the head, an account or a transaction fails with a clear message', async (_, result) => {
  const connection = solana.connect([await endpoint(() => ({ result }))], options)
  await expect(connection.head()).rejects.toMatchObject({ kind: 'bad_answer' })
  const account = { id: 'p', type: 'solana_account' as const, account: double.emitter }
  await expect(connection.read(account, undefined)).rejects.toMatchObject({ kind: 'bad_answer' })
  const signature = '1'.repeat(64)
  if (result !== null)
    await expect(connection.blockOfTransaction(signature)).rejects.toMatchObject({ kind: 'bad_answer' })
})

test('a node that hangs fails at the timeout, and the next one answers', async () => {
  const hanging = await endpoint(() => () => undefined)
  const quick = { ...options, timeoutMs: 200 }
  await expect(solana.connect([hanging], quick).block(slot)).rejects.toMatchObject({ kind: 'timeout' })
  expect(await solana.verify([hanging], quick)).toMatchObject({ endpoints: [{ ok: false }] })
})

test('a block that is larger than allowed fails with a clear message', async () => {
  const small = solana.connect([double.url], { ...options, responseBytesMax: 200 })
  await expect(small.block(slot)).rejects.toMatchObject({ kind: 'too_large' })
})

test('null beyond the head means no block; null before the head leads to another endpoint', async () => {
  const url = await endpoint((method) => (method === 'getBlock' ? { result: null } : undefined))
  expect(await solana.connect([url], options).block(slot + 1)).toBeUndefined()
  await expect(solana.connect([url], options).block(slot)).rejects.toThrow('although its head is later')
  expect((await solana.connect([url, double.url], options).block(slot))?.number).toBe(slot)
})

test('a slot is not skipped if one node reports it skipped and another has it', async () => {
  const error = { code: -32007, message: 'Slot was skipped, or missing due to ledger jump to recent snapshot' }
  const url = await endpoint((method) => (method === 'getBlock' ? { error } : undefined))
  expect(await solana.connect([url], options).block(slot)).toBeUndefined()
  expect((await solana.connect([url, double.url], options).block(slot))?.number).toBe(slot)
})

const refusal = (version: number) => ({
  error: {
    code: -32015,
    message: `Transaction version (${version}) is not supported by the requesting client. Please try the request again`,
  },
})

/** The real block, whose first transaction is said to be of another version, and given to those who ask for it. */
async function versioned(version: number, form: object = {}) {
  const asked: unknown[] = []
  const { url, close } = await faultyEndpoint(double.url, async ({ id, method, params }) => {
    if (method !== 'getBlock') return undefined
    const most = (params[1] as { maxSupportedTransactionVersion: number }).maxSupportedTransactionVersion
    asked.push(most)
    if (most < version) return refusal(version)
    const response = await fetch(double.url, { method: 'POST', body: JSON.stringify({ id, method, params }) })
    const { result } = (await response.json()) as { result: { transactions: object[] } }
    const [first, ...others] = result.transactions
    return { result: { ...result, transactions: [{ ...first, ...form, version }, ...others] } }
  })
  opened.push(close)
  return { url, asked }
}

test('a block with a higher transaction version is requested again with that version, once per endpoint', async () => {
  const { url, asked } = await versioned(1)
  const connection = solana.connect([url], options)
  const spec: TriggerSpec = { type: 'solana_event', dataSource: 'x', programId: double.emitter }
  for (const _ of [1, 2]) expect(await itemsIn(solana, spec, (await connection.block(slot))!)).toHaveLength(1)
  expect(asked).toEqual([0, 1, 1])
})

test('an endpoint that refuses the version is replaced by another', async () => {
  const { url } = await faultyEndpoint(double.url, ({ method, params }) => {
    if (method !== 'getBlock') return undefined
    const { maxSupportedTransactionVersion: most } = params[1] as { maxSupportedTransactionVersion: number }
    return most === 0 ? refusal(1) : { error: { code: -32602, message: 'Invalid params' } }
  })
  await expect(solana.connect([url], options).block(slot)).rejects.toThrow('does not return transactions of version 1')
  const { url: able } = await versioned(1)
  expect((await solana.connect([url, able], options).block(slot))?.number).toBe(slot)
})

test('a transaction of an unknown form is read from its logs or omitted with one warning; the others are read', async () => {
  await double.emit({ by: 'log' }, event)
  await double.emit({ by: 'log' }, event)
  const slot = double.produceBlock()
  const spec: TriggerSpec = { type: 'solana_event', dataSource: 'x', programId: double.emitter }
  const matched = async (form: object) => {
    const notices: EndpointNotice[] = []
    const { url } = await versioned(7, form)
    const connection = solana.connect([url], { ...options, onNotice: (notice) => notices.push(notice) })
    for (const _ of [1, 2]) await connection.block(slot)
    const items = await itemsIn(solana, spec, (await connection.block(slot))!)
    return [items.length, ...notices.map(({ level, code, message }) => [level, code, message.includes('version 7')])]
  }
  const warning = ['warn', 'transactions_unreadable', true]
  expect(await matched({ transaction: ['AQID', 'base64'] })).toEqual([1, warning])
  expect(await matched({ transaction: { signatures: ['s'], message: 'AQID' } })).toEqual([2, warning])
  expect(await matched({})).toEqual([2])
})

async function endpoint(fault: (method: string) => Fault): Promise<string> {
  const { url, close } = await faultyEndpoint(double.url, ({ method }) => fault(method))
  opened.push(close)
  return url
}

function withMeta(meta: object) {
  return { ...transaction, meta: { ...transaction.meta, ...meta } }
}

function withInstruction(fields: object) {
  const instruction = { programIdIndex: 0, accounts: [], data: '', ...fields }
  return { ...transaction, transaction: { signatures: ['s'], message: { ...keys, instructions: [instruction] } } }
}
