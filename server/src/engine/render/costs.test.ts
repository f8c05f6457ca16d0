import { templateHelpers } from '@tocsin/contract'
import { describe, expect, test } from 'vitest'
import { makeSteps } from './budget.ts'
import { noNetwork, renderTemplate } from './render-template.ts'

/**
 * What each helper costs for values that grow. Work is counted, not timed: the letters of a text, the digits of an amount and
 * the items of a list are what a helper must read, and steps must grow with them.
 */

const network = { ...noNetwork, linkTo: () => undefined, tokenOf: () => ({ symbol: 'T', decimals: 18 }) }
const stepsMax = 1e9
const stepsOf = (template: string, v: unknown): number => {
  const steps = makeSteps(stepsMax)
  const options = { steps, outputMax: 1e9, network, addressBook: () => undefined }
  const rendered = renderTemplate(template, { v, o: { a: 1 }, list: ['a'], t: 'aaaa' }, options)
  expect(rendered).toMatchObject({ ok: true })
  return stepsMax - steps.left
}
const block = (call: string) => `{{#if (${call})}}{{/if}}`

const texts = [1_000, 10_000, 100_000]
const text = (n: number) => 'a b.'.repeat(n / 4)
const digits = [40, 200, 1_000]
const amount = (n: number) => `${'9'.repeat(n / 2)}.${'8'.repeat(n / 2 - 1)}`
const counts = [50, 500, 5_000]
const list = (n: number) => Array.from({ length: n }, (_, at) => at + 0.5)
const object = (n: number) => Object.fromEntries(list(n).map((at) => [`name${at}`, at]))
const deep = (n: number) => {
  let value: unknown = 'leaf'
  for (let level = 0; level < n / 100; level++) value = [value]
  return Array(100).fill(value)
}

type Row = [helper: string, template: string, sizes: number[], value: (n: number) => unknown, stepsPerUnit: number]
/** A list of 10,000 numbers shown as JSON has about five letters a number. */
const [letter, touchedLetter, item, jsonItem] = [1 / 64, 1 / 8, 1, 1 / 16]
const rows: Row[] = [
  ['if', '{{#if v}}{{v}}{{/if}}', texts, text, letter],
  ['unless', '{{#unless v}}{{else}}{{v}}{{/unless}}', texts, text, letter],
  ['each', '{{#each v}}{{/each}}', counts, list, item],
  ['each', '{{#each v as |a b|}}{{/each}}', counts, object, 3 * item],
  ['with', '{{#with v}}{{this}}{{/with}}', counts, list, item],
  ['lookup', block('lookup o v'), texts, text, letter],
  ['round', block('round v 2'), digits, amount, touchedLetter],
  ['round', block('round 1.5 digits=v'), digits, amount, touchedLetter],
  ['format', block('format v 18'), digits, amount, touchedLetter],
  ['format', block('format 15 v'), digits, amount, touchedLetter],
  ['substr', block('substr v 0 4'), texts, text, touchedLetter],
  ['substr', block('substr t v'), digits, amount, touchedLetter],
  ['substr', block('substr t 0 len=v'), digits, amount, touchedLetter],
  ['address', block('address v'), texts, text, letter],
  ['make', block('make v'), texts, text, letter],
  ['make', block('make v'), counts, list, item],
  ['make', block('make v'), counts, object, 2 * item],
  ['includes', block('includes v "zz"'), counts, list, item],
  ['includes', block('includes v "zz"'), texts, text, touchedLetter],
  ['includes', block('includes list v'), texts, text, touchedLetter],
  ['includes', block('includes t v'), texts, text, touchedLetter],
  ['lowercase', block('lowercase v'), texts, text, letter],
  ['lowercase', block('lowercase v'), counts, object, jsonItem],
  ['uppercase', block('uppercase v'), texts, text, letter],
  ['titlecase', block('titlecase v'), texts, text, touchedLetter],
  ['oneline', block('oneline v'), texts, text, touchedLetter],
  ['yaml', block('yaml v'), texts, text, letter],
  ['yaml', block('yaml v'), counts, list, item],
  ['yaml', block('yaml v'), counts, object, item],
  // Each of the 100 leaves is as deep as n / 100 lists.
  ['yaml', block('yaml v'), counts, deep, item],
  ['explorer', block('explorer v'), texts, text, touchedLetter],
  ['token', block('token v'), digits, amount, touchedLetter],
  ['token', block('token 5 token=v'), texts, text, letter],
  ['token', block('token 5 digits=v'), digits, amount, touchedLetter],
  ['number', block('number v'), digits, amount, touchedLetter],
  ['number', block('number 5 digits=v'), digits, amount, touchedLetter],
  ['usd', block('usd v'), digits, amount, touchedLetter],
  ['eq', block('eq v "x"'), texts, text, touchedLetter],
  ['eq', block('eq "x" v'), texts, text, touchedLetter],
  ['gt', block('gt v 1'), digits, amount, touchedLetter],
  ['gt', block('gt 1 v'), digits, amount, touchedLetter],
  ['lt', block('lt v 1'), digits, amount, touchedLetter],
  // Only whether there is something is read.
  ['and', block('and v v'), texts, text, 0],
  ['or', block('or v v'), counts, list, 0],
  ['not', block('not v'), counts, object, 0],
  ['percent', block('percent v'), digits, amount, touchedLetter],
  ['percent', block('percent 5 of=v'), digits, amount, touchedLetter],
  ['percent', block('percent 5 digits=v'), digits, amount, touchedLetter],
  ['duration', block('duration v'), texts, text, touchedLetter],
  ['duration', block('duration 1 v'), texts, text, touchedLetter],
  ['block', block('block v'), texts, text, touchedLetter],
  ['name', block('name v'), texts, text, touchedLetter],
  ['event', block('event v'), texts, text, letter],
  ['event', block('event t v'), counts, object, item],
  ['values', block('values v'), counts, object, item],
  ['values', block('values v'), counts, deep, item],
  ['decided', block('decided v'), counts, object, item],
  ['decided', block('decided o unit=v'), texts, text, letter],
]

test('the table has every helper of the contract', () => {
  expect(new Set(rows.map(([helper]) => helper))).toEqual(new Set(templateHelpers.map(({ name }) => name)))
})

test.each(rows)('%s costs steps by what it reads: %s', (_helper, template, sizes, value, stepsPerUnit) => {
  for (const size of sizes) expect(stepsOf(template, value(size))).toBeGreaterThanOrEqual(size * stepsPerUnit)
})

/** A list or an object that counts how often it is read. */
function counted<T extends object>(value: T): { value: T; reads: () => number } {
  let reads = 0
  const get = (target: T, name: string | symbol) => {
    reads++
    return Reflect.get(target, name)
  }
  return { value: new Proxy(value, { get }), reads: () => reads }
}

describe.each(templateHelpers.filter(({ block }) => !block))('$name', ({ name, params = [] }) => {
  const named = params.map((param) => `${name} 1 ${param.name}=v`)
  test.each([`${name} v`, `${name} t v`, `${name} list v`, `${name} t 1 v`, ...named])('%s', (call) => {
    for (const make of [list, object])
      for (const count of counts) {
        const { value, reads } = counted(make(count))
        const steps = stepsOf(block(call), value)
        expect(reads(), `${count} values: ${steps} steps`).toBeLessThanOrEqual(16 * steps)
      }
  })
})

test('a template costs steps by its length, because it is parsed', () => {
  expect(stepsOf('x'.repeat(20_000), 1)).toBeGreaterThan(10_000)
})

test('names, outer scopes and long paths cost steps', () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `n${at}`).join(' ')
  expect(stepsOf(`{{#each v as |${names}|}}{{/each}}`, list(100))).toBeGreaterThan(100_000)
  expect(stepsOf(`{{#each v as |${names}|}}{{#with ../o}}{{/with}}{{/each}}`, list(100))).toBeGreaterThan(200_000)
  expect(stepsOf(`{{#each v}}{{${'a.'.repeat(1_000)}a}}{{/each}}`, list(100))).toBeGreaterThan(100_000)
  expect(stepsOf(`{{#each v}}{{${'../'.repeat(1_000)}a}}{{/each}}`, list(100))).toBeLessThan(100 * 100)
})
