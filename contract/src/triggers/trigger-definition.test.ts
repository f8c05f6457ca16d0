import { describe, expect, test } from 'vitest'
import { issuesOf } from '../base/issues.ts'
import { TriggerDraftSave, TriggerSave } from './trigger-definition.ts'

const least = {
  name: 't',
  fullname: 'acme.p.t',
  project: 'acme.p',
  workspace: 'acme',
  backend: { type: 'sdk' },
  inputs: {},
  meta: { title: 'T' },
}

function issues(change: object) {
  const parsed = TriggerSave.safeParse({ ...least, ...change })
  return parsed.success ? [] : issuesOf(parsed.error)
}

const paths = (change: object) => issues(change).map((issue) => issue.path)

test('the required fields are enough, and omitted fields get their canonical value', () => {
  expect(TriggerSave.parse(least)).toEqual({
    ...least,
    triggerSpec: null,
    providers: [],
    transform: null,
    activation: null,
    executionPolicy: null,
    tags: [],
    labels: {},
  })
})

test.each(Object.keys(least))('%s is required', (field) => {
  expect(issues({ [field]: undefined })).toEqual([{ path: field, message: 'is required' }])
})

test('shorthands are accepted, and the result is in canonical form', () => {
  const parsed = TriggerSave.parse({ ...least, activation: 'true', transform: 'source' })
  expect(parsed.activation).toEqual({ language: 'javascript', source: 'true' })
  expect(parsed.transform).toEqual({ language: 'javascript', source: 'source' })
  const split = TriggerSave.parse({ ...least, transform: { raw: 'source', human: 'raw' } })
  expect(split.transform).toEqual({ language: 'javascript', rawSource: 'source', humanSource: 'raw' })
})

test('unknown fields are dropped, except in free-form objects', () => {
  const backend = { type: 'sdk', trigger: 'acme.p.other', values: { a: [1] }, more: true }
  const triggerSpec = { type: 'timer', interval: '5m', testInput: { any: 1 } }
  const parsed = TriggerSave.parse({ ...least, extra: 1, backend, triggerSpec: { ...triggerSpec, extra: 1 } })
  expect(parsed).not.toHaveProperty('extra')
  expect(parsed.backend).toEqual(backend)
  expect(parsed.triggerSpec).toEqual(triggerSpec)
})

describe('issues name the path', () => {
  test.each([
    [{ triggerSpec: { type: 'evm_log' } }, 'triggerSpec.dataSource'],
    [{ triggerSpec: { type: 'nope' } }, 'triggerSpec.type'],
    [{ triggerSpec: { type: 'timer' } }, 'triggerSpec.interval'],
    [{ providers: [{ id: 'a', type: 'http' }] }, 'providers.0.url'],
    [{ providers: [{ id: 'a', type: 'graphql', url: 'https://x.io' }] }, 'providers.0.query'],
    [{ providers: [{ id: 'a', type: 'rpc', method: 'm' }] }, 'providers.0.url'],
    [{ providers: [{ id: 'a', type: 'rpc', transport: 'pigeon', method: 'm' }] }, 'providers.0.transport'],
    [{ providers: [{ id: 'a', type: 'rpc', transport: 'source' }] }, 'providers.0.method'],
    [{ providers: [{ id: 'a', type: 'substrate_storage', module: 'System' }] }, 'providers.0.entry'],
    [{ providers: [{ id: 'a', type: 'evm_read', contract: '0x', method: 'm' }] }, 'providers.0.abiFragment'],
    [{ providers: [{ id: 'a', type: 'solana_account' }] }, 'providers.0.account'],
    [{ providers: [{ id: 'a', type: 'state_window', dedupeBy: 'x', keepLast: 3 }] }, 'providers.0.value'],
    [
      { providers: [{ id: 'a', type: 'state_window', dedupeBy: 'x', value: 1, keepLast: 1001 }] },
      'providers.0.keepLast',
    ],
    [{ providers: [{ id: 'a', type: 'javascript' }] }, 'providers.0.source'],
    [{ providers: [{ id: 'a', type: 'http', url: 'u', timeoutMs: 10_001 }] }, 'providers.0.timeoutMs'],
    [{ providers: [{ id: 'a', type: 'http', url: 'u', method: 'DELETE' }] }, 'providers.0.method'],
    [{ executionPolicy: { timeoutMs: 99 } }, 'executionPolicy.timeoutMs'],
    [{ executionPolicy: { speed: 1 } }, 'executionPolicy.speed'],
    [{ backend: { type: 'other' } }, 'backend.type'],
    [{ transform: { language: 'python', source: 'x' } }, 'transform.language'],
    [{ transform: {} }, 'transform'],
    [{ inputs: { a: 5 } }, 'inputs.a'],
    [{ status: { status: 'great' } }, 'status.status'],
    [{ defaults: { delivery: { mode: 'once_per_key' } } }, 'defaults.delivery.keyPath'],
    [{ labels: { a: 1 } }, 'labels.a'],
    [{ meta: {} }, 'meta.title'],
  ])('%j', (change, path) => expect(paths(change)).toEqual([path]))
})

test('rpc with a url and no transport is an endpoint', () => {
  const [provider] = TriggerSave.parse({
    ...least,
    providers: [{ id: 'a', type: 'rpc', url: 'https://x.io', method: 'm' }],
  }).providers
  expect(provider).toMatchObject({ transport: 'endpoint' })
})

test('values that cannot be stored are issues: deep nesting, NUL, half a surrogate, __proto__', () => {
  const deep = JSON.parse(`${'['.repeat(10_000)}${']'.repeat(10_000)}`)
  expect(issues({ backend: { type: 'sdk', values: deep } })[0]?.message).toContain('nested')
  expect(paths({ inputs: { a: 'str\0ing' } })).toEqual(['inputs.a'])
  expect(paths({ inputs: { a: '\ud800' } })).toEqual(['inputs.a'])
  expect(paths({ inputs: JSON.parse('{"__proto__": {"polluted": 1}}') })).toEqual(['inputs.__proto__'])
})

test('a draft keeps unfinished parts as sent and normalises the finished ones', () => {
  const unfinished = { id: 'a', type: 'http' }
  const draft = TriggerDraftSave.parse({
    ...least,
    providers: [unfinished],
    activation: 'return (',
    triggerSpec: { type: 'evm_log' },
  })
  expect(draft.providers).toEqual([unfinished])
  expect(draft.activation).toEqual({ language: 'javascript', source: 'return (' })
  expect(draft.triggerSpec).toEqual({ type: 'evm_log' })
})

test.each([
  [{ name: undefined }],
  [{ providers: {} }],
  [{ providers: [1] }],
  [{ transform: 5 }],
  [{ inputs: [] }],
  [{ meta: undefined }],
])('a draft of the wrong structure is refused: %j', (change) =>
  expect(TriggerDraftSave.safeParse({ ...least, ...change }).success).toBe(false),
)
