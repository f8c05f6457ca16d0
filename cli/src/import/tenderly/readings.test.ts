import { encodeAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import { readingOf } from './readings.ts'

/** What the scripts of a reading give for the answer of a call. */
function run(condition: Record<string, unknown>, data: unknown, isDecoded = false) {
  const { value, holds, policy } = readingOf(condition, isDecoded)
  const read = new Function('providers', `return ${value}`)({ data })
  return { value: read, holds: new Function('providers', `return ${holds}`)({ data, value: read }), policy }
}
const encoded = (type: string, value: unknown) => encodeAbiParameters([{ type }], [value])
const owner = `0x${'ab'.repeat(20)}`

test.each([
  ['uint', '>', '200', { above: '200' }],
  ['uint256', '>=', '200', { above: '199' }],
  ['uint', '<', '200', { below: '200' }],
  ['uint', '<=', '200', { below: '201' }],
  ['uint', '==', '200', { above: '200' }],
])('a threshold of %s %s %s', (parameter_type, operator, comparison_value, bound) => {
  const condition = { parameter_type, operator, comparison_value, compare_threshold: true }
  expect(run(condition, encoded('uint256', 7n))).toEqual({
    value: '7',
    holds: 0,
    policy: { type: 'threshold', value: 'value', ...bound },
  })
})

test.each([
  [{ parameter_type: 'bool', comparison_value: true }, encoded('bool', true), '1', 1],
  [{ parameter_type: 'bool', comparison_value: 'false' }, encoded('bool', true), '1', 0],
  [{ parameter_type: 'address', comparison_value: owner }, encoded('address', owner), BigInt(owner).toString(), 1],
  [{ parameter_type: 'int', operator: '!=', comparison_value: '-5' }, encoded('int256', -5n), '-5', 0],
  [{ parameter_type: 'string', comparison_value: 'Zoë' }, encoded('string', 'zoë'), 'zoë', 1],
  [{ parameter_type: 'string', operator: 'notContains', comparison_value: 'x' }, encoded('string', 'abc'), 'abc', 1],
  [
    { parameter_type: 'bytes', operator: 'contains', comparison_value: 'BEEF' },
    encoded('bytes', '0xbeef'),
    '0xbeef',
    1,
  ],
])('%j holds or not', (condition, data, value, holds) => {
  expect(run(condition, data)).toEqual({ value, holds, policy: { type: 'threshold', value: 'holds', above: 0 } })
})

test('a getter is read decoded', () => {
  expect(run({ parameter_type: 'bool', comparison_value: true }, true, true)).toMatchObject({ value: '1', holds: 1 })
  expect(run({ parameter_type: 'string', comparison_value: 'a' }, 'A', true)).toMatchObject({ value: 'A', holds: 1 })
})

test('a change of any type is a change of a number, and a percentage has a direction', () => {
  const changed = { compare_change: true, parameter_type: 'string[]' }
  const [a, b] = [['x'], ['y']].map((list) => run(changed, encoded('string[]', list)).value)
  expect(a).toMatch(/^\d+$/)
  expect(a).not.toBe(b)
  const percentage = { compare_percentage: true, comparison_value: '5', operator: '<=', parameter_type: 'uint' }
  expect(run(percentage, encoded('uint256', 7n)).policy).toEqual({
    type: 'change',
    value: 'value',
    by: '5%',
    direction: 'down',
  })
})

test.each([
  [{ parameter_type: 'uint', operator: 'contains', comparison_value: '1' }, 'a number cannot be compared by contains'],
  [{ parameter_type: 'uint', operator: '~', comparison_value: '1' }, 'its operator ~ is not known'],
  [{ parameter_type: 'uint', operator: '>', comparison_value: 'x' }, 'its comparison_value x is not a whole number'],
  [{ parameter_type: 'string', operator: '>', comparison_value: 'x' }, 'a text cannot be compared by >'],
  [{ parameter_type: 'uint[]', operator: '==', comparison_value: 'x' }, 'a list can only be watched for changes'],
])('%j is refused', (condition, message) => {
  expect(() => readingOf(condition, false)).toThrow(message)
})
