import { encodeAbiParameters, pad, parseAbiParameters, toHex } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { alice, connectedEvm } from '../../../../../tests/nodes/connected-evm.ts'
import { answers } from '../../../../../tests/nodes/evm-contracts.ts'

const { node, connection, close } = await connectedEvm()
afterAll(close)

const [latestRoundData, decimalsOf] = ['0xfeaf968c', '0x313ce567']
const types = parseAbiParameters('uint80, int256, uint256, uint256, uint80')
const round = (answer: bigint, updatedAt = 1_700_000_000n) =>
  encodeAbiParameters(types, [2n ** 64n + 5n, answer, 1n, updatedAt, 5n])
const feedOf = (answer: string, decimals = 8) =>
  node.deploy(answers({ [latestRoundData]: answer, [decimalsOf]: pad(toHex(decimals)) }))
const price = (feed: string) => ({ id: 'price', type: 'price', feed }) as const
const read = async (feed: string | Promise<string>) => connection.read(price(await feed), await connection.head())

test('a price is exact, without trailing zeros, with the time and the id of its round', async () => {
  const expected = { value: '2500.12345678', updatedAt: '2023-11-14T22:13:20.000Z', roundId: '18446744073709551621' }
  expect(await read(feedOf(round(250_012_345_678n)))).toEqual(expected)
  expect(await read(feedOf(round(250_000_000_000n)))).toMatchObject({ value: '2500' })
  expect(await read(feedOf(round(-5n), 18))).toMatchObject({ value: '-0.000000000000000005' })
  expect(await read(feedOf(round(7n), 0))).toMatchObject({ value: '7' })
})

test('a feed without a complete round, a contract that is no feed, and a text are refused with a clear message', async () => {
  await expect(read(feedOf(round(1n, 0n)))).rejects.toThrow('has no complete round: its updatedAt is 0')
  await expect(read(feedOf(round(1n, 2n ** 200n)))).rejects.toThrow('has no complete round')
  await expect(read(feedOf(pad('0x01')))).rejects.toThrow('what its ABI cannot decode')
  await expect(read(node.deploy(answers({})))).rejects.toThrow('latestRoundData() reverted')
  await expect(read(alice)).rejects.toThrow('has no latestRoundData()')
  await expect(read('eth-usd')).rejects.toThrow('feed must be 0x and 40 hex digits')
})

test('the price is that of the block of the item', async () => {
  const feed = await feedOf(round(1n, 1_000n))
  const before = await connection.head()
  await node.send({ to: alice })
  await node.request('hardhat_setCode', [
    feed,
    `0x${answers({ [latestRoundData]: round(2n), [decimalsOf]: pad('0x00') })}`,
  ])
  await node.send({ to: alice })
  expect(await connection.read(price(feed), before)).toMatchObject({ value: '0.00000001' })
  expect(await read(feed)).toMatchObject({ value: '2' })
})
