import { expect, test } from 'vitest'
import { eventsInAbi, signatureOf } from './abi-events.ts'

const signaturesIn = (pasted: unknown) => eventsInAbi(pasted).events.map(signatureOf)

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

test('a tuple is one parameter, and the keyword “event” is optional', () => {
  expect(signaturesIn('Swapped((address a, uint256 b)[] hops, bool indexed isExact)')).toEqual([
    'Swapped((address a, uint256 b)[] hops, bool indexed isExact)',
  ])
})

test('an ABI without an event has a readable problem', () => {
  expect(eventsInAbi('[]').problem).toBe('The ABI contains no event.')
  expect(eventsInAbi('[{"type":').problem).toMatch(/^Invalid JSON/)
  expect(eventsInAbi('').problem).toBeUndefined()
})
