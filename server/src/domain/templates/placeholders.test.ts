import { expect, test } from 'vitest'
import { inputsIn } from './save.ts'

test.each([
  ['{{inputs.x}}', ['x']],
  ['{{ inputs.x }} and {{inputs.y.z}}', ['x', 'y.z']],
  ['{{inputs.x?}} {{ inputs.y ? }}', ['x', 'y']],
  ['{{{inputs.x}}}', ['x']],
  ['{{inputs.}}', ['']],
  ['{{source.x}} {{inputs}} {inputs.x} {{inputs.x', []],
])('%s uses %j', (text, names) => {
  expect(inputsIn({ a: [text] }).map(({ name, path }) => [name, path])).toEqual(names.map((name) => [name, 'a.0']))
})

test('a megabyte of blanks or placeholders is read in linear time', () => {
  expect(inputsIn(`{{inputs.${' '.repeat(1_000_000)}x`)).toEqual([])
  expect(inputsIn(`{{inputs.${' '.repeat(500_000)}?${' '.repeat(500_000)}}}`)).toHaveLength(1)
  expect(inputsIn('{{inputs.x}}'.repeat(200_000))).toHaveLength(200_000)
  expect(inputsIn('{'.repeat(1_000_000))).toEqual([])
})
