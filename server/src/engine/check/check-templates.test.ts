import { expect, test } from 'vitest'
import { checkDefaults, checkTemplate } from './check-placeholders.ts'

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
  ['a\nhello {{raw.x', '`{{` at line 2, column 7 is never closed'],
  ['{{', '`{{` at line 1, column 1 is never closed'],
  ['{{raw.x}', '`{{` at line 1, column 1 is never closed'],
  ['a {{raw.a {{raw.b}}', '`{{` at line 1, column 3 is never closed'],
  ['{{{raw.x}}', '`{{{` at line 1, column 1 is closed by `}}`: write `}}}`'],
  ['{{raw.x}}}', '`{{` at line 1, column 1 is closed by `}}}`: write `}}`'],
  ['x {{! note', 'the comment at line 1, column 3 is never closed'],
  ['{{lookup raw "x}}', 'the quote in the expression at line 1, column 1 is never closed'],
  ['{{#if a}}', '`{{#if}}` at line 1, column 1 is never closed: add `{{/if}}`'],
  ['\\{{x {{#if a}}', '`{{#if}}` at line 1, column 6 is never closed'],
  ['a\n{{#if a}}{{/unless}}', '`{{/unless}}` at line 2, column 10 does not close `{{#if}}` at line 2, column 1'],
  ['a\n b {{/if}}', '`{{/if}}` at line 2, column 4 closes no block'],
  ['{{else}}', '`{{else}}` at line 1, column 1 belongs to no block'],
  ['{{#if a}}{{else}}{{else}}{{/if}}', '`{{else}}` at line 1, column 18 is the second of its block `{{#if}}`'],
  ['a\n{{}}', '`{{}}` at line 2, column 1 is empty: write a path such as `{{raw.value}}`'],
  ['\n{{a}} {{raw.amount > 5}}', '`{{raw.amount > 5}}` at line 2, column 7 cannot be read near `>`'],
  ['{{a b=}}', '`{{a b=}}` at line 1, column 1 cannot be read: write a path, or a helper and its values'],
  ['{{a/../b}}', '`{{a/../b}}` at line 1, column 1 cannot be read'],
  ['{{a.[0}}', 'cannot be read'],
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

test.each(['', 'urgent', 'Critical', 'info, warning'])(
  'severity %j is refused, because it is no template',
  (severity) => {
    expect(checkDefaults({ severity }, 'overrides')).toEqual([
      { path: 'overrides.severity', message: expect.stringContaining('must be info, warning, critical') },
    ])
  },
)

test.each(['info', 'warning', 'critical', '{{raw.level}}'])('severity %j is accepted', (severity) => {
  expect(checkDefaults({ severity }, 'defaults')).toEqual([])
})

test.each([
  ['expressions', `{{a ${'(a '.repeat(6_000)}`],
  ['blocks', '{{#if a}}'.repeat(1_100) + '{{/if}}'.repeat(1_100)],
])('hostile nesting of %s is refused at once', (_, text) => {
  expect(checkTemplate(text, 'p')).toHaveLength(1)
})
