import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chainDescriptions } from '@tocsin/contract'
import { prefixRegex, suffixRegex } from 'ox/Siwe'
import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import { isSignInForm } from '../server/src/domain/accounts/wallet.ts'
import { findAll, hostileTexts, readExpression, TooManySteps } from './harness/regex-steps.ts'

/**
 * Our regular expressions read what strangers write. Each must read it in one pass: JavaScript's engine goes back, so an
 * expression such as `\s*;$` costs the square of a run of blanks.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
/** The code of the sandbox runs in child processes, which have a deadline. */
const isGuest = (file: string) => /^server\/src\/engine\/script\/(?:child\/|\w+\/guest-)/.test(file)
const files = globSync('{server,contract,sdk,cli}/src/**/*.ts', { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts') && !isGuest(file),
)

type Found = { literals: Map<string, { source: string; flags: string }>; made: string[] }
type Syntax = { type?: string; [field: string]: unknown }

function findExpressions(): Found {
  const found: Found = { literals: new Map(), made: [] }
  for (const file of files) {
    const text = readFileSync(`${root}${file}`, 'utf8')
    const tree = parseAst(text, { lang: 'ts' }) as unknown as Syntax
    visit(tree, (node) => {
      if (node.type === 'Literal' && node.regex) {
        const { pattern: source, flags } = node.regex as { pattern: string; flags: string }
        found.literals.set(`/${source}/${flags}`, { source, flags })
      }
      if ((node.callee as Syntax | undefined)?.name !== 'RegExp') return
      const [source, flags = ''] = (node.arguments as Syntax[]).map((each) => textOf(each, tree))
      if (source === undefined) found.made.push(file)
      else found.literals.set(`/${source}/${flags}`, { source, flags })
    })
  }
  return found
}

function visit(value: unknown, see: (node: Syntax) => void): void {
  if (typeof value !== 'object' || value === null) return
  see(value as Syntax)
  for (const inner of Object.values(value)) visit(inner, see)
}

/** A text or a template of texts; undefined if other values are in it. */
function textOf(node: Syntax, tree: Syntax): string | undefined {
  if (node.type === 'Literal') return String(node.value)
  if (node.type === 'Identifier') {
    let known: string | undefined
    visit(tree, ({ type, id, init }) => {
      const isIt = type === 'VariableDeclarator' && (id as Syntax).name === node.name
      if (isIt && (init as Syntax | null)?.type === 'Literal') known = String((init as Syntax).value)
    })
    return known
  }
  if (node.type !== 'TemplateLiteral') return undefined
  const parts = (node.expressions as Syntax[]).map((each) => textOf(each, tree))
  if (parts.includes(undefined)) return undefined
  const texts = (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
  return texts.map((text, at) => text + (parts[at] ?? '')).join('')
}

/** How much more four times the text costs, for the first text that costs too much; and that text. */
function growthOf(source: string, flags: string): { growth: number; text: string } {
  const expression = readExpression(source, flags)
  const grows = (make: (size: number) => string, size: number) => {
    const steps = (length: number) => findAll(expression, flags, make(length), 1_000_000).steps
    try {
      return steps(4 * size) / steps(size)
    } catch (error) {
      if (error instanceof TooManySteps) return Number.POSITIVE_INFINITY
      throw error
    }
  }
  for (const make of hostileTexts(expression)) {
    // A counted repeat grows until its count, so what grows is looked at again with longer texts.
    const growth = grows(make, 30) > growthMax ? grows(make, 150) : 0
    if (growth > growthMax) return { growth, text: make(12) }
  }
  return { growth: 0, text: '' }
}

/** The square would be 16. */
const growthMax = 6

const { literals, made } = findExpressions()
for (const { address } of chainDescriptions)
  if ('pattern' in address.form) literals.set(address.form.pattern, { source: address.form.pattern, flags: '' })

/** Where an expression comes from elsewhere, and what is true of it. */
const knownMade = {
  'cli/src/import/defender/index.ts': 'a literal of the file, tied to both ends',
  'contract/src/chains/address-form.ts': 'the forms of addresses in the records of chains, which are tested here too',
  'contract/src/triggers/linear-regex.ts': 'is only parsed: a text of at most 1,000 characters',
  'server/src/engine/conditions/regex-program.ts': 'one part of an expression, for one character',
  'server/src/engine/conditions/regex-tree.ts': 'is only parsed: a text of at most 1,000 characters',
  'server/src/engine/script/program.ts': 'the name of a file and two numbers',
  'server/src/engine/sources/network-facts.ts': 'the patterns of addresses and hashes in the rules of chains',
}

test('the expressions of all sources are found', () => expect(literals.size).toBeGreaterThan(300))

test('no regular expression of ours costs more than in proportion to the text', () => {
  const bad = [...literals].flatMap(([literal, { source, flags }]) => {
    const { growth, text } = growthOf(source, flags)
    return growth > growthMax ? [`${literal} grows ${growth.toFixed(0)} times for ${JSON.stringify(text)}…`] : []
  })
  expect(bad).toEqual([])
})

test.each([
  [String.raw`\s*;$`, ''],
  ['-+$', ''],
  ['^-+|-+$', 'g'],
  [String.raw`\B(?=(?:\d{3})+$)`, 'g'],
  [String.raw`^(?:\d+\.?\d*|\.\d+)$`, ''],
  ['^(?:a+)+$', ''],
  ['^(?:a|a)*$', ''],
  [String.raw`"(?:[^"\\]|\\.)*"`, 'g'],
  [String.raw`<([^>]*)>\s*;`, ''],
  [String.raw`\bmethod\b.*unknown`, 'i'],
])('an expression that goes back is found: %s', (source, flags) => {
  expect(growthOf(source, flags).growth).toBeGreaterThan(growthMax)
})

test.each([
  [/(a+)(?:b|c){2,3}?[^\d-]\.\u0041$/iu, 'xaabcbq.A'],
  [/(?<!\\)(?<quote>['"])(?:\\.|(?!\1)[^\\])*\1/g, String.raw`x'a"\'b' "y"`],
  [/^\s*(?:\/\w+){0,2}\b(?=-|$)/, ' /ab/c-'],
])('expressions are read as the engine reads them: %s', (expression, text) => {
  const node = readExpression(expression.source, expression.flags)
  const wanted = [...text.matchAll(new RegExp(expression, `g${expression.flags.replace('g', '')}`))].map(
    ([found]) => found,
  )
  expect(findAll(node, expression.flags, text, 10_000).found).toEqual(wanted)
})

test('a message of a wallet is read in one pass, also by the expressions of the library', () => {
  for (const { source, flags } of [prefixRegex, suffixRegex]) {
    const expression = readExpression(source, flags)
    const texts = hostileTexts(expression).map((make) => make(800))
    const read = texts.filter(isSignInForm)
    expect(read.length).toBeGreaterThan(100)
    expect(Math.max(...read.map((text) => findAll(expression, flags, text, 1e6).steps / text.length))).toBeLessThan(50)
  }
  expect(isSignInForm(`${'URI: '.repeat(100)}`)).toBe(false)
})

test('an expression that is not written in its file is in few places', () => {
  expect(made.toSorted()).toEqual(Object.keys(knownMade))
})
