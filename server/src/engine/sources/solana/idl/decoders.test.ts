import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import { expect, test } from 'vitest'
import { accountDecoders, eventDecoders } from './decoders.ts'

const key = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const fields = [
  { name: 'input_mint', type: 'pubkey' },
  { name: 'amountUSD', type: 'u64' },
  { name: 'delta', type: 'i128' },
  { name: 'fee_bps', type: { option: 'u16' } },
  { name: 'side', type: { defined: { name: 'Side' } } },
  { name: 'order', type: { defined: { name: 'Order' } } },
  { name: 'hash', type: { array: ['u8', 4] } },
  { name: 'memo', type: 'bytes' },
  { name: 'legs', type: { vec: { defined: { name: 'Leg' } } } },
]
const types = [
  { name: 'Traded', type: { kind: 'struct', fields } },
  { name: 'Side', type: { kind: 'enum', variants: [{ name: 'Buy' }, { name: 'SellShort' }] } },
  {
    name: 'Order',
    type: {
      kind: 'enum',
      variants: [{ name: 'Market' }, { name: 'Limit', fields: [{ name: 'max_price', type: 'u64' }] }],
    },
  },
  { name: 'Leg', type: { kind: 'struct', fields: [{ name: 'pool_id', type: 'u8' }] } },
]
const newIdl = idlWith(types, [{ name: 'Traded', discriminator: [1, 2, 3] }])
const payload = Buffer.concat([
  base58.decode(key),
  Buffer.from('ffffffffffffffff', 'hex'),
  Buffer.alloc(16, 0xff),
  Buffer.from([1, 44, 1]),
  Buffer.from([1]),
  Buffer.from([1, 7, 0, 0, 0, 0, 0, 0, 0]),
  Buffer.from([9, 8, 7, 6]),
  Buffer.from([2, 0, 0, 0, 1, 2]),
  Buffer.from([2, 0, 0, 0, 5, 6]),
])
const traded = {
  input_mint: key,
  amountUSD: '18446744073709551615',
  delta: '-1',
  fee_bps: 300,
  side: 'SellShort',
  order: { __kind: 'Limit', max_price: '7' },
  hash: '0x09080706',
  memo: '0x0102',
  legs: [{ pool_id: 5 }, { pool_id: 6 }],
}

test('values are JSON values, and names are as in the IDL', async () => {
  const [event] = (await eventDecoders(newIdl, 'traded')).events
  expect(event?.name).toBe('Traded')
  const bytes = Buffer.concat([Buffer.from([1, 2, 3]), payload])
  expect(event?.decode(bytes)).toEqual(traded)
  const [inBase64] = (await eventDecoders(newIdl, 'traded', 'base64')).events
  expect(inBase64?.decode(bytes)).toEqual({ ...traded, hash: 'CQgHBg==', memo: 'AQI=' })
})

test('extra bytes of a newer program version are ignored; truncated data is not an event', async () => {
  const [event] = (await eventDecoders(newIdl, undefined)).events
  const whole = Buffer.concat([Buffer.from([1, 2, 3]), payload])
  expect(event?.decode(Buffer.concat([whole, Buffer.alloc(8)]))).toEqual(traded)
  for (let length = 0; length < whole.length; length++) expect(event?.decode(whole.subarray(0, length))).toBeUndefined()
  expect(event?.decode(Buffer.concat([Buffer.from([1, 2, 4]), payload]))).toBeUndefined()
  const unknownSide = Buffer.from(whole)
  unknownSide[3 + 32 + 8 + 16 + 3] = 9
  expect(event?.decode(unknownSide)).toBeUndefined()
})

test('discriminators are derived from names if an old IDL has none', async () => {
  const idl = {
    version: '0.1.0',
    name: 'vault',
    instructions: [{ name: 'payOut', accounts: [{ name: 'vaultOwner' }], args: [{ name: 'amount', type: 'u64' }] }],
    accounts: [{ name: 'Vault', type: { kind: 'struct', fields: [{ name: 'owner', type: 'publicKey' }] } }],
    events: [{ name: 'PaidOut', fields: [{ name: 'amount', type: 'u64', index: false }] }],
  }
  const amount = Buffer.from([5, 0, 0, 0, 0, 0, 0, 0])
  const [event] = (await eventDecoders(JSON.stringify(idl), 'paidOut')).events
  expect(event?.decode(Buffer.concat([anchor('event:PaidOut'), amount]))).toEqual({ amount: '5' })
  const [instruction] = (await eventDecoders(idl, 'pay_out')).instructions
  expect(instruction?.decode(Buffer.concat([anchor('global:pay_out'), amount]))).toEqual({ amount: '5' })
  expect(instruction?.accounts).toEqual([{ name: 'vaultOwner', isOptional: false }])
  const [account] = await accountDecoders(idl, undefined)
  expect(account?.decode(Buffer.concat([anchor('account:Vault'), base58.decode(key)]))).toEqual({ owner: key })
})

test('an event type may be a field of another event', async () => {
  const inner = { name: 'Inner', type: { kind: 'struct', fields: [{ name: 'a', type: 'u8' }] } }
  const outer = {
    name: 'Outer',
    type: { kind: 'struct', fields: [{ name: 'in', type: { defined: { name: 'Inner' } } }] },
  }
  const events = [
    { name: 'Inner', discriminator: [1] },
    { name: 'Outer', discriminator: [2] },
  ]
  const decoders = (await eventDecoders(idlWith([inner, outer], events), undefined)).events
  expect(decoders.map(({ decode }) => decode(Uint8Array.of(2, 9)))).toEqual([undefined, { in: { a: 9 } }])
})

test('Shank instructions are numbered by their index in the whole IDL', async () => {
  const args = [{ name: 'amount', type: 'u8' }]
  const instructions = ['zero', 'one'].map((name) => ({ name, accounts: [], args }))
  const idl = { version: '1', name: 'native', instructions, metadata: { origin: 'shank' } }
  const [one] = (await eventDecoders(idl, 'one')).instructions
  expect(one?.decode(Uint8Array.of(1, 7))).toEqual({ amount: 7 })
  expect(one?.decode(Uint8Array.of(0, 7))).toBeUndefined()
})

const link = (name: string) => ({ defined: { name } })
const struct = (name: string, ...members: unknown[]) => ({
  name,
  type: { kind: 'struct', fields: members.map((type, index) => ({ name: `f${index}`, type })) },
})
const doubling = Array.from({ length: 40 }, (_, level) =>
  level === 39 ? struct(`T${level}`) : struct(`T${level}`, link(`T${level + 1}`), link(`T${level + 1}`)),
)

test.each([
  ['a type that holds itself', [struct('E', link('Node')), struct('Node', { vec: link('Node') })]],
  ['types that double', [struct('E', link('T0')), ...doubling]],
  ['a list of types that double', [struct('E', { vec: link('T0') }), ...doubling]],
  ['a list of nothing', [struct('E', { vec: link('Empty') }), struct('Empty')]],
  ['a list of lists of nothing', [struct('E', { vec: { array: [link('Empty'), 3] } }), struct('Empty')]],
  ['a long list of nothing', [struct('E', { array: [link('Empty'), 4_000_000_000] }), struct('Empty')]],
])('%s is refused quickly, with a clear message', async (_, hostile) => {
  const idl = idlWith(hostile, [{ name: 'E', discriminator: [1] }])
  await expect(eventDecoders(idl, 'E')).rejects.toThrow(/^The IDL .*\.$/)
})

test('a false element count ends at the end of the data', async () => {
  const idl = idlWith(
    [struct('E', { vec: 'u64' }, { array: ['u32', 4_000_000_000] })],
    [{ name: 'E', discriminator: [1] }],
  )
  const [event] = (await eventDecoders(idl, 'E')).events
  expect(event?.decode(Uint8Array.of(1, 255, 255, 255, 255, 0, 0))).toBeUndefined()
  expect(event?.decode(Uint8Array.of(1, 0, 0, 0, 0, 0, 0))).toBeUndefined()
})

function idlWith(types: unknown[], events: unknown[]) {
  return { address: key, metadata: { name: 'p', version: '1', spec: '0.1.0' }, instructions: [], events, types }
}

function anchor(preimage: string): Buffer {
  return createHash('sha256').update(preimage).digest().subarray(0, 8)
}
