import { expect, test } from 'vitest'
import { encodeValues } from '../abi/codec.ts'
import { selectorOf } from '../abi/selector.ts'
import { decodeError, errorsOf } from './call-error.ts'

const ann = `0x${'aa'.repeat(20)}`
const encode = (signature: string, types: string[], values: unknown[]) =>
  `${selectorOf(signature)}${encodeValues(
    types.map((type) => ({ type, indexed: false })),
    values,
  ).slice(2)}`
const none = new Map()

test('a failed call says its reason, the name and the values of a known error, or the selector', async () => {
  const own = await errorsOf(['error Capped(uint256 wanted, uint256 cap)', 'function deposit(uint256 assets)'])
  expect(decodeError(encode('Error(string)', ['string'], ['Pausable: paused']), none)).toEqual({
    reason: 'Pausable: paused',
    selector: '0x08c379a0',
  })
  expect(decodeError(encode('Panic(uint256)', ['uint256'], [17n]), none)).toEqual({
    reason: 'an arithmetic operation overflowed',
    name: 'Panic',
    args: [expect.anything()],
    selector: '0x4e487b71',
  })
  expect(decodeError(encode('OwnableUnauthorizedAccount(address)', ['address'], [ann]), none)).toMatchObject({
    name: 'OwnableUnauthorizedAccount',
    args: [ann],
  })
  const capped = encode('Capped(uint256,uint256)', ['uint256', 'uint256'], [5n, 3n])
  expect(decodeError(capped, own)).toMatchObject({
    name: 'Capped',
    args: [5, 3].map((each) => expect.toSatisfy((value) => String(value) === String(each))),
  })
  expect(decodeError(capped, none)).toEqual({ selector: selectorOf('Capped(uint256,uint256)') })
})

test('data that is no error, or that ends too early, throws nothing', () => {
  expect(decodeError('0x', none)).toBeUndefined()
  expect(decodeError('0x08c379a0', none)).toEqual({ selector: '0x08c379a0' })
  expect(decodeError(`0x08c379a0${'ff'.repeat(40)}`, none)).toEqual({ selector: '0x08c379a0' })
})
