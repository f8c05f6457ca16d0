import { AccountRole, type Address, address, getAddressEncoder } from '@solana/kit'
import type { TriggerSpec } from '@tocsin/contract'
import { afterAll, expect, test } from 'vitest'
import { itemsIn } from '../../../../../tests/harness/items-in.ts'
import { anchorHash, connectedSolana } from '../../../../../tests/nodes/connected-solana.ts'
import { eventually } from '../../../../../tests/nodes/eventually.ts'
import type { Head } from '../connection.ts'
import { solana } from './index.ts'

/** Against the LiteSVM-backed RPC double: events and instructions of programs that really ran. */
const { double, connection, options, close } = await connectedSolana()
afterAll(close)

const fields = [
  { name: 'buyer', type: 'pubkey' },
  { name: 'amount_in', type: 'u64' },
]
const newIdl = {
  address: double.emitter,
  metadata: { name: 'shop', version: '0.1.0', spec: '0.1.0' },
  instructions: [],
  events: [{ name: 'Bought', discriminator: [...anchorHash('event:Bought')] }],
  types: [{ name: 'Bought', type: { kind: 'struct', fields } }],
}
const oldFields = fields.map((field) => ({ ...field, type: field.type.replace('pubkey', 'publicKey'), index: false }))
const oldIdl = { version: '0.1.0', name: 'shop', instructions: [], events: [{ name: 'Bought', fields: oldFields }] }

test.each(['log', 'invoke', 'both'] as const)('an event emitted by %s is one item', async (by) => {
  const signature = await double.emit({ by }, bought(7n))
  const slot = double.produceBlock()
  const item = {
    block: { slot, hash: (await connection.head()).hash, timestamp: 1_700_000_000 + slot },
    transaction: { index: 0, signature, success: true, error: null },
    index: 0,
    programId: double.emitter,
    event: 'Bought',
    params: { buyer: double.payer.address, amount_in: '7' },
  }
  expect(await match(slot, { programId: double.emitter, event: 'Bought', idl: newIdl })).toEqual([item])
  expect(await match(slot, { event: 'bought', idl: JSON.stringify(oldIdl) })).toEqual([item])
  expect(await match(slot, { idl: newIdl })).toEqual([item])
  expect(await match(slot, { programId: double.payer.address, idl: newIdl })).toEqual([])
})

test('slots arrive over a WebSocket', async () => {
  const heads: Head[] = []
  const live = solana.connect([double.wsUrl], options)
  live.heads({ onHead: (head) => void heads.push(head) })
  let slot = 0
  await eventually(() => {
    slot = double.produceBlock()
    return heads.length > 0
  })
  await eventually(() => heads.at(-1)?.number === slot)
  expect((await live.block(slot))?.number).toBe(slot)
  await live.close()
})

test('events are in chain order, without those of failed transactions', async () => {
  await double.emit({ by: 'both' }, bought(1n), bought(1n), bought(2n))
  await double.emit({ by: 'both', fails: true }, bought(3n))
  await double.emit({ by: 'log' }, bought(4n))
  const items = await match(double.produceBlock(), { event: 'Bought', idl: newIdl })
  expect(items.map(({ index, transaction, params }) => [transaction, index, params])).toEqual([
    [expect.objectContaining({ index: 0 }), 0, expect.objectContaining({ amount_in: '1' })],
    [expect.objectContaining({ index: 0 }), 1, expect.objectContaining({ amount_in: '1' })],
    [expect.objectContaining({ index: 0 }), 2, expect.objectContaining({ amount_in: '2' })],
    [expect.objectContaining({ index: 2 }), 0, expect.objectContaining({ amount_in: '4' })],
  ])
})

test('without an IDL an event is raw bytes, found by Anchor’s discriminator of its name, or every event matches', async () => {
  await double.emit({ by: 'log' }, bought(1n), Uint8Array.of(1, 2, 3))
  const slot = double.produceBlock()
  const data = `0x${Buffer.from(bought(1n)).toString('hex')}`
  expect(await match(slot, { event: 'Bought' })).toMatchObject([{ event: 'Bought', params: { data } }])
  expect(await match(slot, { event: 'bought' })).toHaveLength(1)
  expect(await match(slot, { event: 'Sold' })).toEqual([])
  expect(await match(slot, { programId: double.emitter })).toMatchObject([
    { index: 0, event: null, params: { data } },
    { index: 1, event: null, params: { data: '0x010203' } },
  ])
  expect(await match(slot, { programId: double.emitter, bytesEncoding: 'base64' })).toMatchObject([
    { params: { data: Buffer.from(bought(1n)).toString('base64') } },
    { params: { data: 'AQID' } },
  ])
})

test('an instruction is used for an event that the IDL does not have, with accounts from a lookup table', async () => {
  const { source, mint, destination, table } = tokenAccounts()
  const data = Uint8Array.of(12, 44, 1, 0, 0, 0, 0, 0, 0, 6)
  const accounts = [source, mint, destination].map((each) => ({ address: each, role: AccountRole.WRITABLE }))
  const signer = { address: double.payer.address, role: AccountRole.READONLY_SIGNER }
  const transfer = { programAddress: tokenProgram, accounts: [...accounts, signer], data }
  const signature = await double.send([transfer], { table, addresses: [mint, destination, source] })
  const slot = double.produceBlock()
  const [item, ...others] = await match(slot, { programId: tokenProgram, event: 'transferChecked', idl: tokenIdl })
  expect(others).toEqual([])
  expect(item).toMatchObject({
    transaction: { signature, success: true },
    index: 0,
    programId: tokenProgram,
    event: 'transferChecked',
    params: { source, mint, destination, authority: double.payer.address, amount: '300', decimals: 6 },
  })
})

test('each instruction is an item with its path, decoded by the IDL or by nothing', async () => {
  const { source, mint, destination, table } = tokenAccounts()
  const data = Uint8Array.of(12, 44, 1, 0, 0, 0, 0, 0, 0, 6)
  const accounts = [source, mint, destination].map((each) => ({ address: each, role: AccountRole.WRITABLE }))
  const signer = { address: double.payer.address, role: AccountRole.READONLY_SIGNER }
  const transfer = { programAddress: tokenProgram, accounts: [...accounts, signer], data }
  const emit = double.emitInstruction({ by: 'invoke' }, bought(9n))
  const signature = await double.send([transfer, emit, emit], { table, addresses: [mint, destination, source] })
  await double.emit({ by: 'invoke', fails: true }, bought(8n))
  const slot = double.produceBlock()
  const block = { slot, hash: (await connection.head()).hash, timestamp: 1_700_000_000 + slot }
  const authority = double.payer.address
  expect(await instructions(slot, { programId: tokenProgram, instruction: 'transfer_checked', idl: tokenIdl })).toEqual(
    [
      {
        block,
        transaction: { index: 0, signature, success: true, error: null },
        ...{ index: 0, path: '0', inner: false, programId: tokenProgram, instruction: 'transferChecked' },
        args: { amount: '300', decimals: 6 },
        accounts: { source, mint, destination, authority },
        accountsRaw: [source, mint, destination, authority],
        signers: [authority],
      },
    ],
  )
  const all = await instructions(slot, {})
  expect(all.map(({ index, path, inner }) => [index, path, inner])).toEqual([
    [0, '0', false],
    [1, '1', false],
    [2, '1.0', true],
    [3, '2', false],
    [4, '2.0', true],
  ])
  const sent = `0x${Buffer.from(emit.data ?? []).toString('hex')}`
  expect(all[1]).toMatchObject({ instruction: null, args: {}, accounts: {}, data: sent, accountsRaw: [double.emitter] })
  expect(all[2]).toMatchObject({ accountsRaw: [], signers: [authority], programId: double.emitter })
  const ofMessages = await instructions(slot, { programId: double.emitter, inner: false })
  expect(ofMessages.map(({ path }) => path)).toEqual(['1', '2'])
})

test('without an IDL an instruction is found by Anchor’s discriminator of its name', async () => {
  const instruction = (data: Uint8Array) => ({ programAddress: double.emitter, accounts: [], data })
  const buy = Buffer.concat([anchorHash('global:buy_now'), Uint8Array.of(1)])
  await double.send([instruction(buy), instruction(Uint8Array.of(1, 2, 3))])
  const slot = double.produceBlock()
  const data = `0x${buy.toString('hex')}`
  for (const name of ['buy_now', 'buyNow'])
    expect(await instructions(slot, { instruction: name })).toMatchObject([{ path: '0', instruction: name, data }])
  expect(await instructions(slot, { instruction: 'sell' })).toEqual([])
})

test('skipped and future slots have no block; blocks are linked across skipped slots', async () => {
  const before = double.produceBlock()
  const after = double.produceBlock(2)
  expect(await connection.block(before + 1)).toBeUndefined()
  expect(await connection.block(after + 1)).toBeUndefined()
  const [first, second] = [await connection.block(before), await connection.block(after)]
  expect(second?.parentHash).toBe(first?.hash)
  expect(await connection.head()).toEqual({ number: after, hash: second?.hash })
})

test('the block of a transaction is found by signature; an unknown or invalid signature finds none', async () => {
  const signature = await double.emit({ by: 'log' }, bought(1n))
  const slot = double.produceBlock()
  double.produceBlock()
  expect(await connection.blockOfTransaction(signature)).toMatchObject({ number: slot })
  expect(await connection.blockOfTransaction('1'.repeat(64))).toBeUndefined()
  expect(await connection.blockOfTransaction('0xabc')).toBeUndefined()
  expect(await connection.request('getSlot', [])).toBe(slot + 1)
})

type Item = { index: number; transaction: unknown; params: unknown; path?: string; inner?: boolean }

type Spec<Type> = Omit<Extract<TriggerSpec, { type: Type }>, 'type' | 'dataSource'>

function match(slot: number, spec: Spec<'solana_event'>) {
  return itemsOf(slot, { type: 'solana_event', dataSource: 'common.solana', ...spec })
}

function instructions(slot: number, spec: Spec<'solana_instruction'>) {
  return itemsOf(slot, { type: 'solana_instruction', dataSource: 'common.solana', ...spec })
}

async function itemsOf(slot: number, spec: TriggerSpec): Promise<Item[]> {
  const block = await connection.block(slot)
  return (await itemsIn(solana, spec, block!)) as Item[]
}

function bought(amount: bigint): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(amount)
  return Buffer.concat([anchorHash('event:Bought'), keyBytes(double.payer.address), bytes])
}

const tokenProgram = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const tokenIdl = {
  address: tokenProgram,
  metadata: { name: 'spl_token', version: '3.3.0', spec: '0.1.0' },
  instructions: [
    {
      name: 'transferChecked',
      discriminator: [12],
      accounts: ['source', 'mint', 'destination', 'authority'].map((name) => ({ name })),
      args: [
        { name: 'amount', type: 'u64' },
        { name: 'decimals', type: 'u8' },
      ],
    },
  ],
}

/** Put in place as the token program would have left them: a mint, and two accounts of the payer. */
function tokenAccounts() {
  const [source, mint, destination, table] = ['Source', 'Mint', 'Destination', 'Tab1e'].map((name) =>
    address(`${name.replaceAll(/[lIO0]/g, '1')}${'1'.repeat(43 - name.length)}`),
  ) as [Address, Address, Address, Address]
  const mintData = Buffer.alloc(82)
  mintData[44] = 6
  mintData[45] = 1
  double.setAccount(mint, tokenProgram, mintData)
  for (const [account, amount] of [[source, 1000n] as const, [destination, 0n] as const]) {
    const data = Buffer.alloc(165)
    data.set([...keyBytes(mint), ...keyBytes(double.payer.address)])
    data.writeBigUInt64LE(amount, 64)
    data[108] = 1
    double.setAccount(account, tokenProgram, data)
  }
  double.setLookupTable(table, [mint, destination, source])
  return { source, mint, destination, table }
}

function keyBytes(key: Address): Uint8Array {
  return Uint8Array.from(getAddressEncoder().encode(key))
}
