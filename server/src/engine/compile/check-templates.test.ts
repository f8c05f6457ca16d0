import { expect, test } from 'vitest'
import { checkDefaults, checkTemplate } from './check-templates.ts'

const messageOf = (text: string) => checkTemplate(text, 'p')[0]?.message

test.each([
  'plain text (with parentheses :( and {braces})',
  '{{raw.value}} {{{human.name}}} {{block.number}}',
  '{{#if raw.a}}yes{{else}}no{{/if}}',
  '{{#each raw.items as |item index|}}{{item.name}} {{@index}} {{../raw.x}}{{/each}}',
  '{{#if (includes raw.tags "x")}}{{/if}}',
  '{{round (format raw.value decimals=6) digits=2 fixed=true}}',
  '{{lookup raw.names raw.index}} {{! a note }}',
])('compiles: %s', (text) => expect(checkTemplate(text, 'p')).toEqual([]))

test.each([
  ['{{#if a}}', 'Parse error on line 1'],
  ['a\n{{#if a}}{{/unless}}', "if doesn't match unless"],
  ['{{', 'Parse error on line 1'],
  ['{{shout raw.x}}', 'there is no helper shout (line 1)'],
  ['\n{{#times 5}}{{/times}}', 'there is no block helper times (line 2)'],
  ['{{if raw.x "a"}}', 'if is a block helper: write {{#if}}'],
  ['{{round (shout raw.x)}}', 'there is no helper shout'],
  ['{{> partial}}', 'partials are not available'],
  ['{{#> layout}}{{/layout}}', 'partials are not available'],
  ['{{#*inline "a"}}{{/inline}}', 'decorators are not available'],
  ['x'.repeat(20_001), 'at most'],
])('is refused: %j', (text, message) => expect(messageOf(text)).toContain(message))

test('every template of the defaults is checked, links too', () => {
  const defaults = { title: '{{', links: [{ title: 'ok', url: '{{> x}}' }], delivery: { mode: 'once' as const } }
  expect(checkDefaults(defaults, 'defaults').map((issue) => issue.path)).toEqual([
    'defaults.title',
    'defaults.links.0.url',
  ])
})

test.each([
  ['expressions', `{{a ${'(a '.repeat(6_000)}`],
  ['blocks', '{{#if a}}'.repeat(1_100) + '{{/if}}'.repeat(1_100)],
])('hostile nesting of %s is refused at once', (_, text) => {
  const started = performance.now()
  expect(checkTemplate(text, 'p')).toHaveLength(1)
  expect(performance.now() - started).toBeLessThan(500)
})
