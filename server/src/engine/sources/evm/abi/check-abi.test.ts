import { expect, test } from 'vitest'
import { checkEventAbi, checkFunctionAbi } from './check-abi.ts'

const line = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const item = {
  type: 'event',
  name: 'Transfer',
  inputs: [
    { type: 'address', name: 'from', indexed: true },
    { type: 'address', name: 'to', indexed: true },
    { type: 'uint256', name: 'value' },
  ],
}

test.each([
  ['a line', line],
  ['a line without its keyword', line.slice(6)],
  ['a line that ends as in Solidity', `${line};`],
  ['a line beside an anonymous event', [line, 'event Put(uint256 a, uint256 indexed b) anonymous']],
  ['lines', [line, 'function balanceOf(address) view returns (uint256)']],
  ['text of lines', `${line}\nevent Approval(address indexed owner, address indexed spender, uint256 value)`],
  ['an item', item],
  ['a list', [item]],
  ['JSON text', JSON.stringify([item])],
  ['JSON text of lines', JSON.stringify([line])],
])('an event is found in %s', async (_, fragment) => {
  for (const event of [undefined, 'Transfer', 'Transfer(address,address,uint256)', line]) {
    expect(await checkEventAbi(fragment, event, 't')).toEqual([])
  }
})

test.each([
  ['garbage', undefined, 't.abiFragment'],
  ['[{', undefined, 't.abiFragment'],
  ['function a()', undefined, 't.abiFragment'],
  [line, 'Approval', 't.event'],
  [line, 'Transfer(address,uint256)', 't.event'],
  [{ ...item, inputs: [{ type: 'uint257' }] }, undefined, 't.abiFragment'],
  [{ ...item, inputs: [{ type: 'tuple' }] }, undefined, 't.abiFragment'],
  [{ ...item, inputs: Array(4).fill({ type: 'address', indexed: true }) }, undefined, 't.abiFragment'],
  [{ type: 'event' }, undefined, 't.abiFragment'],
  [[], undefined, 't.abiFragment'],
  [[5], undefined, 't.abiFragment'],
])('%j is refused (event %s) at %s', async (fragment, event, path) => {
  expect((await checkEventAbi(fragment, event, 't')).map((issue) => issue.path)).toEqual([path])
})

test('a function is named by name or signature, and the number of arguments must fit', async () => {
  const abi = [
    'function balanceOf(address owner) view returns (uint256)',
    'function pair((address a, uint256 b) p) view returns (bool)',
  ]
  expect(await checkFunctionAbi(abi, 'balanceOf', ['0x'], 'p')).toEqual([])
  expect(await checkFunctionAbi(abi, 'balanceOf(address)', ['0x'], 'p')).toEqual([])
  expect(await checkFunctionAbi(abi, 'pair((address,uint256))', [['0x', 1]], 'p')).toEqual([])
  expect((await checkFunctionAbi(abi, 'balanceOf', [], 'p'))[0]?.path).toBe('p.args')
  expect((await checkFunctionAbi(abi, 'totalSupply', [], 'p'))[0]?.path).toBe('p.method')
})

test('structs that double in size at every level are refused without expanding them', async () => {
  const structs = Array.from({ length: 60 }, (_, level) => `struct S${level} { S${level + 1} a; S${level + 1}[] b; }`)
  const abi = [...structs, 'struct S60 { uint256 a; }', 'event X(S0 s)']
  expect((await checkEventAbi(abi, undefined, 't')).map((issue) => issue.path)).toEqual(['t.abiFragment'])
  expect(
    await checkEventAbi(['struct A { uint256 a; }', 'struct B { A a; A[] b; }', 'event X(B b)'], 'X', 't'),
  ).toEqual([])
})
