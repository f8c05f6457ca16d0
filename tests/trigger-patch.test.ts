import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { applyChanges } from '../server/src/domain/triggers/patch-apply.ts'
import { readPatch, segmentsOf } from '../server/src/domain/triggers/patch-paths.ts'
import { type Harness, project, rejects, sharedHarness, type Team, trigger } from './harness/index.ts'
import { propertyRuns } from './harness/property-runs.ts'

let house: Harness
let team: Team
const fullname = 'patches.p.t'
const saved = trigger(fullname, {
  tags: ['a', 'b'],
  labels: { 'team.name': 'core' },
  defaults: { title: 'Hello', links: [{ title: 'one', url: 'https://example.org/1' }] },
  providers: [
    { id: 'price', type: 'http', url: 'https://example.org/price', headers: { authorization: 'Bearer k' } },
    { id: 'rate', type: 'http', url: 'https://example.org/rate' },
  ],
})

beforeAll(async () => {
  house = await sharedHarness()
  team = await house.team('patches')
  await team.owner.saveProject({ fullname: 'patches.p', body: project('patches.p') })
  await team.owner.saveProject({ fullname: 'patches.open', body: project('patches.open', { accessLevel: 'free' }) })
})

const restore = () => team.developer.saveTrigger({ fullname, body: saved })
const patch = (body: Parameters<Team['owner']['patchTrigger']>[0]['body'], ifMatch?: string) =>
  team.developer.patchTrigger({ fullname, body, ...(ifMatch !== undefined && { ifMatch }) })

describe('dotted paths', () => {
  test('set and unset change only the paths that they name', async () => {
    const before = await restore()
    const result = await patch({
      set: { 'meta.title': 'New', 'providers.0.timeoutMs': 500, 'executionPolicy.timeoutMs': 1000 },
      unset: ['defaults.title'],
    })
    expect(result).toMatchObject({ fullname, dryRun: false, updated: true })
    expect(result.changedPaths.toSorted()).toEqual([
      'defaults.title',
      'executionPolicy.timeoutMs',
      'meta.title',
      'providers.0.timeoutMs',
    ])
    expect(result.trigger).toEqual({
      ...before,
      meta: { title: 'New' },
      defaults: { links: before.defaults?.links },
      providers: [{ ...before.providers[0], timeoutMs: 500 }, before.providers[1]],
      executionPolicy: { timeoutMs: 1000 },
      updatedAt: result.trigger.updatedAt,
    })
    expect(await team.developer.getTrigger({ fullname })).toEqual(result.trigger)
  })

  test('a backslash makes a dot part of a name', async () => {
    await restore()
    const result = await patch({ set: { 'labels.a\\.b': 'c' }, unset: ['labels.team\\.name'] })
    expect(result.trigger.labels).toEqual({ 'a.b': 'c' })
  })

  test('an index at the end appends, also several in a row, and every index refers to the list before the patch', async () => {
    await restore()
    expect((await patch({ set: { 'tags.3': 'd', 'tags.2': 'c' } })).trigger.tags).toEqual(['a', 'b', 'c', 'd'])
    expect((await patch({ unset: ['tags.0', 'tags.2'] })).trigger.tags).toEqual(['b', 'd'])
    expect((await patch({ set: { 'tags.2': 'e' }, unset: ['tags.0'] })).trigger.tags).toEqual(['d', 'e'])
    expect((await patch({ unset: ['defaults.links'] })).trigger.defaults).toEqual({ title: 'Hello' })
    const added = await patch({ set: { 'defaults.links.0': { title: 'two', url: 'https://example.org/2' } } })
    expect(added.trigger.defaults).toMatchObject({ links: [{ title: 'two' }] })
  })

  test('equal items of a list stay separate items', async () => {
    await team.developer.saveTrigger({ fullname, body: { ...saved, tags: ['a', 'a'] } })
    expect(await patch({ unset: ['tags.0'] })).toMatchObject({ changedPaths: ['tags.0'], trigger: { tags: ['a'] } })
  })

  test('shorthands are accepted, and the reply is in canonical form', async () => {
    await restore()
    const { trigger } = await patch({ set: { activation: 'true', transform: { raw: 'source' } } })
    expect(trigger.activation).toEqual({ language: 'javascript', source: 'true' })
    expect(trigger.transform).toEqual({ language: 'javascript', rawSource: 'source' })
    const { trigger: renamed } = await patch({ set: { 'transform.raw': 'inputs' } })
    expect(renamed.transform).toEqual({ language: 'javascript', rawSource: 'inputs' })
    expect(await patch({ set: { activation: 'true' } })).toMatchObject({ updated: false, changedPaths: [] })
  })

  test('a patch that changes nothing is not an update', async () => {
    const before = await restore()
    const { headers } = await team.developer.whole.getTrigger({ fullname })
    const result = await patch({
      set: { 'meta.title': before.meta.title, unknown: 1 },
      unset: ['defaults.long', 'x.y'],
    })
    expect(result).toEqual({ fullname, dryRun: false, updated: false, changedPaths: [], trigger: before })
    expect((await team.developer.whole.getTrigger({ fullname })).headers.get('etag')).toBe(headers.get('etag'))
  })

  test('dryRun shows the result and changes nothing', async () => {
    const before = await restore()
    const result = await patch({ set: { 'meta.title': 'Would be' }, dryRun: true })
    expect(result).toMatchObject({ dryRun: true, updated: false, changedPaths: ['meta.title'] })
    expect(result.trigger.meta.title).toBe('Would be')
    expect(await team.developer.getTrigger({ fullname })).toEqual(before)
    await rejects(patch({ unset: ['meta.title'], dryRun: true }), { code: 'invalid_payload', status: 400 })
  })
})

describe('refusals', () => {
  const bad = async (body: Parameters<typeof patch>[0], path: string) => {
    const error = await rejects(patch(body), { code: 'invalid_payload', status: 400 })
    expect(error.details?.issues).toMatchObject([{ path }])
  }

  test('one of set and unset is required', async () => {
    await restore()
    await bad({}, '')
    await bad({ set: {}, unset: [] }, '')
    await bad({ dryRun: true }, '')
  })

  test.each(['id', 'name', 'fullname', 'project', 'workspace', 'createdAt', 'updatedAt', 'name.x', 'project.0'])(
    '%s cannot be changed',
    async (path) => {
      await rejects(patch({ set: { [path]: 'x' } }), { code: 'immutable_field', status: 400 })
      await rejects(patch({ unset: [path] }), { code: 'immutable_field', status: 400 })
      await rejects(patch({ set: { 'meta.title': 'x' }, unset: [path] }), { code: 'immutable_field', status: 400 })
    },
  )

  test.each([
    [{ set: { 'meta.title': 'x' }, unset: ['meta.title'] }, 'meta.title'],
    [{ set: { meta: { title: 'x' } }, unset: ['meta.title'] }, 'meta.title'],
    [{ set: { 'meta.title': 'x' }, unset: ['meta'] }, 'meta.title'],
    [{ set: { 'meta.title': 'x', meta: { title: 'y' } } }, 'meta.title'],
    [{ unset: ['tags', 'tags'] }, 'tags'],
    [{ set: { 'transform.raw': 'a', 'transform.rawSource': 'b' } }, 'transform.rawSource'],
  ])('overlapping paths are refused: %j', async (body, path) => bad(body, path))

  test.each([
    ['tags.5', 'x'],
    ['tags.-1', 'x'],
    ['tags.length', 0],
    ['tags.01', 'x'],
    ['meta.title.x', 'x'],
    ['defaults.title.0', 'x'],
    ['meta..title', 'x'],
    ['.meta', 'x'],
    ['meta.', 'x'],
    [`labels.${'x'.repeat(600)}`.slice(0, 513), 'x'],
  ])('%s is not a path', async (path, value) => bad({ set: { [path]: value } }, path.slice(0, 512)))

  test('an empty path is refused', async () => bad({ set: { '': 1 } }, ''))

  test.each([
    '__proto__',
    'labels.__proto__.x',
    'constructor.prototype.x',
    'labels.prototype',
    'backend.values.constructor',
  ])('%s cannot reach a prototype', async (path) => {
    const body = JSON.parse(JSON.stringify({ set: {} }))
    Object.defineProperty(body.set, path, { value: 'x', enumerable: true })
    const error = await rejects(patch(body), { code: 'invalid_payload', status: 400 })
    expect(error.details).toHaveProperty('issues')
    await rejects(patch({ unset: [path] }), { code: 'invalid_payload', status: 400 })
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  test('a value cannot set a prototype either', async () => {
    const answer = await fetch(`${house.url}/api/triggers/${fullname}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${team.developer.token}`, 'content-type': 'application/json' },
      body: '{"set": {"backend.values": {"__proto__": {"x": 1}}}}',
    })
    expect(answer.status).toBe(400)
  })

  test('the result must be a whole valid trigger', async () => {
    const before = await restore()
    await bad({ unset: ['meta.title'] }, 'meta.title')
    await bad({ set: { 'triggerSpec.type': 'evm_log' } }, 'triggerSpec.dataSource')
    await bad({ set: { 'executionPolicy.unknown': 1 } }, 'executionPolicy.unknown')
    await rejects(patch({ set: { activation: 'return (' } }), { code: 'invalid_payload' })
    await rejects(patch({ set: { 'triggerSpec.interval': '1s' } }), { code: 'invalid_payload' })
    let deep: unknown = 1
    for (let level = 0; level < 200; level++) deep = [deep]
    await rejects(patch({ set: { 'backend.values': deep } }), { code: 'invalid_payload' })
    await rejects(patch({ set: { [`backend.${'v.'.repeat(200)}v`]: 1 } }), { code: 'invalid_payload' })
    expect(await team.developer.getTrigger({ fullname })).toEqual(before)
  })

  test('the payload must have the form of a patch', async () => {
    for (const body of [{ set: [] }, { unset: {} }, { set: { a: 1 }, dryRun: 'yes' }, [], null, 'x'])
      await rejects(patch(body as never), { code: 'invalid_payload', status: 400 })
  })

  test('a caller who may not change it gets 403 if they can read it, and 404 otherwise', async () => {
    const open = 'patches.open.t'
    await team.developer.saveTrigger({ fullname: open, body: trigger(open) })
    const body = { set: { 'meta.title': 'x' } }
    await rejects(house.nobody.patchTrigger({ fullname, body }), { code: 'unauthenticated', status: 401 })
    await rejects(team.user.patchTrigger({ fullname, body }), { code: 'forbidden', status: 403 })
    await rejects(team.stranger.patchTrigger({ fullname, body }), { code: 'not_found', status: 404 })
    await rejects(team.stranger.patchTrigger({ fullname: open, body }), { code: 'forbidden', status: 403 })
    await rejects(team.developer.patchTrigger({ fullname: 'patches.p.none', body }), { code: 'not_found', status: 404 })
  })
})

describe('status', () => {
  test('an edit of the definition sets not_tested, an edit of other fields does not', async () => {
    await team.developer.saveTrigger({ fullname, body: { ...saved, status: { status: 'ready' } } })
    const kept = await patch({ set: { 'meta.title': 'x', 'defaults.title': 'y', 'tags.0': 'z', 'labels.k': 'v' } })
    expect(kept.trigger.status).toMatchObject({ status: 'ready', source: 'test' })
    const edited = await patch({ set: { 'triggerSpec.interval': '2m' } })
    expect(edited.trigger.status).toMatchObject({ status: 'not_tested', source: 'edit' })
    expect(edited.changedPaths).toEqual(['triggerSpec.interval'])
  })

  test('a client can set not_tested, ready and broken, and no other status', async () => {
    await restore()
    const ready = await patch({ set: { 'status.status': 'ready' } })
    expect(ready).toMatchObject({
      updated: true,
      changedPaths: ['status.status'],
      trigger: { status: { status: 'ready' } },
    })
    const broken = await patch({ set: { status: { status: 'broken', issue: 'it failed' } } })
    expect(broken.trigger.status).toMatchObject({ status: 'broken', issue: 'it failed', source: 'test' })
    expect(await patch({ set: { 'status.status': 'warning' } })).toMatchObject({ updated: false, changedPaths: [] })
    const tested = await patch({ set: { 'triggerSpec.interval': '7m', 'status.status': 'ready' } })
    expect(tested.trigger.status).toMatchObject({ status: 'ready', source: 'test' })
    const again = await patch({ set: { 'triggerSpec.interval': '8m', 'status.status': 'ready' } })
    expect(again.trigger.status.status).toBe('ready')
  })
})

describe('concurrently', () => {
  test('patches of different fields are all kept', async () => {
    await restore()
    const names = Array.from({ length: 8 }, (_, index) => `k${index}`)
    await Promise.all(names.map((name) => patch({ set: { [`labels.${name}`]: name } })))
    const { labels } = await team.developer.getTrigger({ fullname })
    expect(Object.keys(labels)).toEqual(expect.arrayContaining(names))
  })

  test('of two patches with the same If-Match one wins', async () => {
    await restore()
    for (let round = 0; round < 5; round++) {
      const etag = (await team.developer.whole.getTrigger({ fullname })).headers.get('etag') ?? ''
      const outcomes = await Promise.allSettled(
        [1, 2].map((n) => patch({ set: { 'meta.title': `${round} ${n}` } }, etag)),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'precondition_failed' },
      })
    }
    await rejects(patch({ set: { 'meta.title': 'x' }, dryRun: true }, '"old.1"'), {
      code: 'precondition_failed',
      status: 412,
    })
  })
})

describe('any path', () => {
  const key = fc.oneof(
    fc.string({ minLength: 1, maxLength: 6 }),
    fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'length', '0', '1', '-1', 'a.b', 'a\\', '\\.'),
  )
  const json = fc.jsonValue({ maxDepth: 3 })
  const root = fc.dictionary(
    key.filter((name) => name !== '__proto__'),
    json,
    { maxKeys: 5 },
  )
  const pathOf = (keys: string[]) => keys.map((name) => name.replace(/[.\\]/g, '\\$&')).join('.')
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

  test('is parsed into the names that it was made of', () => {
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 5 }), (keys) => {
        expect(segmentsOf(pathOf(keys))).toEqual(keys)
      }),
    )
  })

  test('set at a missing field and then unset restores the record', () => {
    fc.assert(
      fc.property(root, fc.array(json), key, json, (object, list, name, value) => {
        const payload = { object, list }
        const isNew = !Object.hasOwn(object, name)
        for (const path of [pathOf(['list', String(list.length)]), ...(isNew ? [pathOf(['object', name])] : [])]) {
          const set = readPatch({ set: { [path]: value } })
          const unset = readPatch({ unset: [path] })
          if (!Array.isArray(set) || !Array.isArray(unset)) continue
          const there = applyChanges(payload, set)
          expect(there).toMatchObject({ issues: [], applied: [{ before: undefined }] })
          expect(applyChanges(there.patched, unset).patched).toEqual(payload)
        }
      }),
    )
  })

  test('set to its current value changes nothing', () => {
    fc.assert(
      fc.property(root, fc.array(key, { minLength: 1, maxLength: 3 }), json, (payload, keys, value) => {
        const changes = readPatch({ set: { [pathOf(keys)]: value } })
        if (!Array.isArray(changes)) return
        const { patched, applied, issues } = applyChanges(payload, changes)
        const before = applied[0]?.before
        if (issues.length > 0 || before === undefined) return
        const back = readPatch({ set: { [pathOf(keys)]: before } })
        if (Array.isArray(back)) expect(applyChanges(patched, back).patched).toEqual(payload)
      }),
    )
  })

  test('is refused or applied, and never reaches a prototype', () => {
    const hostile = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.array(key, { maxLength: 6 }).map((keys) => keys.join('.')),
    )
    fc.assert(
      fc.property(
        root,
        fc.array(fc.tuple(hostile, json), { maxLength: 4 }),
        fc.array(hostile, { maxLength: 4 }),
        (payload, sets, unset) => {
          const untouched = plain(payload)
          const set: Record<string, unknown> = {}
          for (const [path, value] of sets)
            Object.defineProperty(set, path, { value, enumerable: true, configurable: true })
          const changes = readPatch({ set, unset })
          if (Array.isArray(changes)) applyChanges(payload, changes)
          expect(plain(payload)).toEqual(untouched)
          expect(Object.keys(Object.prototype)).toEqual([])
          expect(Object.keys(Array.prototype)).toEqual([])
        },
      ),
      { numRuns: propertyRuns(500) },
    )
  })
})
