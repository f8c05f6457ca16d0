import { expect, test } from 'vitest'
import { parseExpression } from './expression.ts'
import { comparisonRules, scriptOf } from './script.ts'
import { conditionsOf } from './variables.ts'

const value = { path: ['value'], op: '>', literal: { type: 'number', text: '10' } }

test('AND binds stronger than OR, parentheses change that, and words have any case', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ path: [name], op: '==', literal: { type: 'number', text: '1' } }))
  expect(parseExpression('a == 1 OR b == 1 and c == 1')).toEqual({ op: 'or', parts: [a, { op: 'and', parts: [b, c] }] })
  expect(parseExpression('(a==1 or b==1) AND c==1')).toEqual({ op: 'and', parts: [{ op: 'or', parts: [a, b] }, c] })
})

test('NOT takes the next term, and one equals sign compares too', () => {
  const [a, b] = ['a', 'b'].map((name) => ({ path: [name], op: '==', literal: { type: 'number', text: '1' } }))
  expect(parseExpression('NOT a = 1 AND not (b == 1)')).toEqual({
    op: 'and',
    parts: [
      { op: 'not', parts: [a] },
      { op: 'not', parts: [b] },
    ],
  })
})

test.each([
  ['value > 10', value],
  [' value>10 ', value],
  ["name starts_with 'O\\'Neil'", { path: ['name'], op: 'starts_with', literal: { type: 'text', text: "O'Neil" } }],
  ['data.items[0].id == "x y"', { path: ['data', 'items', 0, 'id'], op: '==', literal: { type: 'text', text: 'x y' } }],
  ['rate < -3.14', { path: ['rate'], op: '<', literal: { type: 'number', text: '-3.14' } }],
  ['ok != false', { path: ['ok'], op: '!=', literal: { type: 'boolean', value: false } }],
  ['to == 0xAbC1', { path: ['to'], op: '==', literal: { type: 'text', text: '0xAbC1' } }],
  ['name CONTAINS active', { path: ['name'], op: 'contains', literal: { type: 'text', text: 'active' } }],
  ['0 ends_with b', { path: ['0'], op: 'ends_with', literal: { type: 'text', text: 'b' } }],
])('%s', (text, expected) => {
  expect(parseExpression(text)).toEqual(expected)
})

test.each([
  ['value >', 'expected a value at character 8'],
  ['(a == 1', 'expected ) at character 8'],
  ['a == 1 b', 'expected AND, OR or the end at character 8, found b'],
  ['a + 1 == 2', 'cannot read "+" at character 3'],
  ['', 'expected a name at character 1'],
  ['and == 1', 'expected a name at character 1, found and'],
])('%s is refused', (text, message) => {
  expect(() => parseExpression(text)).toThrow(message)
})

const variables = new Map(
  [
    ['value', 'uint256'],
    ['delta', 'int256'],
    ['to', 'address'],
    ['name', 'string'],
    ['ok', 'bool'],
    ['ids', 'uint256[]'],
    ['user', 'tuple'],
  ].map(([name = '', kind = '']) => [
    name,
    { kind, script: `p[${JSON.stringify(name)}]`, path: `source.params.${name}` },
  ]),
)

test('whole numbers, addresses and booleans become conditions; texts and lists do not', () => {
  const address = `0x${'Ab'.repeat(20)}`
  expect(conditionsOf(parseExpression(`value >= 5 AND (to == ${address} OR ok != true)`), variables)).toEqual({
    all: [
      { param: 'source.params.value', op: 'gte', value: '5' },
      {
        any: [
          { param: 'source.params.to', op: 'eq', value: address.toLowerCase() },
          { param: 'source.params.ok', op: 'ne', value: true },
        ],
      },
    ],
  })
  for (const text of ["name == 'x'", 'ids contains 1', 'value > 1.5', 'user.id == 1', 'value > 1 AND name == x'])
    expect(conditionsOf(parseExpression(text), variables)).toBeUndefined()
})

const p = {
  value: '340282366920938463463374607431768211456',
  delta: '-7',
  to: `0x${'ab'.repeat(20)}`,
  name: 'Hello World',
  ok: true,
  ids: ['1', '22'],
  user: { id: '12', name: 'Ann', tags: ['a', 'b'] },
}

test.each([
  ['value > 340282366920938463463374607431768211455', true],
  ['value == 0x100000000000000000000000000000000', true],
  ['delta < -6', true],
  [`to == '0x${'AB'.repeat(20)}'`, true],
  [`to > '0x${'AB'.repeat(20)}'`, false],
  ["name == 'hello world'", true],
  ["name starts_with 'HELLO'", true],
  ['name ends_with world', true],
  ["name contains 'lo wo'", true],
  ["name > 'a'", false],
  ['ok == true', true],
  ["ok == 'true'", false],
  ['ids contains 22', true],
  ['ids contains 2', false],
  ["ids == '[1, 22]'", true],
  ['ids[1] >= 22', true],
  ['user contains ann', true],
  ['user == \'(12, "Ann", ["a","b"])\'', true],
  ['user.tags[1] == b', true],
  ['missing == 1', false],
  ['missing == 1 OR value > 1', false],
  ['value > 1 OR missing == 1', true],
  ['value > 1.5', false],
  ['NOT value == 1', true],
])('as JavaScript, %s is %s', (text, expected) => {
  const script = `${comparisonRules}\nreturn holds(() => ${scriptOf(parseExpression(text), variables)})`
  expect(new Function('p', script)(p)).toBe(expected)
})
