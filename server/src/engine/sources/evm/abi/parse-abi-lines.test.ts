import * as Abi from 'ox/Abi'
import { expect, test } from 'vitest'
import { interfaces } from '../interfaces/index.ts'
import { parseAbiLines } from './parse-abi-lines.ts'
import { readAbi } from './read-abi.ts'

const accepted = [
  ['event Transfer(address indexed from, address indexed to, uint256 value)'],
  ['event E()'],
  ['event E(uint)'],
  ['event E(uint256 a,)'],
  ['event E(int[] a, uint[2][] indexed b)'],
  ['event E((address a, uint256[2] b)[] indexed p, bytes32 q)'],
  ['event E(((uint256 x) y, bool) p)'],
  ['function f(address owner) view returns (uint256)'],
  ['function f(string memory a, bytes calldata b, uint256[] storage c) external payable returns (bool, uint256 left)'],
  ['function f() public pure returns (uint8)'],
  ['function f(address payable to)'],
  ['function f(function g)'],
  ['error Failed(uint256 code, string reason)'],
  ['constructor(address owner) payable'],
  ['fallback() external payable'],
  ['fallback() external'],
  ['receive() external payable'],
  ['struct A { uint256 a; }', 'struct B { A a; A[] b; address c }', 'event X(B b, A[2] a)'],
  ['event X(S s)', 'struct S { address a; bytes b; }', 'function f(S s) returns (S)'],
]

test.each([...accepted, ...interfaces.map(({ lines }) => [...lines])].map((lines) => [lines]))(
  'lines are read as ox reads them: %.60s',
  (lines) => {
    expect(parseAbiLines(lines, 'event')).toEqual(Abi.from(lines))
  },
)

test.each([
  'event (uint256 a)',
  'event E(uint256 a',
  'event E(uint256 a))',
  'event E(,)',
  'event E(uint256 memory a)',
  'event E(uint256 a b)',
  'event E(uint256 address)',
  'event E(uint256 uint8)',
  'event E(nothing a)',
  'event E(uint256[ a)',
  'event E(uint256) view',
  'function f(uint256 indexed a)',
  'function f() returns',
  'function f() somewhere',
  'receive() external',
  'fallback()',
  'error E(uint256 indexed a)',
])('no line: %s', async (line) => {
  expect(() => Abi.from([line])).toThrow()
  expect((await readAbi(line, 'event')).ok).toBe(false)
})

test('a struct needs a member, and its members need types', async () => {
  for (const struct of ['struct S { }', 'struct S { uint256 a', 'struct S { nothing a; }'])
    expect((await readAbi([struct, 'event E(S s)'], 'event')).ok).toBe(false)
})

test('blanks, however many, and a semicolon at the end change nothing', async () => {
  const wide = `  event   E ( uint256   indexed  a ,  address b )  ;  `
  expect(parseAbiLines([wide], 'event')).toEqual(Abi.from(['event E(uint256 indexed a, address b)']))
  expect((await readAbi(`event ${' '.repeat(100_000)}E(uint256 a${' '.repeat(100_000)}x`, 'event')).ok).toBe(false)
})

test.each([
  ['lines', Array.from({ length: 501 }, (_, at) => `event E${at}()`)],
  ['characters in a line', [`event E(${'uint256, '.repeat(500)}bool)`]],
  ['characters', Array.from({ length: 60 }, (_, at) => `event E${at}(${'uint256, '.repeat(400)}bool)`)],
  ['levels', [`event E(${'('.repeat(20)}bool${')'.repeat(20)})`]],
  ['parameters', [`struct S { ${'bool a; '.repeat(450)}}`, `event E(${'S, '.repeat(100)}S)`]],
  ['items', Array.from({ length: 5001 }, () => ({ type: 'fallback' }))],
  ['levels of JSON', { type: 'event', name: 'E', inputs: [nested(20)] }],
])('more %s than the limit are refused', async (_, fragment) => {
  const abi = await readAbi(fragment, 'event')
  expect(abi.ok ? abi.items.length : abi.message).toMatch(/more than \d+/)
})

function nested(levels: number): object {
  return levels === 0 ? { type: 'bool' } : { type: 'tuple', components: [nested(levels - 1)] }
}
