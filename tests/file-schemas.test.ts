import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type FileKind, fileKinds, fileSchema } from '@tocsin/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import {
  addressList,
  customSource,
  project,
  rejects,
  resource,
  sharedHarness,
  subscription,
  template,
  trigger,
} from './harness/index.ts'

/** Strict: a word that the standard does not know is a mistake in our schemas. */
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  validateFormats: false,
})
const checks = new Map(fileKinds.map((kind) => [kind, ajv.compile(fileSchema(kind))]))

/** The paths at which a file does not fit the schema of its kind. */
function problems(kind: FileKind, file: unknown): string[] {
  const check = checks.get(kind)!
  return check(file) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

const files: Record<FileKind, object> = {
  project: project('acme.p', { tags: ['a'], labels: { b: 'c' } }),
  trigger: trigger('acme.p.t'),
  template: { ...template('acme.p'), key: 'main' },
  resource: resource('acme.hook'),
  source: customSource('acme.node'),
  subscription: { ...subscription('acme.p.t'), key: 'mine' },
  'address-list': addressList('acme.whales', { addresses: [`0x${'1'.repeat(40)}`] }),
  stack: { apiVersion: 1, workspace: 'acme', stack: 'prod' },
  test: { trigger: 'acme.p.t', mustFire: [{ block: 1, count: 2, raw: { a: 1 } }], mustNotFire: [{ block: 2 }] },
}

test('every kind of file has its schema at /api/schemas, without an account; another kind is not found', async () => {
  const { nobody, url } = await sharedHarness()
  for (const kind of fileKinds) {
    const { body, headers } = await nobody.whole.getFileSchema({ kind })
    expect(body).toEqual(fileSchema(kind))
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
  }
  await rejects(nobody.getFileSchema({ kind: 'toString' }), { code: 'not_found', status: 404 })
  expect((await fetch(`${url}/api/schemas/trigger`)).status).toBe(404)
  expect((await fetch(`${url}/api/schemas/trigger.json`, { method: 'PUT' })).status).toBe(405)
})

test.each(fileKinds)(
  'a file of kind %s fits its schema; an unknown field, a missing one and a wrong type do not',
  (kind) => {
    const file = files[kind]
    expect(problems(kind, file)).toEqual([])
    expect(problems(kind, { ...file, colour: 'red' })).toEqual([' must NOT have additional properties'])
    const [first = ''] = fileSchema(kind).required as string[]
    const { [first as never]: _, ...rest } = file
    expect(problems(kind, rest)).toEqual([` must have required property '${first}'`])
    expect(problems(kind, { ...file, [first]: [] })).not.toEqual([])
  },
)

test('every example of a monitor fits the schema of its kind', () => {
  const folder = resolve(import.meta.dirname, '../examples')
  for (const [name, kind] of [
    ['projects', 'project'],
    ['triggers', 'trigger'],
    ['subscriptions', 'subscription'],
  ] as const) {
    for (const file of readdirSync(join(folder, name))) {
      const definition = JSON.parse(readFileSync(join(folder, name, file), 'utf8'))
      const keyed = kind === 'subscription' ? { ...definition, key: 'mine' } : definition
      expect([file, ...problems(kind, keyed)]).toEqual([file])
    }
  }
})

test('JavaScript, ABIs and IDLs may be in files of their own, and other values may not', () => {
  const file = { file: 'code/whale.js' }
  const withFiles = {
    ...files.trigger,
    transform: file,
    activation: { source: file },
    triggerSpec: { type: 'evm_log', dataSource: 'common.ethereum', abiFragment: { file: 'erc20.json' } },
    providers: [
      { id: 'a', type: 'javascript', source: file, runIf: file },
      { id: 'b', type: 'solana_account', account: 'x', idl: { file: 'program.json' } },
    ],
  }
  expect(problems('trigger', withFiles)).toEqual([])
  expect(problems('trigger', { ...withFiles, transform: { rawSource: file, humanSource: file } })).toEqual([])
  expect(problems('trigger', { ...withFiles, transform: { file: 1 } })).not.toEqual([])
  expect(problems('trigger', { ...withFiles, name: file })).not.toEqual([])
  expect(problems('project', { ...files.project, name: file })).not.toEqual([])
})

test('a text may have variables of the environment, also where the API takes only certain texts', () => {
  const secret = `\${env:RPC_URL}`
  expect(problems('source', { ...files.source, mode: undefined, endpoints: [secret, `https://x/${secret}`] })).toEqual(
    [],
  )
  expect(problems('source', { ...files.source, kind: secret })).toEqual([])
  expect(problems('source', { ...files.source, kind: 'bitcoin' })).not.toEqual([])
  expect(problems('resource', { ...files.resource, data: { url: secret } })).toEqual([])
  expect(problems('project', { ...files.project, meta: { title: secret, description: secret, icon: secret } })).toEqual(
    [],
  )
})

test('an editor can describe every field', () => {
  const missing = new Set<string>()
  const walk = (schema: unknown, path: string): void => {
    if (Array.isArray(schema)) for (const each of schema) walk(each, path)
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return
    const { properties = {}, $defs = {}, items, anyOf, oneOf, additionalProperties } = schema as Record<string, object>
    for (const [name, field] of Object.entries<{ description?: string }>(properties as never)) {
      if (!field.description) missing.add(`${path}.${name}`)
      walk(field, `${path}.${name}`)
    }
    for (const [name, definition] of Object.entries($defs)) walk(definition, `${path}#${name}`)
    for (const part of [items, anyOf, oneOf, additionalProperties]) walk(part, path)
  }
  for (const kind of fileKinds) walk(fileSchema(kind), kind)
  // A new field needs a line in contract/src/file-schemas/words.ts.
  expect([...missing]).toEqual([])
})
