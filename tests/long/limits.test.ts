import { defaultLimits, type PayloadLimits } from '@tocsin/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../server/src/config.ts'
import {
  checkedClient,
  type Harness,
  harness,
  type Person,
  project,
  rejects,
  resource,
  trigger,
} from '../harness/index.ts'

/** Three services in one process: with limits below the defaults, above them, and with the defaults. */
const low: PayloadLimits = { triggerBytes: 4000, scriptBytes: 100, providers: 2, bulkItems: 3, labels: 2, tags: 1 }
const high: PayloadLimits = {
  triggerBytes: 600_000,
  scriptBytes: 200_000,
  providers: 30,
  bulkItems: 250,
  labels: 100,
  tags: 50,
}
const houses: Harness[] = []
const owners = new Map<PayloadLimits, Person>()
const databases = new Map<PayloadLimits, Harness['database']>()
const all = [
  ['set low', low],
  ['set high', high],
  ['left alone', defaultLimits],
] as const
const ownerOf = (limits: PayloadLimits) => owners.get(limits) as Person

beforeAll(async () => {
  for (const [, limits] of all) {
    const house = await harness(limits === defaultLimits ? {} : variablesFor(limits))
    houses.push(house)
    const owner = await house.person('owner')
    await owner.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
    await owner.saveProject({ fullname: 'acme.p', body: project('acme.p') })
    owners.set(limits, owner)
    databases.set(limits, house.database)
  }
})
afterAll(() => Promise.all(houses.map((house) => house.close())))

/** Saves the first trigger through the API and copies its row for the others, because hundreds of saves take seconds. */
async function saveTriggers(limits: PayloadLimits, [first = '', ...others]: string[]): Promise<void> {
  await ownerOf(limits).saveTrigger({ fullname: first, body: trigger(first) })
  const { rowCount } = await databases.get(limits)!.query(
    `insert into triggers select copy.* from triggers t, unnest($2::text[]) as other,
      jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'fullname', other,
        'name', substr(other, length('acme.p.') + 1))) as copy
      where t.fullname = $1`,
    [first, others],
  )
  expect(rowCount).toBe(others.length)
}

const variablesFor = (limits: PayloadLimits) => ({
  LIMIT_TRIGGER_BYTES: String(limits.triggerBytes),
  LIMIT_SCRIPT_BYTES: String(limits.scriptBytes),
  LIMIT_PROVIDERS: String(limits.providers),
  LIMIT_BULK_ITEMS: String(limits.bulkItems),
  LIMIT_LABELS: String(limits.labels),
  LIMIT_TAGS: String(limits.tags),
})

type Definition = Parameters<typeof trigger>[1]
const list = (count: number) => Array.from({ length: count }, (_, index) => index)
const tags = (count: number) => list(count).map((n) => `t${n}`)
const labels = (count: number) => Object.fromEntries(list(count).map((n) => [`l${n}`, 'v']))
const providers = (count: number) => list(count).map((n) => ({ id: `p${n}`, type: 'javascript' as const, source: '1' }))
/** A script of this many bytes that returns the length of its own text, which proves that all bytes reached the sandbox. */
const script = (bytes: number) => `({ long: "${'x'.repeat(bytes - 21)}".length })`
const answerOf = (bytes: number) => ({ long: bytes - 21 })
const fullname = 'acme.p.t'

async function over(call: Promise<unknown>, path: string) {
  const { details } = await rejects(call, { code: 'invalid_payload', status: 400 })
  expect(details?.issues).toEqual([{ path, message: expect.any(String) }])
}

/** The largest allowed value, the smallest refused value, and the path of the issue. */
const definitions = (limits: PayloadLimits): [path: string, fits: Definition, over: Definition][] => [
  ['tags', { tags: tags(limits.tags) }, { tags: tags(limits.tags + 1) }],
  ['labels', { labels: labels(limits.labels) }, { labels: labels(limits.labels + 1) }],
  ['providers', { providers: providers(limits.providers) }, { providers: providers(limits.providers + 1) }],
  ['activation.source', { activation: script(limits.scriptBytes) }, { activation: script(limits.scriptBytes + 1) }],
  [
    'transform.rawSource',
    { transform: { raw: script(limits.scriptBytes) } },
    { transform: { raw: script(limits.scriptBytes + 1) } },
  ],
  [
    'providers.0.source',
    { providers: [{ id: 'a', type: 'javascript', source: script(limits.scriptBytes) }] },
    { providers: [{ id: 'a', type: 'javascript', source: script(limits.scriptBytes + 1) }] },
  ],
  [
    '',
    { backend: { type: 'sdk', values: 'x'.repeat(limits.triggerBytes - 1000) } },
    { backend: { type: 'sdk', values: 'x'.repeat(limits.triggerBytes) } },
  ],
]

describe.each(all)('limits %s hold for', (_, limits) => {
  test('saved triggers, drafts, validation and patches', async () => {
    const owner = ownerOf(limits)
    for (const [path, fits, tooMuch] of definitions(limits)) {
      await owner.saveTrigger({ fullname, body: trigger(fullname, fits) })
      await owner.saveTriggerDraft({ fullname, body: trigger(fullname, fits) })
      const valid = { fullname, body: trigger(fullname, fits) }
      expect(await owner.validateTriggerDraft(valid)).toMatchObject({ valid: true, issues: [] })
      await owner.saveTrigger({ fullname, body: trigger(fullname) })
      expect(await owner.patchTrigger({ fullname, body: { set: fits } })).toMatchObject({ updated: true })

      const body = trigger(fullname, tooMuch)
      await over(owner.saveTrigger({ fullname, body }), path)
      await over(owner.saveTriggerDraft({ fullname, body }), path)
      expect(await owner.validateTriggerDraft({ fullname, body })).toEqual({
        valid: false,
        issues: [{ path, message: expect.any(String) }],
      })
      for (const dryRun of [true, false])
        await over(owner.patchTrigger({ fullname, body: { set: tooMuch, dryRun } }), path)
      const bulk = owner.patchTriggers({ body: { items: [{ fullname, set: tooMuch }] } })
      const { details } = await rejects(bulk, { code: 'invalid_payload', status: 400 })
      expect(details).toMatchObject({ items: [{ fullname, issues: [{ path }] }] })
    }
  })

  test('tags and labels of workspaces, projects and resources', async () => {
    const owner = ownerOf(limits)
    const saves = [
      (extra: object) => owner.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme', ...extra } }),
      (extra: object) => owner.saveProject({ fullname: 'acme.p', body: project('acme.p', extra) }),
      (extra: object) => owner.saveResource({ fullname: 'acme.r', body: resource('acme.r', extra) }),
    ]
    for (const save of saves) {
      const most = { tags: tags(limits.tags), labels: labels(limits.labels) }
      expect(await save(most)).toMatchObject(most)
      await over(save({ tags: tags(limits.tags + 1) }), 'tags')
      await over(save({ labels: labels(limits.labels + 1) }), 'labels')
    }
  })

  test('bulk calls', async () => {
    const owner = ownerOf(limits)
    const many = list(limits.bulkItems).map((n) => `acme.p.bulk-${n}`)
    await saveTriggers(limits, many)
    const items = (names: string[]) => names.map((name) => ({ fullname: name, set: { 'meta.title': 'x' } }))
    const more = [...many, fullname]
    for (const dryRun of [true, false]) {
      await over(owner.patchTriggers({ body: { items: items(more), dryRun } }), 'items')
      await over(owner.removeTriggers({ body: { fullnames: more, dryRun } }), 'fullnames')
    }
    expect(await owner.patchTriggers({ body: { items: items(many) } })).toMatchObject({ updatedCount: many.length })
    expect(await owner.removeTriggers({ body: { fullnames: many } })).toMatchObject({ deletedCount: many.length })
  })

  test('previews and tests: a script that is too long is an issue, too many providers are refused', async () => {
    const owner = ownerOf(limits)
    const sample = { transform: null, input: {}, triggerSpec: { type: 'timer', interval: '1m' }, outputSchema: null }
    const definition = { ...sample, providers: providers(limits.providers) }
    const calls = [
      (extra: object) => owner.previewTrigger({ body: { ...definition, ...extra } }),
      (extra: object) => owner.testTrigger({ body: { ...definition, ...extra } }),
      (extra: object) => owner.testTriggerBlock({ body: { ...definition, block: 1, ...extra } }),
    ]
    for (const [index, call] of calls.entries()) {
      await over(call({ providers: providers(limits.providers + 1) }), 'providers')
      const long = await call({ transform: script(limits.scriptBytes + 1) })
      expect(long).toMatchObject({ valid: false, issues: [{ path: 'transform.source' }] })
      if (index === 2) continue
      const run = await call({ transform: script(limits.scriptBytes), activation: script(limits.scriptBytes) })
      expect(run).toMatchObject({ valid: true, issues: [], output: { raw: answerOf(limits.scriptBytes) } })
    }
  })

  test('the test of one provider', async () => {
    const provider = (bytes: number) => ({ id: 'a', type: 'javascript', source: script(bytes) })
    const test = (bytes: number) =>
      ownerOf(limits).testProvider({ body: { triggerSpec: null, provider: provider(bytes) } })
    expect(await test(limits.scriptBytes)).toMatchObject({ valid: true, result: answerOf(limits.scriptBytes) })
    expect(await test(limits.scriptBytes + 1)).toMatchObject({ valid: false, issues: [{ path: 'provider.source' }] })
  })
})

test('records saved under higher limits stay readable, and a change must respect the lower limits', async () => {
  const SECRET_KEY = 'a key that both services know of, and nobody else'
  const house = await harness({ SECRET_KEY })
  const stricter = await harness({ SECRET_KEY, DATABASE_URL: house.databaseUrl, LIMIT_TAGS: '2' })
  const owner = await house.person('owner')
  await owner.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await owner.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  await owner.saveTrigger({ fullname, body: trigger(fullname, { tags: tags(3) }) })
  const later = checkedClient(stricter.url, owner.token)
  expect(await later.getTrigger({ fullname })).toMatchObject({ tags: tags(3) })
  await over(later.patchTrigger({ fullname, body: { set: { 'meta.title': 'x' } } }), 'tags')
  const mended = await later.patchTrigger({ fullname, body: { set: { 'meta.title': 'x', tags: tags(2) } } })
  expect(mended).toMatchObject({ updated: true, trigger: { tags: tags(2) } })
  await stricter.close()
  await house.close()
})

test.each([
  ['LIMIT_TRIGGER_BYTES', '0'],
  ['LIMIT_SCRIPT_BYTES', 'much'],
  ['LIMIT_SCRIPT_BYTES', '262145'],
  ['LIMIT_PROVIDERS', '-1'],
  ['LIMIT_BULK_ITEMS', '10001'],
  ['LIMIT_LABELS', '1.5'],
  ['LIMIT_TAGS', '-1'],
  ['ABI_SOURCES', 'sourcify,etherscn'],
  ['SOURCIFY_URL', 'ftp://sourcify.example.org'],
  ['BLOCKSCOUT_URLS', 'eth=https://eth.example.org'],
  ['TRUST_PROXY', '33'],
  ['TRUST_PROXY', 'yes'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '10.0.0.1,'],
  ['TRUST_PROXY', 'proxy.example.org'],
])('%s=%s stops the start with a message that names it', (name, value) => {
  expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`${name}: `))
})

test('METRICS_TOKEN shorter than 16 characters stops the start and says why', () => {
  expect(() => loadConfig({ METRICS_TOKEN: 'x'.repeat(15) })).toThrow('METRICS_TOKEN: must have at least 16 characters')
  expect(loadConfig({ METRICS_TOKEN: 'x'.repeat(16) }).metricsAccess.token).toHaveLength(16)
})

test('a replica needs a primary', () => {
  const [DATABASE_URL, DATABASE_READ_URL] = ['postgres://primary/name', 'postgres://replica/name']
  const needs = 'DATABASE_READ_URL: needs DATABASE_URL'
  expect(() => loadConfig({ DATABASE_READ_URL })).toThrow(needs)
  expect(loadConfig({ DATABASE_URL, DATABASE_READ_URL }).databaseRead).toEqual({ url: DATABASE_READ_URL, lagMs: 200 })
})
