import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { startSteps } from './budget.ts'
import { compileLinearRegex } from './linear-regex.ts'
import { buildProgram } from './regex-program.ts'
import { readRegex } from './regex-tree.ts'

beforeEach(() => startSteps(Number.POSITIVE_INFINITY))

const atom = fc.constantFrom(
  'a',
  'b',
  'B',
  '.',
  '\\d',
  '\\w',
  '\\W',
  '[ab]',
  '[^a]',
  '[0-9_]',
  '\\.',
  '^',
  '$',
  '\\b',
  '\\B',
  '\\u0041',
  '\\p{L}',
  '[\\]a]',
)
const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '{0,}', '*?', '+?', '{0}')
const expression = fc.letrec((tie) => ({
  one: fc.oneof({ maxDepth: 4 }, atom, tie('quantified'), tie('choice'), tie('sequence')),
  quantified: fc.tuple(tie('one'), quantifier).map(([inner, how]) => `(?:${inner})${how}`),
  choice: fc.tuple(tie('one'), tie('one')).map(([a, b]) => `(${a}|${b})`),
  sequence: fc.array(tie('one'), { maxLength: 4 }).map((parts) => parts.join('')),
})).one
const text = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '1', '_', ' ', '.', 'é', '\n'), maxLength: 8 })

test('agrees with RegExp on generated expressions and texts', () => {
  fc.assert(
    fc.property(expression, text, (source, subject) => {
      fc.pre(isExpression(String(source)))
      expect(compileLinearRegex(String(source))?.(subject)).toBe(new RegExp(String(source), 'iu').test(subject))
    }),
    { numRuns: 3000 },
  )
})

function isExpression(source: string): boolean {
  try {
    return Boolean(new RegExp(source, 'u'))
  } catch {
    return false
  }
}

test.each([
  ['^0xDEAD', '0xdeadbeef', true],
  ['(?<year>\\d{4})-\\d\\d', 'on 2024-05', true],
  ['^a[(?=]+\\\\1?$', 'a(=\\1', true],
  ['\\u{1F600}|\\ud83d\\ude00', 'a 😀', true],
  ['^.$', '😀', true],
  ['[\\u{1F600}-\\u{1F64F}]{2}', '😀😁', true],
  ['\\x41\\cJ', 'a\n', true],
  ['a{2,3}b', 'ab', false],
  ['', '', true],
  ['a||b', '', true],
  ['\\/\\-?', 'a/b', undefined],
  ['[(?=]\\(\\?=', '((?=', true],
])('%s on %j is %s', (source, subject, found) => expect(compileLinearRegex(source)?.(subject)).toBe(found))

test('an expression is anchored if it can begin only at the start of a text', () => {
  const isAnchored = (source: string) => {
    const tree = readRegex(source)
    return tree && buildProgram(tree)?.isAnchored
  }
  const anchored = ['^ab', '(^a|^b)c', '\\b^a', '^^a', '(?:^)+a', '$^', '(?:a|b){0}^c']
  expect(anchored.filter((source) => !isAnchored(source))).toEqual([])
  expect(['ab', '(^a|b)', '(?:^a)?b', '^*a', 'a^', '', '$', '^a|'].filter(isAnchored)).toEqual([])
})

test.each([
  '(a)\\1',
  '(?<n>a)\\k<n>',
  '(?=a)b',
  '(?<!a)b',
  '(',
  '(?i:a)',
  'a{1000}{1000}',
  '(?:){100000}',
  '((((a{30}){30}){30}){30})',
  `${'('.repeat(51)}a${')'.repeat(51)}`,
])('%s cannot be used', (source) => {
  expect(compileLinearRegex(source)).toBeUndefined()
})

test.each(['^(a+)+$', '(a|aa)+$', '^(a?){50}a{50}$', '(.*)*x', '(a|a)*b', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
  '%s, which stalls a backtracking engine, ends before the test times out',
  (source) => {
    expect(compileLinearRegex(source)?.(`${'a'.repeat(5_000)}!`)).toBe(false)
  },
)
