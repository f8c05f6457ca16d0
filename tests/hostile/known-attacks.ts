import { templateHelpers } from '@tocsin/contract'
import type { Attack } from './send.ts'
import { typedTrigger } from './victims.ts'

/** Small requests that once held up the service for seconds. */

const many = (text: string, count: number, between = '') => Array(count).fill(text).join(between)
const indexed = (count: number, make: (at: number) => unknown) => Array.from({ length: count }, (_, at) => make(at))
const post = (name: string, path: string, body: object): Attack => ({
  ...{ name, method: 'POST', path },
  body: () => JSON.stringify(body),
})
const previewMessage = (name: string, defaults: object, raw: object) =>
  post(name, '/api/triggers/message-preview', {
    ...{ defaults, output: { raw, human: {} }, input: {}, trigger: typedTrigger, title: 'T' },
  })
const preview = (name: string, body: object) =>
  post(name, '/api/triggers/preview', { providers: [], activation: null, transform: null, input: {}, ...body })
const trigger = (name: string, more: object) => ({
  ...{ name, fullname: `acme.p.${name}`, project: 'acme.p', workspace: 'acme', backend: { type: 'sdk' } },
  ...{ inputs: {}, meta: { title: name }, triggerSpec: { type: 'timer', interval: '1m' }, ...more },
})
const imports = (name: string, chain: string, body: object) =>
  post(name, `/api/triggers/import/${chain}/drafts`, { project: 'acme.p', ...body })

const numberLoops = '{{#each raw.loop}}{{#if (number ../raw.n)}}{{/if}}{{/each}}'
const loopsOf = (helper: string) => numberLoops.replace('number', helper)
const included = '{{#each raw.loop}}{{#if (includes ../raw.big "zz")}}y{{/if}}{{/each}}done'
const links = (text: string) => indexed(5, () => ({ title: text, url: text }))
const programId = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const idlOf = (events: unknown) => ({
  source: 'acme.solana',
  programId,
  idl: { instructions: [], events, types: events },
})
const wide = {
  type: 'object',
  properties: Object.fromEntries(
    indexed(5_000, (at) => [`p${at}`, { type: 'string', optional: true }]) as [string, object][],
  ),
}
const schemaOf = (items: object, source: string) => ({
  outputSchema: { a: { type: 'array', items } },
  transform: { source },
})
const expressions = ['(a?){60}a{60}$', '(.*a){12}$', `(${indexed(200, (at) => `a{0,9}b${at}`).join('|')})*$`]

export const knownAttacks: Attack[] = [
  previewMessage(
    'a list that is searched in a loop',
    { short: included },
    { big: Array(45_000).fill(1.5), loop: Array(150).fill(0) },
  ),
  previewMessage(
    'a text that is searched for a long one',
    { short: '{{#if (includes raw.text raw.part)}}y{{/if}}' },
    { text: many('a', 400_000), part: `${many('a', 100_000)}b${many('a', 100_000)}` },
  ),
  ...templateHelpers
    .filter(({ block }) => !block)
    .map(({ name: helper }) =>
      previewMessage(
        `the helper ${helper} in each field`,
        { short: loopsOf(helper), long: loopsOf(helper), links: links(loopsOf(helper)) },
        { n: many('9', 1_000), loop: Array(1_500).fill(0) },
      ),
    ),
  {
    ...{ name: 'blanks in an ABI', method: 'PUT', path: `/api/triggers/${typedTrigger}` },
    body: () =>
      JSON.stringify(
        trigger('moved', {
          triggerSpec: {
            ...{ type: 'evm_log', dataSource: 'acme.s', contract: `0x${'11'.repeat(20)}` },
            abiFragment: `event ${many(' ', 100_000)}E(uint256 a${many(' ', 100_000)}x`,
          },
        }),
      ),
  },
  preview('conditions over a long list', {
    input: { list: Array(45_000).fill(1) },
    conditions: {
      any: indexed(100, () => ({ param: 'source.list', contains: { param: 'this', op: 'eq', value: 'no' } })),
    },
  }),
  preview('conditions that repeat a long text', {
    input: { text: many('x', 700_000) },
    conditions: { any: indexed(300, () => ({ param: 'source.text', op: 'startsWith', value: 'no' })) },
  }),
  ...expressions.map((value) =>
    preview(`the expression ${value.slice(0, 20)}`, {
      input: { list: indexed(40, () => many('a', 12_000)) },
      conditions: {
        any: indexed(20, () => ({ param: 'source.list', contains: { param: 'this', op: 'matches', value } })),
      },
    }),
  ),
  imports('an IDL of 9,000 events', 'solana', idlOf(indexed(9_000, (at) => ({ name: `a${at}`, fields: [] })))),
  imports('an IDL of 2,000 events of one name', 'solana', idlOf(indexed(2_000, () => ({ name: 'a', fields: [] })))),
  imports('an ABI of 5,000 events', 'evm', { source: 'acme.s', abi: many('event E(uint256 a)', 5_000, '\n') }),
  imports('an ABI of 5,000 names', 'evm', {
    source: 'acme.s',
    abi: indexed(5_000, (at) => ({ type: 'event', name: `E${at}`, inputs: [] })),
  }),
  preview(
    'a long enum',
    schemaOf({ type: 'enum', enum: indexed(25_000, (at) => `c${at}`) }, "({ a: Array(5000).fill('c24999') })"),
  ),
  preview(
    'an enum of objects',
    schemaOf({ type: 'enum', enum: indexed(9_000, (at) => ({ c: at })) }, '({ a: Array(5000).fill({ c: 8999 }) })'),
  ),
  preview('optional fields that are missing', schemaOf(wide, '({ a: Array(15000).fill({}) })')),
  post('a plan of 900 triggers', '/api/workspaces/acme/plan', {
    stack: 'wide',
    entities: indexed(900, (at) => ({
      kind: 'trigger',
      payload: trigger(`t${at}`, { defaults: { short: many('{{a.b}}', 100), long: many('{{#if a}}b{{/if}}', 20) } }),
    })),
  }),
  ...['/api/auth/sign-in', '/api/auth/sign-up', '/api/me/tokens', '/api/triggers/preview'].map((path) => ({
    ...{ name: `a body of 80,000 keys to ${path}`, method: 'POST', path },
    body: () => `{${indexed(80_000, (at) => `"k${at}":0`)}}`,
  })),
]
