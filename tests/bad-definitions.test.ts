import { afterAll, beforeAll, expect, test } from 'vitest'
import { customSource, type Harness, harness, type Person, project, rejects, trigger } from './harness/index.ts'

/** Malformed ABIs and IDLs are issues with their path, in every route that accepts one; no node is called and nothing fails. */
let house: Harness
let ann: Person

beforeAll(async () => {
  house = await harness({ ALLOW_PRIVATE_NETWORKS: 'on' })
  ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  for (const kind of ['evm', 'solana'] as const) {
    const fullname = `acme.${kind}`
    await ann.saveCustomSource({ fullname, body: customSource(fullname, { kind, endpoints: ['http://127.0.0.1:1/'] }) })
  }
})
afterAll(async () => {
  const lines = house.logs.join('\n')
  await house.close()
  expect(lines).not.toMatch(/"statusCode":5\d\d|"level":50/)
})

type Spec = { type: string; dataSource: string }
type Issues = { valid: boolean; issues: { path: string; message: string }[] }

/** The issues of a triggerSpec as each route returns them. */
async function issuesOfSpec(triggerSpec: Spec): Promise<Issues[]> {
  const parts = { triggerSpec, providers: [], transform: null, outputSchema: null }
  const body = { ...trigger('acme.p.t'), triggerSpec }
  return Promise.all([
    ann.testTriggerBlock({ body: { ...parts, block: 1 } }),
    ann.testTrigger({ body: { ...parts, test: {} } }),
    ann.testTrigger({ body: { ...parts, input: {} } }),
    ann.findLatestBlock({ body: { triggerSpec } }),
    ann.testProvider({ body: { triggerSpec, provider: { id: 'p', type: 'javascript', source: '1' } } }),
    ann.validateTriggerDraft({ fullname: 'acme.p.t', body }),
  ])
}

async function issuesOfProvider(triggerSpec: Spec, provider: object): Promise<Issues[]> {
  const parts = { triggerSpec, providers: [{ id: 'p', ...provider }], transform: null, outputSchema: null }
  return Promise.all([
    ann.testProvider({ body: { triggerSpec, provider: { id: 'p', ...provider } } }),
    ann.testTriggerBlock({ body: { ...parts, block: 1 } }),
    ann.testTrigger({ body: { ...parts, input: {} } }),
    ann.previewTrigger({ body: { providers: parts.providers, transform: null, input: {} } }),
  ])
}

const save = (triggerSpec: object) =>
  ann.saveTrigger({ fullname: 'acme.p.t', body: { ...trigger('acme.p.t'), triggerSpec } as ReturnType<typeof trigger> })

function expectIssue(told: Issues[], path: RegExp): void {
  for (const { valid, issues } of told) {
    expect(valid).toBe(false)
    expect(issues).toContainEqual({ path: expect.stringMatching(path), message: expect.stringMatching(/\w+ \w+/) })
  }
}

const tuples = (depth: number): object =>
  depth === 0 ? { type: 'uint256', name: 'x' } : { type: 'tuple', name: 't', components: [tuples(depth - 1)] }
const structs = (count: number) =>
  Array.from({ length: count }, (_, at) => `struct S${at} { S${at + 1} a; S${at + 1} b; }`)
const abis: [string, unknown][] = [
  ['half of a JSON', '[{"type":"event"'],
  ['half of a line', 'event Transfer(address from'],
  ['words', 'the usual Transfer event'],
  ['an empty list', []],
  ['an empty object', {}],
  ['a number', 5],
  ['a list of null', [null]],
  ['an event without a name', { type: 'event', inputs: [] }],
  ['inputs that are not a list', { type: 'event', name: 'E', inputs: 'many' }],
  ['an unknown type', 'event E(uint257 x)'],
  ['too many topics', 'event E(bool indexed a, bool indexed b, bool indexed c, bool indexed d)'],
  ['a struct that holds itself', ['struct S { S a; }', 'event E(S s)']],
  ['structs that double', [...structs(40), 'struct S40 { uint256 x; }', 'event E(S0 s)']],
  ['deeply nested tuples', JSON.stringify({ type: 'event', name: 'E', inputs: [tuples(2000)] })],
  ['an array of arrays', `event E(uint256${'[9]'.repeat(2000)} x)`],
]

test.each(abis)('an ABI that is %s', async (_, abiFragment) => {
  const spec = { type: 'evm_log', dataSource: 'acme.evm' }
  expectIssue(await issuesOfSpec({ ...spec, abiFragment } as Spec), /^triggerSpec\.abiFragment/)
  await rejects(save({ ...spec, abiFragment }), { code: 'invalid_payload' })
  const fragment = JSON.parse(JSON.stringify(abiFragment).replaceAll('event', 'function'))
  const read = { type: 'evm_read', contract: `0x${'ab'.repeat(20)}`, method: 'E', abiFragment: fragment }
  if (!/topics/.test(_)) expectIssue(await issuesOfProvider(spec, read), /abiFragment|method/)
})

const nested = (depth: number): object | string => (depth === 0 ? 'u8' : { vec: nested(depth - 1) })
const field = (type: unknown) => [{ name: 'a', type, index: false }]
const event = (type: unknown) => ({ instructions: [], events: [{ name: 'E', fields: field(type) }] })
const account = (type: unknown) => ({ name: 'E', type: { kind: 'struct', fields: field(type) } })
const idls: [string, unknown][] = [
  ['half of a JSON', '{"events":['],
  ['words', 'anchor'],
  ['an empty object', {}],
  ['a list', []],
  ['a number', 5],
  ['events that are not a list', { instructions: [], events: 'many', accounts: 7 }],
  ['events without names', { events: [{ fields: [] }], accounts: [{}] }],
  ['a list of null', { events: [null], accounts: [null] }],
  ['an unknown type', { ...event('u65'), accounts: [account('u65')] }],
  ['a missing type', { ...event({ defined: 'Nope' }), accounts: [account({ defined: 'Nope' })] }],
  ['fields that are not a list', { events: [{ name: 'E', fields: 7 }], accounts: [{ name: 'E', type: 7 }] }],
]

test.each(idls)('an IDL that is %s', async (_, idl) => {
  const spec = { type: 'solana_event', dataSource: 'acme.solana', event: 'E' }
  expectIssue(await issuesOfSpec({ ...spec, idl } as Spec), /^triggerSpec\.(idl|event)/)
  await rejects(save({ ...spec, idl }), { code: 'invalid_payload' })
  const read = { type: 'solana_account', account: '11111111111111111111111111111111', idl, accountName: 'E' }
  expectIssue(await issuesOfProvider({ type: 'solana_event', dataSource: 'acme.solana' }, read), /idl|accountName/)
})

const hostileIdls: [string, unknown][] = [
  ['deeply nested lists', JSON.stringify(event(nested(1000)))],
  [
    'a type that holds itself',
    { ...event({ defined: 'S' }), types: [{ name: 'S', type: { kind: 'struct', fields: field({ defined: 'S' }) } }] },
  ],
  [
    'lists of empty structs',
    { ...event({ vec: { defined: 'N' } }), types: [{ name: 'N', type: { kind: 'struct', fields: [] } }] },
  ],
  ['an array of billions', event({ array: ['u64', 4_000_000_000] })],
]

test.each(hostileIdls)('an IDL of %s is refused or matches nothing, without delay', async (_, idl) => {
  const spec = { type: 'solana_event', dataSource: 'acme.solana', event: 'E', idl }
  for (const { valid, issues } of await issuesOfSpec(spec).then((told) => told.slice(0, 2))) {
    expect(valid).toBe(false)
    expect(issues[0]?.message).toMatch(/\w+ \w+/)
  }
})
