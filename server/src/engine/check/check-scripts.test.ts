import { expect, test } from 'vitest'
import { checkScript } from './check-scripts.ts'

const messageOf = (source: string) => checkScript(source, 'p')[0]?.message

test.each([
  'source.params.value > 5',
  'source.value;  // big enough',
  '({ a: 1, b: 2 })',
  '{ a: 1, b: source.x }',
  '/* why */ [1, 2]',
  'return { a: source.x }',
  'const a = 1\nif (a) return null\nreturn { a }',
  '(context) => context.source',
  '({ source, inputs }) => source.value > inputs.least',
  'function (context) { return context.source }',
  'function transform({ source }) {\n  return source\n}',
  'source.import.meta',
  '/[/]import\\(/.test(source.x) && `import(now)`',
])('compiles: %s', (source) => expect(checkScript(source, 'p')).toEqual([]))

test('an error is reported with its line and column in the source', () => {
  expect(messageOf('const a = 1\nreturn a +')).toMatch(/line 2, column \d+$/)
  expect(messageOf('source. +')).toBe('Unexpected token at line 1, column 9')
})

test.each([
  ['', 'is empty'],
  ['  \n', 'is empty'],
  ['(a, b) => a', 'one context object'],
  ['1) ; (2', 'Unexpected token'],
  ['import fs from "fs"', 'import'],
  ['import("fs")', 'import is not available at line 1, column 1'],
  ['return\nimport.meta', 'import'],
  ['export default 1', 'export'],
  ['await 1', ''],
  ['}{', 'Unexpected token'],
])('is refused: %j', (source, message) => expect(messageOf(source)).toContain(message))

test.each([
  ['arrays', '['.repeat(30_000) + ']'.repeat(30_000)],
  ['parentheses', `${'('.repeat(20_000)}1${')'.repeat(20_000)}`],
  ['arrows', `${'a=>'.repeat(20_000)}1`],
  ['templates', `${'`${'.repeat(10_000)}1${'}`'.repeat(10_000)}`],
  ['groups of a regular expression', `/${'('.repeat(30_000)}${')'.repeat(30_000)}/`],
])('hostile nesting of %s is an issue, not a stack overflow', (_, source) =>
  expect(checkScript(source, 'p')).toHaveLength(1),
)
