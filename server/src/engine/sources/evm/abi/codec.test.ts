import { encodeAbiParameters, pad, parseAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import { abiItems } from './abi-items.ts'
import { decoderOf } from './codec.ts'

async function decode(parameters: string, data: string): Promise<unknown[]> {
  const [item] = await abiItems(`event E(${parameters})`, 'event')
  return decoderOf(item!.inputs)(data)
}

test('types of up to 48 bits decode to numbers, wider types to decimal strings, whatever the value', async () => {
  const data = encodeAbiParameters(parseAbiParameters('uint48,int48,uint56,int256'), [1, -1, 1n, -1n])
  expect(await decode('uint48,int48,uint56,int256', data)).toEqual([1, -1, '1', '-1'])
})

test('values with bits outside their type, booleans other than 0 and 1, and truncated data are refused', async () => {
  await expect(decode('uint8', pad('0x0100'))).rejects.toThrow()
  await expect(decode('uint128', `0x${'ff'.repeat(32)}`)).rejects.toThrow()
  await expect(decode('bool', pad('0x02'))).rejects.toThrow()
  await expect(decode('uint256,uint256', pad('0x02'))).rejects.toThrow()
  await expect(decode('uint256', '0x')).rejects.toThrow()
})

test('a function pointer decodes to its 24 bytes, and NUL in a string is replaced', async () => {
  const pointer = `0x${'ab'.repeat(24)}` as const
  const [item] = await abiItems([{ type: 'event', name: 'E', inputs: [{ type: 'function' }] }], 'event')
  expect(item!.signature).toBe('E(function)')
  expect(decoderOf(item!.inputs)(pad(pointer, { dir: 'right' }))).toEqual([pointer])
  expect(await decode('string', encodeAbiParameters([{ type: 'string' }], ['a\0b']))).toEqual(['a\uFFFDb'])
})

test('many offsets to the same bytes do not multiply the decoded size', async () => {
  const word = (value: number) => value.toString(16).padStart(64, '0')
  const count = 4000
  const size = 100_000
  const pointers = word(count * 32).repeat(count)
  const bomb = `0x${word(32)}${word(count)}${pointers}${word(size)}${'ab'.repeat(size)}`
  await expect(decode('bytes[]', bomb)).rejects.toThrow('far more than it holds')
})

test('values decode to a list instead of an object if names are missing, repeated or reserved', async () => {
  const data = encodeAbiParameters(parseAbiParameters('(uint8 a, uint8 b)'), [{ a: 1, b: 2 }])
  const named = async (...names: string[]) => {
    const components = names.map((name) => ({ type: 'uint8', name }))
    const [item] = await abiItems({ type: 'event', name: 'E', inputs: [{ type: 'tuple', components }] }, 'event')
    return decoderOf(item!.inputs)(data)[0]
  }
  expect(await named('a', 'b')).toEqual({ a: 1, b: 2 })
  expect(await named('a', '')).toEqual([1, 2])
  expect(await named('a', 'a')).toEqual([1, 2])
  expect(await named('a', '__proto__')).toEqual([1, 2])
})
