import { expect, test } from 'vitest'
import { type ConditionPart, describeValue, describeWanted } from './condition-words.ts'

const part: ConditionPart = {
  ...{ path: 'conditions.all.0', param: 'source.params.value', op: 'gt' },
  ...{ wanted: '1000', value: '5', held: false },
}

test('a part of the conditions is told in words', () => {
  expect(`${describeWanted(part)}. ${describeValue(part)}`).toBe('is more than 1000. The value is 5.')
  expect(describeWanted({ ...part, op: 'in', wanted: ['a', 'b'] })).toBe('is one of ["a","b"]')
  expect(describeWanted({ ...part, op: 'contains', wanted: { param: 'to', op: 'eq', value: 'x' } })).toBe(
    'has an element with {"param":"to","op":"eq","value":"x"}',
  )
  expect(describeWanted({ ...part, op: 'later' })).toBe('later 1000')
  expect(describeValue({ ...part, value: null })).toBe('There is no value.')
  expect(describeValue({ ...part, value: 'x'.repeat(200) })).toHaveLength(135)
})

test('a part inside `not` must not hold', () => {
  expect(describeWanted({ ...part, path: 'conditions.all.0.not' })).toBe('is more than 1000 (must not hold)')
  expect(describeWanted({ ...part, path: 'conditions.not.any.1.not' })).toBe('is more than 1000')
})

test('an amount of a token is checked by a test only', () => {
  const unknown = { ...part, wanted: null, held: null }
  expect(describeWanted(unknown)).toBe('is more than an amount of a token')
  expect(describeValue(unknown)).toBe('The value is 5. Run a test to read the decimals of the token.')
})

test('a part that can probably never hold says so', () => {
  const nothing = { ...part, value: null, issue: 'there is nothing at source.params.valeu' }
  expect(describeValue(nothing)).toBe('There is nothing at source.params.valeu. This part can probably never hold.')
  const tooLong = { ...part, held: null, issue: 'not explained: the conditions take too many steps' }
  expect(describeValue(tooLong)).toBe('Not explained: the conditions take too many steps.')
})
