import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dumpTables } from './harness/dump.ts'
import {
  customSource,
  type Harness,
  harness,
  type Person,
  project,
  rejects,
  type Team,
  trigger,
} from './harness/index.ts'

let house: Harness
let team: Team

beforeAll(async () => {
  house = await harness()
  team = await house.team('acme')
  await team.owner.saveProject({ fullname: 'acme.p', body: project('acme.p') })
  await team.owner.saveProject({ fullname: 'acme.open', body: project('acme.open', { accessLevel: 'public' }) })
})
afterAll(() => house.close())

const save = (person: Person, fullname: string, extra: Parameters<typeof trigger>[1] = {}) =>
  person.saveTrigger({ fullname, body: trigger(fullname, extra) })

const erc20 = (dataSource: string) =>
  ({ type: 'evm_log', dataSource, event: 'Transfer(address,address,uint256)' }) as const

describe('saving', () => {
  test('the smallest payload is accepted, and the reply has every field of the record', async () => {
    const view = await save(team.developer, 'acme.p.small')
    expect(view).toEqual({
      id: expect.any(String),
      name: 'small',
      fullname: 'acme.p.small',
      project: 'acme.p',
      workspace: 'acme',
      public: false,
      backend: { type: 'sdk' },
      inputs: {},
      triggerSpec: { type: 'timer', interval: '1m' },
      activation: null,
      executionPolicy: null,
      status: { status: 'not_tested', source: 'edit', updatedAt: view.createdAt },
      tags: [],
      labels: {},
      meta: { title: 'small' },
      hasProviders: false,
      hasTransform: false,
      hasDraft: false,
      createdAt: view.updatedAt,
      updatedAt: view.createdAt,
      providers: [],
      transform: null,
      draft: { exists: false },
    })
    expect(await team.user.getTrigger({ fullname: 'acme.p.small' })).toEqual(view)
  })

  test('a full payload is returned in canonical form, with fields in the order of the request', async () => {
    const view = await save(team.admin, 'acme.p.Deep.name_1', {
      backend: { type: 'sdk', trigger: 'x', values: { z: 1, a: 2 }, extra: true },
      inputs: { wallet: 'string', min: { type: 'balance', decimals: 18 } },
      defaults: { title: '{{raw.a}}', delivery: { mode: 'once' } },
      providers: [{ id: 'price', type: 'http', url: 'https://example.org/', headers: { 'x-key': 'k-123' } }],
      filtersSchema: { z: 'string', a: { type: 'string', sourcePath: 'params.a' } },
      outputSchema: { raw: { a: 'string' } },
      transform: 'return { raw: source }',
      activation: 'source.now > 0',
      executionPolicy: { timeoutMs: 500 },
      tags: ['t'],
      labels: { k: 'v' },
      meta: { title: 'Deep', description: 'More' },
    })
    expect(view).toMatchObject({
      backend: { type: 'sdk', trigger: 'x', values: { z: 1, a: 2 }, extra: true },
      transform: { language: 'javascript', source: 'return { raw: source }' },
      activation: { language: 'javascript', source: 'source.now > 0' },
      providers: [{ id: 'price', headers: { 'x-key': 'k-123' } }],
      hasProviders: true,
      hasTransform: true,
      meta: { title: 'Deep', description: 'More' },
    })
    expect(Object.keys(view.filtersSchema ?? {})).toEqual(['z', 'a'])
    const cleared = await save(team.admin, 'acme.p.Deep.name_1')
    expect(cleared).toMatchObject({ id: view.id, createdAt: view.createdAt, providers: [], transform: null, tags: [] })
    expect(cleared).not.toHaveProperty('defaults')
  })

  test('conditions are saved, patched, cleared and part of the definition that a test status depends on', async () => {
    const fullname = 'acme.p.conditioned'
    const conditions = { all: [{ param: 'source.timestampMs', op: 'gt' as const, value: 5 }] }
    const body = trigger(fullname, { conditions })
    expect(await team.developer.saveTrigger({ fullname, body })).toMatchObject({ conditions })
    expect(await team.user.getTrigger({ fullname })).toMatchObject({ conditions })
    await team.developer.saveTrigger({ fullname, body: { ...body, status: { status: 'ready' } } })
    const patch = { set: { 'conditions.all.0.value': 6 } }
    const patched = await team.developer.patchTrigger({ fullname, body: patch })
    expect(patched).toMatchObject({
      changedPaths: ['conditions.all.0.value'],
      trigger: { status: { status: 'not_tested' } },
    })
    const draft = { ...body, conditions: { param: 'unfinished' } }
    expect(await team.developer.saveTriggerDraft({ fullname, body: draft })).toMatchObject({
      conditions: { param: 'unfinished' },
    })
    const typo = { ...body, conditions: { param: 'source.timestampMS', op: 'gt' as const, value: 5 } }
    expect(await team.developer.validateTriggerDraft({ fullname, body: typo })).toMatchObject({
      valid: false,
      issues: [
        {
          path: 'conditions.param',
          message: 'there is no source.timestampMS, but now, timestampMs; did you mean source.timestampMs?',
        },
      ],
    })
    const cleared = await team.developer.saveTrigger({ fullname, body: trigger(fullname) })
    expect(cleared).not.toHaveProperty('conditions')
  })

  test('providers are encrypted at rest', async () => {
    await save(team.developer, 'acme.p.sealed', {
      providers: [{ id: 'a', type: 'http', url: 'https://example.org/?k=at-rest-1', headers: { h: 'at-rest-2' } }],
    })
    expect(await dumpTables(house.databaseUrl)).not.toMatch(/at-rest-/)
  })

  test('names must fit', async () => {
    const bad = (body: ReturnType<typeof trigger>, code: 'fullname_mismatch' | 'fullname_invalid') =>
      rejects(team.developer.saveTrigger({ fullname: 'acme.p.t', body }), { code, status: 400 })
    await bad(trigger('acme.p.other'), 'fullname_mismatch')
    await bad(trigger('acme.p.t', { name: 'u' }), 'fullname_invalid')
    await bad(trigger('acme.p.t', { workspace: 'other' }), 'fullname_invalid')
    await bad(trigger('acme.p.t', { project: 'acme.open' }), 'fullname_invalid')
    for (const name of ['a b', '-a', 'a..b', 'x'.repeat(129)])
      await rejects(save(team.developer, `acme.p.${name}`), { code: 'fullname_invalid', status: 400 })
    await rejects(save(team.developer, 'acme.none.t'), { code: 'not_found', status: 404 })
  })

  test('an invalid definition is refused with the path of every issue', async () => {
    const structure = await rejects(
      save(team.developer, 'acme.p.bad', { providers: [{ id: 'x', type: 'http' } as never] }),
      {
        code: 'invalid_payload',
        status: 400,
      },
    )
    expect(structure.details?.issues).toMatchObject([{ path: 'providers.0.url' }])
    const script = await rejects(save(team.developer, 'acme.p.bad', { activation: 'return (' }), {
      code: 'invalid_payload',
    })
    expect(script.details?.issues).toMatchObject([{ path: expect.stringContaining('activation') }])
    await rejects(team.developer.getTrigger({ fullname: 'acme.p.bad' }), { code: 'not_found' })
  })

  test('a caller who may not save gets 403 or 404 before the definition is checked', async () => {
    const body = trigger('acme.p.who', { activation: 'return (' })
    await rejects(house.nobody.saveTrigger({ fullname: 'acme.p.who', body }), { code: 'unauthenticated', status: 401 })
    await rejects(team.user.saveTrigger({ fullname: 'acme.p.who', body }), { code: 'forbidden', status: 403 })
    await rejects(team.stranger.saveTrigger({ fullname: 'acme.p.who', body }), { code: 'not_found', status: 404 })
    await rejects(save(team.stranger, 'acme.open.who'), { code: 'forbidden', status: 403 })
  })

  test('of two saves with the same If-Match one wins; If-Match fails if there is no trigger', async () => {
    await save(team.developer, 'acme.p.match')
    for (let round = 0; round < 5; round++) {
      const etag = (await team.developer.whole.getTrigger({ fullname: 'acme.p.match' })).headers.get('etag') ?? ''
      const saves = ['one', 'two'].map((title) =>
        team.developer.saveTrigger({
          fullname: 'acme.p.match',
          ifMatch: etag,
          body: trigger('acme.p.match', { meta: { title } }),
        }),
      )
      const outcomes = await Promise.allSettled(saves)
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'precondition_failed' },
      })
    }
    const fullname = 'acme.p.unmatched'
    const save412 = team.developer.saveTrigger({ fullname, ifMatch: '*', body: trigger(fullname) })
    await rejects(save412, { code: 'precondition_failed', status: 412 })
    await rejects(team.developer.getTrigger({ fullname }), { code: 'not_found' })
  })

  test('a save returns the ETag that the next save needs', async () => {
    const { headers } = await team.developer.whole.saveTrigger({ fullname: 'acme.p.tag', body: trigger('acme.p.tag') })
    const ifMatch = headers.get('etag') ?? ''
    await team.developer.saveTrigger({ fullname: 'acme.p.tag', ifMatch, body: trigger('acme.p.tag') })
    await rejects(team.developer.deleteTrigger({ fullname: 'acme.p.tag', ifMatch }), { code: 'precondition_failed' })
  })

  test('concurrent creations make one trigger', async () => {
    const views = await Promise.all([1, 2, 3, 4, 5].map(() => save(team.developer, 'acme.p.raced')))
    expect(new Set(views.map(({ id }) => id)).size).toBe(1)
    const listed = await team.user.listTriggers({ query: { project: 'acme.p' } })
    expect(listed.filter(({ fullname }) => fullname === 'acme.p.raced')).toHaveLength(1)
  })
})

describe('reading', () => {
  test('people below developer read a trigger without its draft and without fields that may hold a secret', async () => {
    const fullname = 'acme.open.secret'
    await save(team.developer, fullname, {
      providers: [
        {
          id: 'a',
          type: 'http',
          url: 'https://user:pass@example.org/v3/path-key?key=query-key',
          method: 'POST',
          headers: { authorization: 'header-key' },
          queryParams: { key: 'param-key' },
          body: { key: 'body-key' },
        },
        { id: 'b', type: 'graphql', url: 'https://example.org/', query: '{ a }', variables: { key: 'variable-key' } },
        { id: 'c', type: 'http', url: 'https://{{inputs.host}}/secret-key' },
        {
          id: 'd',
          type: 'rpc',
          url: 'https://rpc.example.org/x-key',
          method: 'a-key',
          params: ['p-key'],
          body: 'b-key',
        },
        { id: 'e', type: 'rpc', transport: 'source', method: 'eth_call', params: ['p-key'], optional: true },
        { id: 'f', type: 'javascript', source: '"script-key"', variables: { a: 'v-key' }, weight: 3, timeoutMs: 50 },
        {
          ...{ id: 'g', type: 'evm_read', contract: `0x${'a'.repeat(40)}`, method: 'f', source: 'common.ethereum' },
          ...{ abiFragment: 'function f(string) view returns (uint256)', args: ['arg-key'], outputSchema: 'string' },
        },
        { id: 'h', type: 'substrate_storage', module: 'System', entry: 'Account', args: ['arg-key'], block: 1 },
        { id: 'i', type: 'state_window', dedupeBy: 'd-key', value: 'v-key', keepLast: 2, partitionBy: 'p-key' },
      ],
      inputs: { host: 'string' },
    })
    await team.developer.saveTriggerDraft({ fullname, body: trigger(fullname) })
    for (const reader of [team.stranger, team.user]) {
      const seen = await reader.getTrigger({ fullname })
      expect(JSON.stringify(seen)).not.toMatch(/-key|pass/)
      expect(seen.providers).toEqual([
        { id: 'a', type: 'http', url: 'example.org' },
        { id: 'b', type: 'graphql', url: 'example.org' },
        { id: 'c', type: 'http', url: '{{inputs.host}}' },
        { id: 'd', type: 'rpc', url: 'rpc.example.org' },
        { id: 'e', type: 'rpc' },
        { id: 'f', type: 'javascript', weight: 3, timeoutMs: 50 },
        {
          ...{ id: 'g', type: 'evm_read', outputSchema: 'string', source: 'common.ethereum' },
          ...{ contract: `0x${'a'.repeat(40)}`, method: 'f' },
        },
        { id: 'h', type: 'substrate_storage', module: 'System', entry: 'Account' },
        { id: 'i', type: 'state_window' },
      ])
      expect(seen).toMatchObject({ public: true, hasProviders: true, hasDraft: false, draft: { exists: false } })
      expect(await reader.listTriggers({ query: { project: 'acme.open' } })).toMatchObject([
        { fullname, hasDraft: false },
      ])
    }
    for (const member of [team.owner, team.developer]) {
      const whole = await member.getTrigger({ fullname })
      expect(whole.providers[0]).toMatchObject({ headers: { authorization: 'header-key' }, body: { key: 'body-key' } })
      expect(whole).toMatchObject({ hasDraft: true, draft: { exists: true, savedBy: team.developer.id } })
    }
    await team.developer.deleteTrigger({ fullname })
  })

  test('a private trigger looks like a missing one to strangers', async () => {
    await save(team.developer, 'acme.p.hidden')
    await rejects(team.stranger.getTrigger({ fullname: 'acme.p.hidden' }), { code: 'not_found', status: 404 })
    await rejects(team.stranger.getTrigger({ fullname: 'acme.p.none' }), { code: 'not_found', status: 404 })
    await rejects(house.nobody.getTrigger({ fullname: 'acme.p.hidden' }), { code: 'unauthenticated', status: 401 })
  })

  test('lists contain triggers of readable projects only, sorted by fullname, filtered and paged', async () => {
    const other = await house.team('other')
    await other.owner.saveProject({ fullname: 'other.p', body: project('other.p') })
    await other.owner.saveProject({ fullname: 'other.free', body: project('other.free', { accessLevel: 'free' }) })
    for (const name of ['other.p.b', 'other.p.a', 'other.free.c']) await save(other.owner, name)
    const names = async (person: Person, query: Parameters<Person['listTriggers']>[0]) =>
      (await person.listTriggers(query)).map(({ fullname }) => fullname)
    const all = { query: { workspace: 'other' } }
    expect(await names(other.user, all)).toEqual(['other.free.c', 'other.p.a', 'other.p.b'])
    expect(await names(other.user, { query: { project: 'other.p' } })).toEqual(['other.p.a', 'other.p.b'])
    expect(await names(other.user, { query: { project: 'other.p', workspace: 'acme' } })).toEqual([])
    expect(await names(team.owner, all)).toEqual(['other.free.c'])
    expect(await names(team.owner, {})).not.toContain('other.p.a')
    await rejects(team.owner.listTriggers({ query: { project: 'other.p' } }), { code: 'not_found', status: 404 })
    await rejects(team.owner.listTriggers({ query: { limit: 0 } }), { code: 'invalid_query', status: 400 })
    await rejects(house.nobody.listTriggers(), { code: 'unauthenticated', status: 401 })
    const first = await other.user.whole.listTriggers({ query: { workspace: 'other', limit: 2 } })
    const link = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1]
    const cursor = new URL(link ?? '', house.url).searchParams.get('cursor') ?? ''
    const second = await other.user.whole.listTriggers({ query: { workspace: 'other', limit: 2, cursor } })
    expect(second.body.map(({ fullname }) => fullname)).toEqual(['other.p.b'])
    expect(second.headers.get('link')).toBeNull()
  })

  test('an old name finds the trigger for reads only', async () => {
    const giver = await house.person('giver')
    await giver.saveWorkspace({ fullname: 'old', body: { fullname: 'old' } })
    await giver.saveProject({ fullname: 'old.p', body: project('old.p') })
    const { id } = await save(giver, 'old.p.renamed')
    const offer = { targetWorkspace: 'acme', targetName: 'taken-over' }
    const request = await giver.createTransferRequest({ fullname: 'old.p', body: offer })
    await team.owner.acceptTransfer({ id: request.id })
    const fullname = 'acme.taken-over.renamed'
    expect(await team.user.getTrigger({ fullname: 'old.p.renamed' })).toMatchObject({ id, fullname })
    expect(await team.developer.getTriggerDraft({ fullname: 'old.p.renamed' })).toMatchObject({ id, fullname })
    await rejects(team.stranger.getTrigger({ fullname: 'old.p.renamed' }), { code: 'not_found' })
    await rejects(team.developer.deleteTrigger({ fullname: 'old.p.renamed' }), { code: 'not_found' })
  })
})

describe('deleting', () => {
  test('deletes the draft too and frees the name', async () => {
    const fullname = 'acme.p.gone'
    const { id } = await save(team.developer, fullname)
    await team.developer.saveTriggerDraft({ fullname, body: trigger(fullname) })
    await rejects(house.nobody.deleteTrigger({ fullname }), { code: 'unauthenticated', status: 401 })
    await rejects(team.user.deleteTrigger({ fullname }), { code: 'forbidden', status: 403 })
    await rejects(team.stranger.deleteTrigger({ fullname }), { code: 'not_found', status: 404 })
    expect(await team.developer.deleteTrigger({ fullname })).toEqual({ ok: true })
    await rejects(team.developer.deleteTrigger({ fullname }), { code: 'not_found', status: 404 })
    await rejects(team.developer.getTriggerDraft({ fullname }), { code: 'not_found', status: 404 })
    expect((await save(team.developer, fullname)).id).not.toBe(id)
  })
})

describe('status', () => {
  test('only an edit of the definition sets not_tested, and status.updatedAt changes only with the status', async () => {
    const fullname = 'acme.p.status'
    const ready = await save(team.developer, fullname, { status: { status: 'ready' } })
    expect(ready.status).toMatchObject({ status: 'ready', source: 'test' })
    house.clock.advance(1000)
    const told = await save(team.developer, fullname, {
      meta: { title: 'x' },
      tags: ['t'],
      labels: { a: 'b' },
      defaults: { title: 'x' },
    })
    expect(told.status).toEqual(ready.status)
    const edited = await save(team.developer, fullname, { triggerSpec: { type: 'timer', interval: '2m' } })
    expect(edited.status).toMatchObject({ status: 'not_tested', source: 'edit' })
    expect(edited.status.updatedAt > ready.status.updatedAt).toBe(true)
    house.clock.advance(1000)
    const again = await save(team.developer, fullname, { triggerSpec: { type: 'timer', interval: '3m' } })
    expect(again.status).toEqual(edited.status)
  })

  test.each([
    ['triggerSpec', { triggerSpec: { type: 'timer', interval: '9m' } }],
    ['providers', { providers: [{ id: 'a', type: 'http', url: 'https://example.org' }] }],
    ['transform', { transform: 'source' }],
    ['activation', { activation: 'true' }],
    ['inputs', { inputs: { a: 'string' } }],
    ['filtersSchema', { filtersSchema: { a: 'string' } }],
    ['outputSchema', { outputSchema: { a: 'string' } }],
    ['backend', { backend: { type: 'sdk', values: { a: 1 } } }],
    ['executionPolicy', { executionPolicy: { timeoutMs: 200 } }],
  ] as const)('%s is part of the definition', async (name, extra) => {
    const fullname = `acme.p.behaves-${name.toLowerCase()}`
    await save(team.developer, fullname, { status: { status: 'ready' } })
    const edited = { ...trigger(fullname), ...extra } as ReturnType<typeof trigger>
    expect((await team.developer.saveTrigger({ fullname, body: edited })).status.status).toBe('not_tested')
    // A view that is sent back with its old status is not a test result.
    await save(team.developer, fullname, { status: { status: 'ready' } })
    const read = await team.developer.getTrigger({ fullname })
    const sentBack = await team.developer.saveTrigger({ fullname, body: { ...edited, status: read.status } })
    expect(sentBack.status.status).toBe('not_tested')
  })

  test('a client can set the status to its test result, and to nothing else', async () => {
    const fullname = 'acme.p.told'
    const broken = await save(team.developer, fullname, {
      status: { status: 'broken', issue: 'no answer', source: 'runtime' },
    })
    expect(broken.status).toMatchObject({ status: 'broken', issue: 'no answer', source: 'test' })
    for (const status of ['warning', 'limited', 'blocked'] as const)
      expect((await save(team.developer, fullname, { status: { status } })).status).toEqual(broken.status)
    expect((await save(team.developer, fullname, { status: { status: 'not_tested' } })).status).toMatchObject({
      status: 'not_tested',
    })
    await rejects(save(team.developer, fullname, { status: { status: 'great' } as never }), { code: 'invalid_payload' })
  })

  test('an event with unknown indexed inputs sets a warning, until another definition or a failure', async () => {
    await team.owner.saveCustomSource({ fullname: 'acme.marks', body: customSource('acme.marks') })
    const fullname = 'acme.p.unmarked'
    const paid = (event: string, extra: Parameters<typeof trigger>[1] = {}) =>
      save(team.developer, fullname, { triggerSpec: { type: 'evm_log', dataSource: 'acme.marks', event }, ...extra })
    const unmarked = 'Paid(address,uint256)'
    const warning = {
      status: 'warning',
      reasonCode: 'trigger.unmarked_event',
      issue: expect.stringContaining('Paid(address indexed arg0, uint256 arg1)'),
      source: 'edit',
      updatedAt: expect.any(String),
    }
    const { status } = await paid(unmarked)
    expect(status).toEqual(warning)
    expect((await paid(unmarked, { status: { status: 'ready' } })).status).toEqual(status)
    expect((await team.developer.resetTriggerTestStatus({ fullname })).updated).toBe(false)
    expect((await paid(unmarked, { status: { status: 'broken' } })).status).toMatchObject({ status: 'broken' })
    expect((await team.developer.resetTriggerTestStatus({ fullname })).trigger.status).toEqual(status)

    const { id } = await team.developer.getTrigger({ fullname })
    const { triggerStatuses } = house.service.store
    await triggerStatuses.move(id, { kind: 'runs_failed', issue: 'it threw' }, house.clock.now())
    await triggerStatuses.move(id, { kind: 'run_succeeded' }, house.clock.now())
    await triggerStatuses.move(id, { kind: 'pressure_rose', level: 'limited', issue: 'too many' }, house.clock.now())
    await triggerStatuses.move(id, { kind: 'pressure_ended' }, house.clock.now())
    expect((await team.developer.getTrigger({ fullname })).status).toEqual(status)
    expect((await paid('Paid(address indexed who, uint256 amount)')).status.status).toBe('not_tested')
    expect((await paid('Transfer(address,address,uint256)')).status.status).toBe('not_tested')
  })

  test('reset sets not_tested and reports whether it changed anything', async () => {
    const fullname = 'acme.p.reset'
    await save(team.developer, fullname, { status: { status: 'broken', issue: 'x' } })
    const reset = await team.developer.resetTriggerTestStatus({ fullname })
    expect(reset).toMatchObject({ fullname, dryRun: false, updated: true, changedPaths: ['status'] })
    expect(reset.trigger.status).toEqual({ status: 'not_tested', source: 'edit', updatedAt: expect.any(String) })
    expect(await team.developer.getTrigger({ fullname })).toEqual(reset.trigger)
    expect(await team.developer.resetTriggerTestStatus({ fullname })).toMatchObject({
      updated: false,
      changedPaths: [],
    })
    await rejects(house.nobody.resetTriggerTestStatus({ fullname }), { code: 'unauthenticated', status: 401 })
    await rejects(team.user.resetTriggerTestStatus({ fullname }), { code: 'forbidden', status: 403 })
    await rejects(team.stranger.resetTriggerTestStatus({ fullname }), { code: 'not_found', status: 404 })
  })
})

describe('sources', () => {
  const missing = {
    status: 'broken',
    source: 'dependency',
    reasonCode: 'trigger.source_missing',
    issue: expect.any(String),
  }

  test('a data source that the caller cannot read makes the trigger broken, and the save succeeds', async () => {
    const fullname = 'acme.p.nosource'
    const lost = await save(team.developer, fullname, {
      triggerSpec: erc20('acme.nowhere'),
      status: { status: 'ready' },
    })
    expect(lost.status).toMatchObject(missing)
    house.clock.advance(1000)
    expect(
      (await save(team.developer, fullname, { triggerSpec: erc20('acme.nowhere'), meta: { title: 'x' } })).status,
    ).toEqual(lost.status)
    const other = await house.team('foreign')
    await other.owner.saveCustomSource({ fullname: 'foreign.chain', body: customSource('foreign.chain') })
    expect((await save(team.developer, fullname, { triggerSpec: erc20('foreign.chain') })).status).toMatchObject(
      missing,
    )
    expect((await save(team.developer, fullname)).status).toMatchObject({ status: 'not_tested' })
  })

  test('the status follows a source that appears, fails and recovers, but only for triggers that may read it', async () => {
    const { triggerStatuses } = house.service.store
    const statusOf = async (fullname: string) => (await team.developer.getTrigger({ fullname })).status
    await save(team.developer, 'acme.p.early', { triggerSpec: erc20('acme.chain') })
    const other = await house.team('curious')
    await other.owner.saveProject({ fullname: 'curious.p', body: project('curious.p') })
    await save(other.owner, 'curious.p.early', { triggerSpec: erc20('acme.chain') })
    await team.developer.saveCustomSource({ fullname: 'acme.chain', body: customSource('acme.chain') })
    await triggerStatuses.restoreBySource('acme.chain', house.clock.now())
    expect(await statusOf('acme.p.early')).toMatchObject({ status: 'not_tested' })
    expect((await other.owner.getTrigger({ fullname: 'curious.p.early' })).status).toMatchObject(missing)
    const ready = { triggerSpec: erc20('acme.chain'), status: { status: 'ready' as const } }
    expect((await save(team.developer, 'acme.p.early', ready)).status.status).toBe('ready')
    await triggerStatuses.breakBySource('acme.chain', 'it is in error', house.clock.now())
    expect(await statusOf('acme.p.early')).toMatchObject({
      status: 'broken',
      source: 'dependency',
      issue: 'it is in error',
    })
    expect((await save(team.developer, 'acme.p.early', ready)).status.status).toBe('broken')
    await triggerStatuses.restoreBySource('acme.chain', house.clock.now())
    expect(await statusOf('acme.p.early')).toMatchObject({ status: 'not_tested' })
  })

  test('a trigger without a spec listens to a stream: it is broken while the stream is missing', async () => {
    const backend = { type: 'sdk', trigger: 'acme.p.upstream' } as const
    const listener = { triggerSpec: null, backend }
    expect((await save(team.developer, 'acme.p.listener', listener)).status).toMatchObject(missing)
    await save(team.developer, 'acme.p.upstream')
    const statusOf = async () => (await team.developer.getTrigger({ fullname: 'acme.p.listener' })).status
    expect(await statusOf()).toMatchObject({ status: 'not_tested' })
    await team.developer.deleteTrigger({ fullname: 'acme.p.upstream' })
    expect(await statusOf()).toMatchObject({ status: 'broken', source: 'dependency' })
    const events = { triggerSpec: null, backend: { type: 'sdk', trigger: 'acme.nowhere.events' } } as const
    expect((await save(team.developer, 'acme.p.listener', events)).status).toMatchObject(missing)
    await team.developer.saveCustomSource({ fullname: 'acme.stream', body: customSource('acme.stream') })
    const found = { triggerSpec: null, backend: { type: 'sdk', trigger: 'acme.stream.events' } } as const
    expect((await save(team.developer, 'acme.p.listener', found)).status).toMatchObject({ status: 'not_tested' })
  })
})

describe('backends', () => {
  test('a word that cannot be the name of a stream is kept and breaks nothing', async () => {
    const fullname = 'acme.p.labelled'
    for (const stream of ['erc20-transfer', 'core.timer', '']) {
      const backend = { type: 'sdk', trigger: stream, values: {} } as const
      const view = await save(team.developer, fullname, { triggerSpec: null, backend, status: { status: 'ready' } })
      expect(view).toMatchObject({ backend, status: { status: 'ready' } })
      const body = trigger(fullname, { triggerSpec: null, backend })
      expect(await team.developer.validateTriggerDraft({ fullname, body })).toMatchObject({ valid: true, issues: [] })
    }
  })
})

describe('catalogues', () => {
  test('core actions are listed for every signed-in account', async () => {
    const { actions } = await team.stranger.listCoreActions()
    expect(actions.length).toBeGreaterThanOrEqual(14)
    await rejects(house.nobody.listCoreActions(), { code: 'unauthenticated', status: 401 })
  })

  test('template helpers need no account and may be cached', async () => {
    const { body, headers } = await house.nobody.whole.getTemplateHelpers()
    const names = body.templating.helpers.map(({ name }) => name)
    expect(names.join(' ')).toBe(
      'if unless each with lookup round format substr address make includes lowercase uppercase titlecase oneline yaml explorer token number usd eq gt lt and or not percent duration block name event values decided',
    )
    expect(headers.get('cache-control')).toMatch(/public/)
  })
})

describe('try-outs', () => {
  const triggerSpec = { type: 'timer', interval: '1m' } as const
  const definition = { triggerSpec, providers: [], transform: 'source', outputSchema: {} }
  const calls = (
    person: Pick<Person, 'previewTrigger' | 'testTrigger' | 'testTriggerBlock' | 'testProvider' | 'findLatestBlock'>,
    dataSource: string,
  ) => {
    const spec = erc20(dataSource)
    const provider = {
      id: 'a',
      type: 'evm_read',
      contract: '0x',
      method: 'm',
      abiFragment: 'x',
      source: dataSource,
    } as const
    return [
      person.previewTrigger({ body: { providers: [provider], transform: 'source', input: {} } }),
      person.testTrigger({ body: { ...definition, triggerSpec: spec, input: {} } }),
      person.testTrigger({ body: { ...definition, providers: [provider], input: {} } }),
      person.testTriggerBlock({ body: { ...definition, triggerSpec: spec, block: 1 } }),
      person.testProvider({ body: { triggerSpec, provider } }),
      person.findLatestBlock({ body: { triggerSpec: spec } }),
    ]
  }

  const all = (calls: Promise<unknown>[], refusal: Parameters<typeof rejects>[1]) =>
    Promise.all(calls.map((call) => rejects(call, refusal)))

  test('are open to every account for everything that it may read', async () => {
    const provider = { id: 'a', type: 'javascript', source: '1' } as const
    const answers = await Promise.all([
      team.stranger.previewTrigger({ body: { providers: [], transform: 'source', input: {} } }),
      team.stranger.testTrigger({ body: { ...definition, input: {} } }),
      team.stranger.testProvider({ body: { triggerSpec, provider, project: 'acme.open' } }),
      team.user.testProvider({ body: { triggerSpec, provider, project: 'acme.p', workspace: 'acme' } }),
      team.stranger.findLatestBlock({ body: { triggerSpec } }),
    ])
    for (const { valid, issues } of answers) expect({ valid, issues }).toEqual({ valid: true, issues: [] })
  })

  test('need read access to everything that the payload names', async () => {
    const body = customSource('acme.closed', { endpoints: ['http://127.0.0.1:9'] })
    await team.owner.saveCustomSource({ fullname: 'acme.closed', body })
    await all(calls(team.stranger, 'acme.closed'), { code: 'not_found', status: 404 })
    for (const call of calls(team.user, 'acme.closed')) expect(await call).toHaveProperty('valid')
    await all(calls(house.nobody, 'acme.closed'), { code: 'unauthenticated', status: 401 })
    const provider = { id: 'a', type: 'javascript', source: '1' } as const
    const named = (extra: { project?: string; workspace?: string }) =>
      team.stranger.testProvider({ body: { triggerSpec, provider, ...extra } })
    await rejects(named({ project: 'acme.p' }), { code: 'not_found' })
    await rejects(named({ workspace: 'acme' }), { code: 'not_found' })
  })

  test('refuse an invalid payload first', async () => {
    const bad = [
      team.user.previewTrigger({ body: { providers: 'x' } as never }),
      team.user.testTrigger({ body: { ...definition } }),
      team.user.testTriggerBlock({ body: { ...definition } as never }),
      team.user.testProvider({ body: { triggerSpec } as never }),
      team.user.findLatestBlock({ body: { triggerSpec, maxBlocks: 1001 } }),
    ]
    await all(bad, { code: 'invalid_payload', status: 400 })
  })
})
