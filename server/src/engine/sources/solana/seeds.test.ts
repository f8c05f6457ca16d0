import { expect, test } from 'vitest'
import { deriveAddress } from './pda.ts'
import { seedBytes } from './seeds.ts'

const key = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

test.each([
  ['string', 'pool', [112, 111, 111, 108]],
  ['utf8', 'é', [195, 169]],
  ['hex', '0x0aFF', [10, 255]],
  ['hex', '', []],
  ['bytes', [1, 2], [1, 2]],
  ['bytes', 'AQI=', [1, 2]],
  ['bytes', '0x0102', [1, 2]],
  ['base58', '2', [1]],
  ['bool', true, [1]],
  ['bool', 'false', [0]],
  ['u8', 255, [255]],
  ['u16', 258, [2, 1]],
  ['u32', '1', [1, 0, 0, 0]],
  ['u64', '18446744073709551615', new Array(8).fill(255)],
  ['u128', '256', [0, 1, ...new Array(14).fill(0)]],
])('%s %j', (type, value, bytes) => expect([...seedBytes(type, value, 'seed')]).toEqual(bytes))

test.each([
  ['string', 5],
  ['publicKey', 'abc'],
  ['hex', 'abc'],
  ['hex', null],
  ['bytes', [256]],
  ['bytes', 'A'],
  ['base58', '0'],
  ['bool', 1],
  ['u8', 256],
  ['u8', -1],
  ['u64', 1.5],
  ['u64', ''],
  ['u128', '9'.repeat(40)],
  ['constructor', 'x'],
  ['string', 'x'.repeat(33)],
])('%s %j is refused with a clear message', (type, value) => {
  expect(() => seedBytes(type, value, 'pda.seeds.0')).toThrow(/^pda\.seeds\.0/)
})

test('an associated token account gets the same address as in wallets', async () => {
  const owner = '4pGw7EECgtpsptfq5dQBYHYyvnAVSLqg5kqB2qGJSzA8'
  const mint = 'AZaxNof3Dy57yXKM99BidjB9vfnzJ3EBuEqiiVnQP71F'
  const seeds = [owner, key, mint].map((value) => ({ type: 'publicKey', value }))
  const program = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
  expect(await deriveAddress({ seeds }, program)).toBe('263W2H6WRhAiXv9r7fpwLya2AweHLGn6GGXH32gLEL7c')
  expect(await deriveAddress({ programId: program, seeds }, key)).toBe('263W2H6WRhAiXv9r7fpwLya2AweHLGn6GGXH32gLEL7c')
})

test('a missing program and too many seeds are refused', async () => {
  await expect(deriveAddress({ seeds: [] }, undefined)).rejects.toThrow('programId')
  const seeds = Array.from({ length: 16 }, () => ({ type: 'u8', value: 1 }))
  await expect(deriveAddress({ seeds }, key)).rejects.toThrow('15 at most')
})
