import { templateHelpers } from '@tocsin/contract'
import { expect, test } from 'vitest'
import { blockHelpers } from './block-helpers.ts'
import { makeSteps } from './budget.ts'
import { noNetwork, renderTemplate } from './render-template.ts'
import { valueHelpers } from './value-helpers.ts'

const vault = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const aliases: Record<string, string> = { [vault.toLowerCase()]: 'Deposit contract' }
const limits = () => ({ steps: makeSteps(10_000), outputMax: 10_000 })
const tokens: Record<string, { symbol: string | null; decimals: number }> = {
  own: { symbol: 'USDC', decimals: 6 },
  native: { symbol: 'ETH', decimals: 18 },
  '1984': { symbol: null, decimals: 2 },
  odd: { symbol: ` A\nB${'x'.repeat(40)}`, decimals: 0 },
}
const network = {
  ...noNetwork,
  linkTo: (value: unknown) => (typeof value === 'string' ? `https://scan.org/${value}` : undefined),
  tokenOf: (token = 'own') => tokens[token],
}
const options = () => ({ addressBook: (address: string) => aliases[address.toLowerCase()], network, ...limits() })
const data = {
  raw: {
    value: '1234567890123456789',
    from: vault,
    to: '0x1111111111111111111111111111111111111111',
    items: [
      { name: 'a', n: 1 },
      { name: 'b', n: 2 },
    ],
    tags: ['Hot', 'new', 5],
    map: { x: 1, y: 2 },
    empty: [],
    zero: 0,
    big: 1e21,
    text: ' one\r\n  two\n\nthree ',
    html: '<b>&"',
    yes: true,
  },
  human: { name: 'Ann' },
  block: { number: 5 },
}
const rendered = (text: string) => {
  const result = renderTemplate(text, data, options())
  return result.ok ? result.text : `issue: ${result.issue}`
}

test.each([
  ['plain {braces} and \\{{escaped}}', 'plain {braces} and {{escaped}}'],
  ['{{human.name}} at {{block.number}}{{! a note }}', 'Ann at 5'],
  ['[{{raw.missing.deep}}]', '[]'],
  ['{{raw.html}} {{{raw.html}}} {{&raw.html}}', '<b>&" <b>&" <b>&"'],
  ['{{raw.big}} {{raw.yes}} {{raw.tags}} {{raw.map}}', '1000000000000000000000 true Hot, new, 5 {"x":1,"y":2}'],
  ['{{raw.items.length}} {{raw.items.[1].name}} {{raw.items.1.name}}', '2 b b'],
  ['{{#if raw.yes}}y{{else}}n{{/if}}{{#if raw.empty}}y{{else}}n{{/if}}{{#if raw.zero}}y{{else}}n{{/if}}', 'ynn'],
  ['{{#if raw.zero includeZero=true}}y{{/if}}{{#unless raw.zero}}u{{/unless}}', 'yu'],
  ['{{#if raw.missing}}a{{else if raw.yes}}b{{else}}c{{/if}}{{^if raw.yes}}d{{/if}}', 'b'],
  [
    '{{#each raw.items}}{{@index}}{{#if @first}}f{{/if}}{{#if @last}}l{{/if}}{{name}}{{../human.name}}{{@root.block.number}};{{/each}}',
    '0faAnn5;1lbAnn5;',
  ],
  ['{{#each raw.map}}{{@key}}={{this}} {{/each}}', 'x=1 y=2 '],
  ['{{#each raw.items as |item at|}}{{at}}{{item.name}}{{#with item}}{{n}}{{../name}}{{/with}}{{/each}}', '0a1a1b2b'],
  ['{{#each raw.empty}}x{{else}}none{{/each}}{{#each raw.zero}}x{{else}}none{{/each}}', 'nonenone'],
  ['{{#each raw.items}}{{#each ../raw.tags}}{{@../index}}{{/each}}{{/each}}', '000111'],
  [
    '{{#with human}}{{name}}{{this.name}}{{./name}}{{else}}none{{/with}}{{#with raw.missing}}x{{else}}none{{/with}}',
    'AnnAnnAnnnone',
  ],
  ['{{lookup raw.tags 1}} {{lookup raw.map "y"}} {{lookup raw "constructor"}}', 'new 2 '],
  ['{{#each raw.tags}}{{lookup (lookup ../raw.items @index) "name"}}{{/each}}', 'ab'],
  ['{{round (format raw.value decimals=18) digits=2}} {{round (format raw.value 18) 3 true}}', '1.23 1.235'],
  ['{{round "2.5"}} {{round "-2.5"}} {{round 1.5 digits=3 fixed=true}} {{round "x"}}', '3 -3 1.500 x'],
  ['{{format "1500000" decimals=6}} {{format "1000000" 6}} {{format "n/a" 6}}', '1.5 1 n/a'],
  ['{{substr human.name start=1}} {{substr human.name 0 2}} {{substr human.name start=-2 len=1}}', 'nn An n'],
  ['{{address raw.from}} {{address raw.to}} {{address raw.missing}}', 'Deposit contract 0x1111…1111 '],
  [
    '{{make raw.to}} {{#with (make raw)}}{{from}} {{value}}{{/with}}',
    '0x1111…1111 Deposit contract 1234567890123456789',
  ],
  [`{{make "sent to ${vault}, thanks"}}`, 'sent to Deposit contract, thanks'],
  [
    '{{includes raw.tags "hot"}} {{includes raw.tags "5"}} {{includes human.name "nn"}} {{includes raw.tags "x"}}',
    'true true true false',
  ],
  ['{{#if (includes raw.tags "new")}}new{{/if}}', 'new'],
  [
    '{{lowercase human.name}} {{uppercase human.name}} {{titlecase "the élan of it\'s a-b"}}',
    "ann ANN The Élan Of It's A-B",
  ],
  ['[{{oneline raw.text}}]', '[one two three]'],
  ['{{yaml raw.items}}', '- name: a\n  n: 1\n- name: b\n  n: 2'],
  [
    '{{yaml raw.map}}|{{yaml raw.empty}}|{{yaml human.name}}|{{yaml "true"}}|{{yaml "a: b"}}',
    'x: 1\ny: 2|[]|Ann|"true"|"a: b"',
  ],
  ['{{explorer raw.from}}|{{explorer raw.yes}}|{{explorer raw.missing}}', `https://scan.org/${vault}||`],
  [
    '{{token "1250500000"}} {{token 1}} {{token "-1500000"}} {{token "n/a"}}',
    '1,250.5 USDC 0.000001 USDC -1.5 USDC n/a',
  ],
  ['{{token raw.value token="native"}} {{token raw.value "native" digits=2}}', '1.2346 ETH 1.23 ETH'],
  [
    '{{token 12345 token=1984}}, {{token 5 token="none"}}, {{token 5 token=raw.missing}}',
    '123.45, 5 (decimals unknown), 5 (decimals unknown)',
  ],
  ['{{token 1500 token="none" decimals=3}} {{token 1500 token=1984 decimals=3}}', '1.5 15'],
  ['{{token 5 token="odd"}}', `5 A B${'x'.repeat(20)}…`],
  ['{{number 1234567.891 digits=2}} {{number "999"}} {{number "-1000"}} {{number "x"}}', '1,234,567.89 999 -1,000 x'],
  [
    '{{number 1234.5 digits=2 fixed=true}} {{number raw.big}} {{number 0.5}}',
    '1,234.50 1,000,000,000,000,000,000,000 0.5',
  ],
  ['{{usd 1234.5}} {{usd "-0.125"}} {{usd 0}} {{usd "x"}}', '$1,234.50 -$0.13 $0.00 x'],
  ['{{usd "0.00001234"}} {{usd "0.009"}} {{usd "0.01"}} {{usd "1000000"}}', '$0.000012 $0.009 $0.01 $1,000,000.00'],
  [
    '{{eq raw.value "1234567890123456789"}} {{eq human.name "ANN"}} {{eq raw.zero "0.0"}} {{eq raw.gone null}} {{eq raw.tags raw.tags}}',
    'true true true true false',
  ],
  [
    '{{gt raw.value "1234567890123456788.9"}} {{gt raw.value raw.value}} {{lt "-2" "1e-5"}} {{lt human.name 5}} {{gt "b" "a"}}',
    'true false true false false',
  ],
  [
    '{{#if (and (gt raw.big 1) (not raw.zero) (or raw.empty human.name))}}yes{{/if}}{{#if (or 0 raw.empty)}}x{{/if}}',
    'yes',
  ],
  ['{{percent "-12.345"}} {{percent 5}} {{percent 12.345 digits=1}} {{percent "x"}}', '-12.35% 5% 12.3% x'],
  [
    '{{percent 1 of=3}} {{percent "-2" of=3 digits=0}} {{percent 1500 of=10}} {{percent 1 of=0}}',
    '33.33% -67% 15,000% ',
  ],
  [
    '{{duration 11100000}}, {{duration "90m"}}, {{duration "2026-01-01T00:00:00Z" "2026-01-02T01:00:30Z"}}, {{duration "soon"}}',
    '3 hours 5 minutes, 1 hour 30 minutes, 1 day 1 hour, soon',
  ],
  [
    '{{duration 0}}, {{duration 999}}, {{duration "61000"}}, {{duration 86400000}}, {{duration 5000 2000}}',
    '0 seconds, less than a second, 1 minute 1 second, 1 day, 3 seconds',
  ],
  [
    '{{block "1234567"}} {{block 1234567 link=false}} {{block block}} {{block "0xab"}}',
    '1,234,567 https://scan.org/1234567 1,234,567 5 https://scan.org/5 0xab',
  ],
  ['{{#with block}}{{number}}{{/with}}', '5'],
  ['{{#if raw.yes}}\n  line\n{{/if}}\nend', '  line\nend'],
  ['a  {{~human.name~}}  b', 'aAnnb'],
])('%s', (text, expected) => expect(rendered(text)).toBe(expected))

test.each([
  '{{constructor}}',
  '{{raw.constructor.name}}',
  '{{raw.__proto__.toString}}',
  '{{raw.items.map}}',
  '{{raw.tags.constructor.constructor}}',
  '{{human.name.trim}}',
  '{{lookup raw "__proto__"}}',
  '{{#with raw.__proto__}}{{toString}}{{/with}}',
  '{{@root.constructor}}',
  '{{@constructor}}',
  '{{../../raw.value}}',
])('%s renders as nothing', (text) => expect(rendered(text)).toBe(''))

test.each([
  ['{{#if a}}', '`{{#if}}` at line 1, column 1 is never closed'],
  ['{{> x}}', 'partials are not available (line 1)'],
  ['{{shout a}}', 'there is no helper shout'],
])('%s is an issue', (text, issue) => expect(rendered(text)).toContain(`issue: ${issue}`))

test('without a network there are no links, and amounts are shown as they are on the chain and say so', () => {
  const text = '[{{explorer raw.from}}] {{token raw.value}} {{token 1 token="native"}}'
  expect(renderTemplate(text, data, limits())).toEqual({
    ok: true,
    text: '[] 1234567890123456789 (decimals unknown) 1 (decimals unknown)',
  })
})

test('the helpers are those of the contract, in the same order', () => {
  const names = [...Object.keys(blockHelpers), ...Object.keys(valueHelpers)]
  expect(names).toEqual(templateHelpers.map((helper) => helper.name))
})

const list = Array.from({ length: 300 }, (_, index) => index)
const long = 'x'.repeat(100_000)

test.each([
  [
    'loops in loops',
    '{{#each list}}{{#each @root.list}}{{#each @root.list}}{{/each}}{{/each}}{{/each}}',
    'takes too many steps: one message may take 100,000',
  ],
  ['long texts in loops', '{{#each list}}{{#if (uppercase @root.long)}}{{/if}}{{/each}}', 'takes too many steps'],
  ['values shown again and again', '{{#each list}}{{#if (yaml @root.list)}}{{/if}}{{/each}}', 'takes too many steps'],
  [
    'much output',
    '{{#each list}}{{@root.long}}{{/each}}',
    'makes a text that is too long: it may have 1,000,000 characters',
  ],
])('%s end with an issue within their limits', (_, text, issue) => {
  expect(renderTemplate(text, { list, long }, { steps: makeSteps(100_000), outputMax: 1_000_000 })).toEqual({
    ok: false,
    issue: expect.stringMatching(issue),
    isOverBudget: true,
  })
})

test('data nested too deeply is an issue', () => {
  let deep: unknown = 1
  for (let level = 0; level < 100_000; level++) deep = [deep]
  const result = renderTemplate('{{deep}}', { deep }, { steps: makeSteps(1e9), outputMax: 1e9 })
  expect(result).toEqual({ ok: false, issue: expect.stringContaining('nested too deeply'), isOverBudget: true })
})
