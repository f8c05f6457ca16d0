import { concat, encodeAbiParameters, pad, parseAbiParameters, stringToHex, toHex } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { alice, connectedEvm } from '../../../../../tests/nodes/connected-evm.ts'
import { answer, answers } from '../../../../../tests/nodes/evm-contracts.ts'
import { makeConnections } from '../connections.ts'
import { evm } from './index.ts'

const { node, connection, connectTo, faulty, options, close } = await connectedEvm()
afterAll(close)

const [name, symbol, decimals, supportsInterface] = ['0x06fdde03', '0x95d89b41', '0x313ce567', '0x01ffc9a7']
const text = (value: string) => encodeAbiParameters(parseAbiParameters('string'), [value])
const word = (value: number) => pad(toHex(value))
const bytes32 = (value: string) => stringToHex(value, { size: 32 })
const usdc = { [name]: text('USD Coin'), [symbol]: text('USDC'), [decimals]: word(6) }
const token = (contract: string) => ({ id: 'token', type: 'token_metadata', contract }) as const
const readNew = async (code: string) => {
  const contract = await node.deploy(code)
  const read = await connection.read(token(contract), undefined)
  return { contract: contract.toLowerCase(), read }
}

test('an ERC-20 token is read with name, symbol and decimals, in any case of its address', async () => {
  const { contract, read } = await readNew(answers(usdc))
  const expected = { address: contract, name: 'USD Coin', symbol: 'USDC', decimals: 6, standard: 'erc20' }
  expect(read).toEqual(expected)
  expect(await connection.read(token(`0x${contract.slice(2).toUpperCase()}`), await connection.head())).toEqual(
    expected,
  )
})

test('an ERC-721 token is known by ERC-165 and has 0 decimals', async () => {
  const nft = { [name]: text('Apes'), [symbol]: text('APE'), [supportsInterface]: word(1) }
  expect((await readNew(answers(nft))).read).toMatchObject({ name: 'Apes', decimals: 0, standard: 'erc721' })
  const withDecimals = (await readNew(answers({ ...nft, [decimals]: word(0) }))).read
  expect(withDecimals).toMatchObject({ decimals: 0, standard: 'erc721' })
  const refuses = (await readNew(answers({ ...usdc, [supportsInterface]: word(0) }))).read
  expect(refuses).toMatchObject({ standard: 'erc20' })
})

test('names of bytes32 are text; a name that is missing, empty or unreadable is null, and a long one is cut', async () => {
  const old = answers({ [name]: bytes32('Maker'), [symbol]: bytes32('MKR'), [decimals]: word(18) })
  expect((await readNew(old)).read).toMatchObject({ name: 'Maker', symbol: 'MKR', decimals: 18, standard: 'erc20' })
  expect((await readNew(answers({ [decimals]: word(8) }))).read).toMatchObject({ name: null, symbol: null })
  const wrong = { [name]: concat([word(0xffff), word(1)]), [symbol]: text(' \0 '), [decimals]: word(8) }
  expect((await readNew(answers(wrong))).read).toMatchObject({ name: null, symbol: null, decimals: 8 })
  const long = (await readNew(answers({ ...usdc, [name]: text('x'.repeat(5_000)) }))).read
  expect(long).toMatchObject({ name: 'x'.repeat(256) })
})

test('an address without a contract, without decimals, or with decimals beyond uint8 is no token', async () => {
  const message = 'is neither an ERC-20 with decimals() nor an ERC-721 token'
  await expect(connection.read(token(alice), undefined)).rejects.toThrow(message)
  await expect(readNew(answers({ [name]: text('No') }))).rejects.toThrow(message)
  await expect(readNew(answers({ ...usdc, [decimals]: word(256) }))).rejects.toThrow(message)
  await expect(readNew(answer('0x', 'REVERT'))).rejects.toThrow(message)
  await expect(connection.read(token('nobody'), undefined)).rejects.toThrow('contract must be 0x and 40 hex digits')
})

test('a node without the state of the block answers with its head; a node that fails is a failure', async () => {
  const contract = await node.deploy(answers(usdc))
  const at = await connection.head()
  const pruned = await faulty((method, [, block]) =>
    method === 'eth_call' && block !== 'latest' ? { error: { code: -32000, message: 'missing trie node' } } : undefined,
  )
  expect(await connectTo(pruned.url).read(token(contract), at)).toMatchObject({ symbol: 'USDC' })
  const down = await faulty((method) =>
    method === 'eth_call' ? { error: { code: -32603, message: 'busy' } } : undefined,
  )
  await expect(connectTo(down.url).read(token(contract), at)).rejects.toThrow('busy')
})

test('all runs on the same endpoints read a token once, also after the connection was released', async () => {
  const contract = await node.deploy(answers(usdc))
  let calls = 0
  const counted = await faulty((method) => {
    if (method === 'eth_call') calls += 1
    return undefined
  })
  const connections = makeConnections(async () => evm, options)
  const read = async (url: string, provider = token(contract)) => {
    const { connection, release } = await connections.lease({ kind: 'evm', endpoints: [url] })
    await connection.read(provider, await connection.head())
    release()
    return calls
  }
  const once = await read(counted.url)
  expect(once).toBe(4)
  expect(await read(counted.url)).toBe(once)
  expect(await read(counted.url, token(await node.deploy(answers(usdc))))).toBe(2 * once)
  await expect(read(counted.url, token(alice))).rejects.toThrow('is neither')
  await expect(read(counted.url, token(alice))).rejects.toThrow('is neither')
  expect(calls).toBe(4 * once)
  await connections.close()
})
