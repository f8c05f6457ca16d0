import { address, getAddressEncoder, getProgramDerivedAddress } from '@solana/kit'
import { afterAll, expect, test } from 'vitest'
import { connectedSolana } from '../../../../../tests/nodes/connected-solana.ts'

/** Against the LiteSVM-backed RPC double. */
const { double, connection, close } = await connectedSolana()
afterAll(close)

const tokens = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const tokens2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
const metaplex = address('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s')
const bytesOf = (text: string) => Uint8Array.from(getAddressEncoder().encode(address(text)))
const sized = (text: string, bytes = text.length) => {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes)
  return Buffer.concat([length, Buffer.from(text.padEnd(bytes, '\0'))])
}
/** A mint without authorities. */
function mintData(decimals: number, isInitialized = true): Buffer {
  const data = Buffer.alloc(82)
  data[44] = decimals
  data[45] = isInitialized ? 1 : 0
  return data
}
const read = (contract: string) => connection.read({ id: 'token', type: 'token_metadata', contract }, undefined)

test('a mint has its decimals; its name and symbol come from Metaplex, without padding', async () => {
  const mint = address('Mint111111111111111111111111111111111111111')
  double.setAccount(mint, tokens, mintData(9))
  const plain = { address: mint, name: null, symbol: null, decimals: 9, standard: 'spl' }
  expect(await read(mint)).toEqual(plain)
  const seeds = ['metadata', bytesOf(metaplex), bytesOf(mint)]
  const [metadata] = await getProgramDerivedAddress({ programAddress: metaplex, seeds })
  const keys = Buffer.concat([Buffer.of(4), bytesOf(mint), bytesOf(mint)])
  double.setAccount(metadata, metaplex, Buffer.concat([keys, sized('Bonk', 32), sized('BONK', 10), sized('', 200)]))
  expect(await read(mint)).toEqual({ ...plain, name: 'Bonk', symbol: 'BONK' })
})

test('a mint of Token-2022 may hold its own metadata behind other extensions', async () => {
  const mint = address('Mint222222222222222222222222222222222222222')
  const extension = (type: number, content: Uint8Array) => {
    const head = Buffer.alloc(4)
    head.writeUInt16LE(type, 0)
    head.writeUInt16LE(content.length, 2)
    return Buffer.concat([head, content])
  }
  const keys = Buffer.concat([bytesOf(mint), bytesOf(mint)])
  const metadata = Buffer.concat([keys, sized('PayPal USD'), sized('PYUSD'), sized('https://example.org')])
  const padded = Buffer.concat([mintData(6), Buffer.alloc(83), Buffer.of(1)])
  double.setAccount(mint, tokens2022, Buffer.concat([padded, extension(18, keys), extension(19, metadata)]))
  expect(await read(mint)).toMatchObject({ name: 'PayPal USD', symbol: 'PYUSD', decimals: 6, standard: 'spl' })
})

test('an account that is no mint is refused, also one of a token program', async () => {
  const other = address('Mint333333333333333333333333333333333333333')
  await expect(read(other)).rejects.toThrow(`${other} is not the mint of a token`)
  double.setAccount(other, metaplex, mintData(6))
  await expect(read(other)).rejects.toThrow('is not the mint')
  double.setAccount(other, tokens, mintData(6, false))
  await expect(read(other)).rejects.toThrow('is not the mint')
  double.setAccount(other, tokens, Buffer.alloc(165, 1))
  await expect(read(other)).rejects.toThrow('is not the mint')
  await expect(read('nowhere')).rejects.toThrow('contract must be a base58 address')
})
