import type { RouteName } from '@tocsin/contract'
import { template } from '../harness/records.ts'
import { typedTrigger } from './victims.ts'

/** Bodies in which each field is read by code that could do much with it, beside the short ones of the examples. */

const programId = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const contract = `0x${'11'.repeat(20)}`
const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const triggerSpec = { type: 'evm_log', dataSource: 'acme.s', contract, event: 'Transfer', abiFragment }
const input = {
  ...{ address: contract, event: 'Transfer', blockNumber: 1, index: 1, tags: ['a', 'b'] },
  params: { from: contract, to: contract, value: '1000000' },
}
const conditions = {
  all: [
    { param: 'source.params.value', op: 'gte', value: { amount: '1', decimals: 6 } },
    { any: [{ param: 'source.params.to', op: 'in', value: [contract] }] },
    { not: { param: 'source.params.from', op: 'startsWith', value: '0xff' } },
    { param: 'source.event', op: 'matches', value: '^T.*r$' },
    { param: 'source.tags', contains: { param: 'this', op: 'eq', value: 'a' } },
  ],
}
const raw = { value: '1000000', n: '123456789', list: [1, 2, 3], to: contract, text: 'some text' }
const defaults = {
  title: '{{number raw.n}} of {{raw.to}}',
  short: '{{#each raw.list}}{{#if (includes ../raw.list this)}}{{this}}{{/if}}{{/each}}',
  long: '{{#if (includes raw.text "x")}}{{usd raw.value}}{{else}}{{json raw}}{{/if}}',
  severity: '{{raw.severity}}',
  links: [{ title: 'A {{raw.n}}', url: 'https://example.org/{{raw.to}}' }],
}
const outputSchema = {
  value: { type: 'balance', decimals: 6 },
  list: { type: 'array', items: { type: 'enum', enum: ['a', 'b'] } },
  of: { type: 'object', properties: { a: 'string' }, optional: true },
}
const filtersSchema = { from: { type: 'address', addressType: 'evm', sourcePath: 'params.from' } }
const providers = [
  { id: 'now', type: 'rpc', transport: 'source', method: 'eth_blockNumber', runIf: 'true' },
  { id: 'price', type: 'http', url: 'http://127.0.0.1:9/{{source.event}}', headers: { a: 'b' }, body: { c: 1 } },
  { id: 'data', type: 'graphql', url: 'http://127.0.0.1:9', query: '{ a { b } }', variables: { d: '{{inputs.e}}' } },
]
const script = '({ value: source.params.value, list: ["a"] })'
const definition = {
  ...{ name: 'moved', fullname: typedTrigger, project: 'acme.p', workspace: 'acme' },
  ...{ backend: { type: 'sdk' }, inputs: { e: 'string' }, meta: { title: 'Moved', description: 'It moved' } },
  ...{ triggerSpec, conditions, filtersSchema, outputSchema, providers, defaults },
  ...{ transform: { rawSource: script, humanSource: '({ ...raw })' }, activation: { source: 'true' } },
  ...{ tags: ['a'], labels: { team: 'ops' } },
  executionPolicy: { timeoutMs: 1_000 },
}
const idl = {
  address: programId,
  metadata: { name: 'program', version: '0.1.0', spec: '0.1.0' },
  instructions: [
    { name: 'go', discriminator: [1, 2, 3, 4, 5, 6, 7, 8], accounts: [], args: [{ name: 'a', type: 'u64' }] },
  ],
  events: [{ name: 'Gone', discriminator: [1, 2, 3, 4, 5, 6, 7, 8] }],
  types: [
    { name: 'Gone', type: { kind: 'struct', fields: [{ name: 'a', type: { vec: { defined: { name: 'Gone' } } } }] } },
  ],
}
const abi = [
  {
    type: 'event',
    name: 'Transfer',
    inputs: [{ name: 'from', type: 'tuple', components: [{ name: 'a', type: 'uint256[]' }] }],
  },
]
const policy = (at: object) => ({ ...definition, policy: at })

export const richBodies: { [Name in RouteName]?: object[] } = {
  previewTrigger: [
    {
      providers: [],
      conditions,
      activation: null,
      transform: { source: script },
      input,
      inputs: { e: 'f' },
      outputSchema,
    },
  ],
  previewMessage: [
    { defaults, output: { raw, human: { amount: '1' } }, input, trigger: typedTrigger, title: 'T', triggerSpec },
  ],
  testTrigger: [
    { triggerSpec, providers, conditions, transform: { source: script }, outputSchema, input, inputs: { e: 'f' } },
  ],
  findLatestBlock: [{ triggerSpec, conditions, maxBlocks: 2 }],
  validateTriggerDraft: [
    definition,
    policy({ type: 'threshold', value: 'value', above: '1', key: '{{raw.to}}', for: '1m' }),
    policy({ type: 'digest', at: '0 9 * * 1-5', timezone: 'Europe/Paris', max: 10 }),
  ],
  saveTrigger: [definition],
  patchTrigger: [{ set: { 'meta.title': 'New', conditions }, remove: ['tags'] }],
  planStack: [
    {
      stack: 'hostile',
      entities: [
        { kind: 'trigger', payload: definition },
        { kind: 'template', payload: template('acme.p') },
      ],
    },
  ],
  importEvm: [{ project: 'acme.p', source: 'acme.s', abi }],
  importEvmDrafts: [{ project: 'acme.p', source: 'acme.s', abi, events: ['Transfer'] }],
  importSolanaDrafts: [{ project: 'acme.p', source: 'acme.solana', programId, idl }],
  createSubscription: [
    {
      ...{
        workspace: 'acme',
        project: 'acme.p',
        trigger: typedTrigger,
        resources: ['acme.r'],
        conditions: { param: 'value', op: 'gt', value: 1 },
      },
      defaults,
    },
  ],
  testSubscription: [{ inputs: { [typedTrigger]: input } }],
  saveResource: [
    {
      ...{ name: 'r', fullname: 'acme.r', workspace: 'acme', blueprint: 'common.delivery.webhook' },
      data: { url: 'http://127.0.0.1:9/hook', secret: 's', headers: { a: 'b' }, body: '{"text": "{{message.title}}"}' },
    },
  ],
}
