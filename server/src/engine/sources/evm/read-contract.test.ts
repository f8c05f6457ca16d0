import type { Provider } from '@tocsin/contract'
import { encodeAbiParameters, encodeErrorResult, pad, parseAbi, parseAbiParameters } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { alice, connectedEvm } from '../../../../../tests/nodes/connected-evm.ts'
import { answer, counter, echo } from '../../../../../tests/nodes/evm-contracts.ts'

const { node, connection, connectTo, faulty, close } = await connectedEvm()
afterAll(close)

function read(fields: object): Provider {
  return {
    type: 'evm_read',
    id: 'read',
    contract: alice,
    method: 'f',
    abiFragment: 'function f()',
    ...fields,
  } as Provider
}

test('a read returns the value, or an object of named outputs', async () => {
  const data = encodeAbiParameters(parseAbiParameters('uint112,uint112,uint32'), [2n ** 80n, 7n, 99])
  const contract = await node.deploy(answer(data))
  const named = 'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)'
  const reading = (abiFragment: string) =>
    connection.read(read({ contract, method: 'getReserves', abiFragment }), undefined)
  expect(await reading(named)).toEqual({ reserve0: '1208925819614629174706176', reserve1: '7', blockTimestampLast: 99 })
  expect(await reading('function getReserves() view returns (uint112, uint112)')).toEqual([
    '1208925819614629174706176',
    '7',
  ])
  expect(await reading('function getReserves() view returns (uint112)')).toBe('1208925819614629174706176')
})

test('arguments are accepted as JSON values', async () => {
  const contract = await node.deploy(echo)
  const types = 'uint256 a, int8 b, bool c, string d, bytes3 e, (address who, uint64[] ids) f, bool[2] g'
  const abiFragment = [`function echo(${types}) view returns (${types})`]
  const args = [
    '1000000000000000000000',
    -5,
    'true',
    'text',
    '0xABCDEF',
    { who: alice, ids: ['0x10', 2] },
    [true, false],
  ]
  expect(await connection.read(read({ contract, method: 'echo', abiFragment, args }), undefined)).toEqual({
    a: '1000000000000000000000',
    b: -5,
    c: true,
    d: 'text',
    e: '0xabcdef',
    f: { who: alice, ids: ['16', '2'] },
    g: [true, false],
  })
  const refused = (at: number, value: unknown) =>
    connection.read(read({ contract, method: 'echo', abiFragment, args: args.with(at, value as never) }), undefined)
  await expect(refused(0, '1.5')).rejects.toThrow('args.0 must be an integer')
  await expect(refused(1, 128)).rejects.toThrow('args.1 must be within int8')
  await expect(refused(4, '0x12')).rejects.toThrow('args.4 must be 0x and 6 hex digits')
  await expect(refused(5, { who: alice })).rejects.toThrow('args.5 must be an object with ids')
  await expect(refused(6, [true])).rejects.toThrow('args.6 must be a list of 2')
})

test('a read is made at the block of the item', async () => {
  const contract = await node.deploy(counter)
  const before = await connection.head()
  await node.send({ to: contract })
  const reading = read({ contract, method: 'count', abiFragment: 'function count() view returns (uint256)' })
  expect(await connection.read(reading, before)).toBe('0')
  expect(await connection.read(reading, await connection.head())).toBe('1')
  expect(await connection.read(reading, undefined)).toBe('1')
})

test('a revert is reported with its reason: a Solidity message or an error of the ABI', async () => {
  const abi = parseAbi(['error TooLate(uint256 deadline)', 'error Error(string)', 'error Panic(uint256)'])
  const failing = async (data: string) => {
    const contract = await node.deploy(answer(data, 'REVERT'))
    const abiFragment = ['function f() view returns (uint256)', 'error TooLate(uint256 deadline)']
    return connection.read(read({ contract, abiFragment }), undefined)
  }
  const text = encodeErrorResult({ abi, errorName: 'Error', args: ['not enough'] })
  await expect(failing(text)).rejects.toThrow('f() reverted: not enough')
  await expect(failing(encodeErrorResult({ abi, errorName: 'Panic', args: [17n] }))).rejects.toThrow('Panic("17")')
  await expect(failing(encodeErrorResult({ abi, errorName: 'TooLate', args: [5n] }))).rejects.toThrow('TooLate("5")')
  await expect(failing('0x')).rejects.toThrow('f() reverted: it gave no reason')
  await expect(failing('0x12345678')).rejects.toThrow('error 0x12345678')
})

test('a read of an address without a contract, or with the wrong ABI, fails with a clear message', async () => {
  await expect(connection.read(read({ abiFragment: 'function f() returns (uint256)' }), undefined)).rejects.toThrow(
    'has no f()',
  )
  const contract = await node.deploy(answer(pad('0x02')))
  const asString = read({ contract, abiFragment: 'function f() returns (string)' })
  await expect(connection.read(asString, undefined)).rejects.toThrow('what its ABI cannot decode')
  await expect(connection.read(read({ method: 'g' }), undefined)).rejects.toThrow('has no function g of 0 arguments')
  await expect(connection.read(read({ contract: 'nobody' }), undefined)).rejects.toThrow('contract must be')
})

test('a node without the state of a block is skipped, and named if it is the only one', async () => {
  const pruned = await faulty((method) =>
    method === 'eth_call' ? { error: { code: -32000, message: 'missing trie node 1234 (path )' } } : undefined,
  )
  const contract = await node.deploy(answer(pad('0x02')))
  const reading = read({ contract, abiFragment: 'function f() returns (uint256)' })
  const at = await connection.head()
  await expect(connectTo(pruned.url).read(reading, at)).rejects.toThrow(
    `No endpoint has the state of block ${at.number}`,
  )
  expect(await connectTo(pruned.url, node.url).read(reading, at)).toBe('2')
})
