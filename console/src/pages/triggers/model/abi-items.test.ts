import { expect, test } from 'vitest'
import { type AbiKind, chosenIn, itemsInAbi, signatureOf } from './abi-items.ts'

const signaturesIn = (pasted: unknown, kind: AbiKind = 'event') => itemsInAbi(pasted, kind).items.map(signatureOf)

test('events are found in JSON, in a compiler output and in human-readable lines alike', () => {
  const item = {
    type: 'event',
    name: 'Paid',
    inputs: [
      { name: 'who', type: 'address', indexed: true },
      { name: '', type: 'uint256' },
    ],
  }
  const expected = ['Paid(address indexed who, uint256 arg1)']
  expect(signaturesIn(item)).toEqual(expected)
  expect(signaturesIn(JSON.stringify([item, { type: 'function', name: 'f', inputs: [] }]))).toEqual(expected)
  expect(signaturesIn(JSON.stringify({ contractName: 'Shop', abi: [item] }))).toEqual(expected)
  expect(signaturesIn('function f(uint256 x)\nevent Paid(address indexed who, uint256);')).toEqual(expected)
})

test('functions are found with and without returns, modifiers and data locations', () => {
  const lines = `event Paid(address who)
function transfer(address to, uint256 amount) external returns (bool ok)
function swap((address a, uint256 b)[] calldata hops, bytes memory data);`
  const expected = ['transfer(address to, uint256 amount)', 'swap((address a, uint256 b)[] hops, bytes data)']
  expect(signaturesIn(lines, 'function')).toEqual(expected)
  const pause = { type: 'function', name: 'pause', inputs: [] }
  expect(signaturesIn([pause, { type: 'event', name: 'Paused', inputs: [] }], 'function')).toEqual(['pause()'])
})

test('a tuple is one parameter, and the keyword “event” is optional', () => {
  expect(signaturesIn('Swapped((address a, uint256 b)[] hops, bool indexed isExact)')).toEqual([
    'Swapped((address a, uint256 b)[] hops, bool indexed isExact)',
  ])
})

test('an ABI without an event has a readable problem', () => {
  expect(itemsInAbi('[]', 'event').problem).toBe('The ABI contains no event.')
  expect(itemsInAbi('[{"type":', 'event').problem).toMatch(/^Invalid JSON/)
  expect(itemsInAbi('event Broken(', 'event').problem).toMatch(/^No event found/)
  expect(itemsInAbi('event Broken(', 'function').problem).toMatch(/^No function found/)
  expect(itemsInAbi('', 'event').problem).toBeUndefined()
})

test('the name or the signature of a trigger selects one item of its ABI', () => {
  const abi = 'function a(uint256 x)\nfunction b(uint256 y)'
  expect(chosenIn(abi, 'b', 'function')?.name).toBe('b')
  expect(chosenIn(abi, 'b(uint256)', 'function')?.name).toBe('b')
  expect(chosenIn(abi, undefined, 'function')).toBeUndefined()
  expect(chosenIn('event Only(uint256 x)', undefined, 'event')?.name).toBe('Only')
  expect(chosenIn(undefined, 'b', 'function')).toBeUndefined()
})
