import { expect, test } from 'vitest'
import { eventsInAbi, signatureOf } from './abi-events.ts'

const told = (pasted: unknown) => eventsInAbi(pasted).events.map(signatureOf)

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
  expect(told(item)).toEqual(expected)
  expect(told(JSON.stringify([item, { type: 'function', name: 'f', inputs: [] }]))).toEqual(expected)
  expect(told(JSON.stringify({ contractName: 'Shop', abi: [item] }))).toEqual(expected)
  expect(told('function f(uint256 x)\nevent Paid(address indexed who, uint256);')).toEqual(expected)
})

test('a tuple is one parameter, and a line may do without its keyword', () => {
  expect(told('Swapped((address a, uint256 b)[] hops, bool indexed isExact)')).toEqual([
    'Swapped((address a, uint256 b)[] hops, bool indexed isExact)',
  ])
})

test('what holds no event is told as a sentence', () => {
  expect(eventsInAbi('[]').problem).toBe('There is no event in it.')
  expect(eventsInAbi('[{"type":').problem).toMatch(/not whole JSON/)
  expect(eventsInAbi('').problem).toBeUndefined()
})
