import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dumpTables } from './harness/dump.ts'
import { customSource, type Harness, harness, project, rejects, type Team, trigger } from './harness/index.ts'

let house: Harness
let team: Team

beforeAll(async () => {
  house = await harness()
  team = await house.team('acme')
})
afterAll(() => house.close())

const endpoint = 'https://rpc.example.org/v1/key-123'
const save = (fullname: string, extra: Parameters<typeof customSource>[1] = {}, who = team.developer) =>
  who.saveCustomSource({ fullname, body: customSource(fullname, extra) })
const update = (fullname: string, extra: Parameters<typeof customSource>[1] = {}, who = team.developer) =>
  save(fullname, { mode: 'update', ...extra }, who)
async function idOf(fullname: string): Promise<string> {
  return (await team.owner.getCustomSource({ fullname })).id
}

describe('saving', () => {
  test('creates a pending source and returns what was sent, without invented values', async () => {
    const created = await save('acme.plain')
    expect(created).toMatchObject({
      name: 'plain',
      fullname: 'acme.plain',
      workspace: 'acme',
      public: false,
      kind: 'evm',
      endpoints: [endpoint],
      meta: { title: 'acme.plain' },
      status: { status: 'pending' },
      revision: 1,
    })
    const optional = ['batchMaxCount', 'blockProcessingConcurrency', 'maxQueuedBlocks', 'substrate', 'runtime']
    for (const field of optional) expect(created).not.toHaveProperty(field)
    expect(created.status).not.toHaveProperty('previousStatus')
    expect(await team.developer.getCustomSource({ fullname: 'acme.plain' })).toEqual(created)
  })

  test('keeps all fields, and a full save clears omitted fields', async () => {
    const extra = {
      kind: 'substrate' as const,
      endpoints: ['wss://a.example.org/x', 'ws://b.example.org'],
      batchMaxCount: 100,
      blockProcessingConcurrency: 32,
      maxQueuedBlocks: 100_000,
      verify: 'receipts' as const,
      explorer: { name: 'Scan', url: 'https://scan.example.org/?cluster=mine' },
      nativeCurrency: { name: 'Mine', symbol: 'MIN', decimals: 12 },
      substrate: { extensions: { types: { Weight: 'u64' }, rpc: [] } },
      meta: { title: 'Full', description: 'All of it', icons: { default: 'https://example.org/i.png' } },
    }
    expect(await save('acme.full', extra)).toMatchObject(extra)
    const cleared = await update('acme.full', { kind: 'substrate' })
    expect(cleared).toMatchObject({ revision: 2, status: { status: 'pending', previousStatus: 'pending' } })
    for (const field of ['batchMaxCount', 'verify', 'substrate']) expect(cleared).not.toHaveProperty(field)
    expect(cleared.meta).toEqual({ title: 'acme.full' })
  })

  test('the longer form of a fullname is kept as given', async () => {
    const created = await save('acme.source.long')
    expect(created).toMatchObject({ fullname: 'acme.source.long', name: 'long', workspace: 'acme' })
    expect(await team.user.getCustomSource({ fullname: 'acme.source.long' })).toMatchObject({ name: 'long' })
  })

  test('mode create refuses an existing source, mode update a missing one', async () => {
    await rejects(update('acme.absent'), { code: 'not_found', status: 404 })
    await save('acme.present')
    await rejects(save('acme.present'), { code: 'already_exists', status: 409 })
    expect((await team.owner.getCustomSource({ fullname: 'acme.present' })).revision).toBe(1)
  })

  test('of concurrent creations one wins', async () => {
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => save('acme.raced')))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(lost.map(({ code }) => code)).toEqual(['already_exists', 'already_exists', 'already_exists'])
  })

  test('of updates with the same If-Match one wins', async () => {
    await save('acme.matched')
    const ifMatch = (await team.owner.whole.getCustomSource({ fullname: 'acme.matched' })).headers.get('etag') ?? ''
    const body = customSource('acme.matched', { mode: 'update' })
    const outcomes = await Promise.allSettled(
      [1, 2].map(() => team.owner.saveCustomSource({ fullname: 'acme.matched', ifMatch, body })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await rejects(team.owner.deleteCustomSource({ fullname: 'acme.matched', ifMatch }), { code: 'precondition_failed' })
    expect((await team.owner.getCustomSource({ fullname: 'acme.matched' })).revision).toBe(2)
  })

  test('the kind never changes', async () => {
    await save('acme.kind')
    await rejects(update('acme.kind', { kind: 'solana' }), { code: 'immutable_field', status: 400 })
  })

  test('path and payload must have the same name', async () => {
    const body = customSource('acme.fits')
    await rejects(team.owner.saveCustomSource({ fullname: 'acme.not', body }), {
      code: 'fullname_mismatch',
      status: 400,
    })
    const invalid = [
      { ...body, fullname: 'acme.not' },
      { ...body, fullname: 'acme.other.fits' },
      { ...body, workspace: 'rival' },
      { ...body, fullname: 'acme.Up', name: 'Up' },
    ]
    for (const body of invalid)
      await rejects(team.owner.saveCustomSource({ fullname: body.fullname, body }), {
        code: 'fullname_invalid',
        status: 400,
      })
  })

  test.each([
    ['endpoints', { endpoints: [] }],
    ['endpoints', { endpoints: Array.from({ length: 11 }, (_, n) => `https://example.org/${n}`) }],
    ['endpoints.0', { endpoints: ['ftp://example.org'] }],
    ['endpoints.0', { endpoints: ['example.org'] }],
    ['kind', { kind: 'bitcoin' }],
    ['mode', { mode: 'replace' }],
    ['batchMaxCount', { batchMaxCount: 0 }],
    ['batchMaxCount', { batchMaxCount: 101 }],
    ['blockProcessingConcurrency', { blockProcessingConcurrency: 33 }],
    ['maxQueuedBlocks', { maxQueuedBlocks: 100_001 }],
    ['maxQueuedBlocks', { maxQueuedBlocks: 1.5 }],
    ['verify', { verify: 'everything' }],
    ['meta.title', { meta: {} }],
  ])('an invalid %s is refused: %j', async (path, extra) => {
    const error = await rejects(save('acme.bad', extra as never), { code: 'invalid_payload', status: 400 })
    expect(error.details).toMatchObject({ issues: [{ path }] })
  })

  test('a second public source of a known network is refused', async () => {
    const { store } = house.service
    await save('acme.net-a', { public: true })
    await save('acme.net-b')
    for (const fullname of ['acme.net-a', 'acme.net-b'])
      await store.customSources.setRuntime(await idOf(fullname), { chainId: '777', latestBlock: 1, processedBlock: 1 })
    await rejects(update('acme.net-b', { public: true }), { code: 'duplicate_source', status: 409 })
    const { mode, ...payload } = customSource('acme.net-b', { public: true })
    const body = { stack: 'nets', entities: [{ kind: 'source' as const, payload }] }
    const { issues } = await team.owner.planStack({ fullname: 'acme', body })
    const message = '"acme.net-a" is already a public source of this network.'
    expect(issues).toEqual([{ kind: 'source', fullname: 'acme.net-b', path: '', message }])
    await update('acme.net-b')
    await update('acme.net-a', { public: true })
    await update('acme.net-a', { public: false })
    await update('acme.net-b', { public: true })
  })
})

describe('access', () => {
  test('developers and above save; users and strangers do not', async () => {
    for (const person of [team.owner, team.admin, team.developer]) {
      const name = `acme.by-${person.email.split('-')[0]}`
      await save(name, {}, person)
      await update(name, {}, person)
    }
    await rejects(save('acme.by-user', {}, team.user), { code: 'forbidden', status: 403 })
    await rejects(save('acme.by-stranger', {}, team.stranger), { code: 'not_found', status: 404 })
    const body = customSource('acme.by-nobody')
    const unsigned = house.nobody.saveCustomSource({ fullname: 'acme.by-nobody', body })
    await rejects(unsigned, { code: 'unauthenticated', status: 401 })
  })

  test('developers see full endpoints, users see hosts, and others see hosts only of public sources', async () => {
    const endpoints = [endpoint, 'wss://user:pass@node.example.org:9944/path?key=1']
    await save('acme.hidden', { endpoints })
    await save('acme.shown', { endpoints, public: true })
    const hosts = ['rpc.example.org', 'node.example.org:9944']
    for (const fullname of ['acme.hidden', 'acme.shown']) {
      for (const person of [team.owner, team.admin, team.developer])
        expect((await person.getCustomSource({ fullname })).endpoints).toEqual(endpoints)
      expect((await team.user.getCustomSource({ fullname })).endpoints).toEqual(hosts)
    }
    expect((await team.stranger.getCustomSource({ fullname: 'acme.shown' })).endpoints).toEqual(hosts)
    await rejects(team.stranger.getCustomSource({ fullname: 'acme.hidden' }), { code: 'not_found', status: 404 })
    await rejects(house.nobody.getCustomSource({ fullname: 'acme.shown' }), { code: 'unauthenticated', status: 401 })
  })

  test('each action needs its level; strangers get 403 for a public source and 404 for a private one', async () => {
    await save('acme.acted')
    await save('acme.acted-public', { public: true })
    type Caller = typeof team.owner | typeof house.nobody
    const actions = [
      (who: Caller, fullname: string) => who.restartCustomSource({ fullname, body: {} }),
      (who: Caller, fullname: string) => who.resetCustomSourceLag({ fullname, body: {} }),
      (who: Caller, fullname: string) => who.testCustomSourceStatus({ fullname, body: { type: 'error' } }),
      (who: Caller, fullname: string) => who.getCustomSourceLogs({ fullname }),
      (who: Caller, fullname: string) => who.deleteCustomSource({ fullname }),
      (who: Caller, fullname: string) =>
        who.saveCustomSource({ fullname, body: customSource(fullname, { mode: 'update' }) }),
    ]
    for (const act of actions) {
      await rejects(act(team.user, 'acme.acted'), { code: 'forbidden', status: 403 })
      await rejects(act(team.stranger, 'acme.acted'), { code: 'not_found', status: 404 })
      await rejects(act(team.stranger, 'acme.acted-public'), { code: 'forbidden', status: 403 })
      await rejects(act(team.owner, 'acme.no-such'), { code: 'not_found', status: 404 })
      await rejects(act(house.nobody, 'acme.acted'), { code: 'unauthenticated', status: 401 })
    }
    await rejects(team.developer.deleteCustomSource({ fullname: 'acme.acted' }), { code: 'forbidden', status: 403 })
    expect((await team.owner.getCustomSource({ fullname: 'acme.acted' })).revision).toBe(1)
  })
})

describe('lists', () => {
  test('show the sources that the caller may read, filtered by workspace, without endpoints', async () => {
    const crew = await house.team('crew')
    await save('crew.b', {}, crew.owner)
    await save('crew.a', { public: true }, crew.owner)
    const names = async (who: typeof team.owner, workspace?: string) =>
      (await who.listCustomSources({ query: { workspace } })).map(({ fullname }) => fullname)
    expect(await names(crew.user, 'crew')).toEqual(['crew.a', 'crew.b'])
    expect(await names(team.stranger, 'crew')).toEqual(['crew.a'])
    expect(await names(team.stranger, 'no-such-workspace')).toEqual([])
    const all = await names(crew.user)
    expect(all).toEqual([...all].sort())
    expect(all).toEqual(expect.arrayContaining(['crew.a', 'crew.b']))
    expect(JSON.stringify(await crew.owner.listCustomSources())).not.toContain('rpc.example.org')
    await rejects(house.nobody.listCustomSources(), { code: 'unauthenticated', status: 401 })
    await rejects(team.user.listCustomSources({ query: { limit: 1001 } }), { code: 'invalid_query', status: 400 })
  })

  test('are paged', async () => {
    const pager = await house.team('pager')
    for (const name of ['a', 'b', 'c']) await save(`pager.${name}`, {}, pager.owner)
    const query = { workspace: 'pager', limit: 2 }
    const { body, headers } = await pager.user.whole.listCustomSources({ query })
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? ''
    const cursor = new URL(next, house.url).searchParams.get('cursor') ?? ''
    const rest = await pager.user.listCustomSources({ query: { ...query, cursor } })
    expect([...body, ...rest].map(({ fullname }) => fullname)).toEqual(['pager.a', 'pager.b', 'pager.c'])
  })
})

describe('the operator’s limit', () => {
  test('is off by default', async () => {
    const fresh = await house.person('fresh')
    expect(await fresh.getCustomSourceCreateCapability()).toEqual({
      canCreateCustomSources: true,
      customSourcesUsed: 0,
      customSourcesLimit: null,
    })
    await rejects(house.nobody.getCustomSourceCreateCapability(), { code: 'unauthenticated', status: 401 })
  })

  test('counts the workspaces where the account may create, also when creations race', async () => {
    const limited = await harness({ LIMIT_CUSTOM_SOURCES: '2' })
    try {
      const { owner, developer, user } = await limited.team('acme')
      const spaces = ['one', 'two', 'three', 'four']
      for (const fullname of spaces) await owner.saveWorkspace({ fullname, body: { fullname } })
      const outcomes = await Promise.allSettled(spaces.map((space) => save(`${space}.src`, {}, owner)))
      const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      expect(lost).toMatchObject([
        { code: 'limit_reached', status: 403, details: { limit: 2, used: 2 } },
        { code: 'limit_reached', status: 403, details: { limit: 2, used: 2 } },
      ])
      const capability = { canCreateCustomSources: false, customSourcesUsed: 2, customSourcesLimit: 2 }
      expect(await owner.getCustomSourceCreateCapability()).toEqual(capability)
      await save('acme.a', {}, developer)
      expect(await developer.getCustomSourceCreateCapability()).toMatchObject({ customSourcesUsed: 1 })
      expect(await user.getCustomSourceCreateCapability()).toMatchObject({ customSourcesUsed: 0 })
      await update('acme.a', {}, owner)
    } finally {
      await limited.close()
    }
  })
})

describe('logs', () => {
  test('list saves, restarts and lag resets, newest first', async () => {
    await save('acme.told')
    await update('acme.told')
    await team.developer.restartCustomSource({ fullname: 'acme.told' })
    await team.developer.resetCustomSourceLag({ fullname: 'acme.told' })
    const { entries, hasMore } = await team.developer.getCustomSourceLogs({ fullname: 'acme.told' })
    expect(entries.map(({ message }) => message)).toEqual(['Lag reset', 'Restarted', 'Saved', 'Created'])
    expect(entries[1]).toMatchObject({ level: 'info', details: { revision: 3 } })
    expect(hasMore).toBe(false)
    expect(JSON.stringify(entries)).not.toContain('key-123')
  })

  test('are paged in both directions without repeated or missing lines', async () => {
    await save('acme.long-log')
    const sourceId = await idOf('acme.long-log')
    const { store } = house.service
    const at = house.clock.now()
    for (let n = 1; n <= 119; n++) await store.sourceLogs.add(sourceId, { level: 'info', message: `line ${n}` }, at)
    const read = (query: Parameters<typeof team.owner.getCustomSourceLogs>[0]['query']) =>
      team.developer.getCustomSourceLogs({ fullname: 'acme.long-log', query })
    for (const direction of ['before', 'after'] as const) {
      const first = await read({ limit: '50', direction })
      const second = await read({ limit: '50', direction, datetime: first.entries.at(-1)?.at })
      const third = await read({ limit: '50', direction, datetime: second.entries.at(-1)?.at })
      expect([first, second, third].map(({ hasMore }) => hasMore)).toEqual([true, true, false])
      const messages = [first, second, third].flatMap(({ entries }) => entries.map(({ message }) => message))
      const expected = ['Created', ...Array.from({ length: 119 }, (_, n) => `line ${n + 1}`)]
      expect(messages).toEqual(direction === 'after' ? expected : expected.reverse())
    }
    const defaults = await read({})
    expect(defaults.entries).toHaveLength(100)
    expect(defaults.hasMore).toBe(true)
    expect(defaults.entries[0]?.message).toBe('line 119')
    const exact = await read({ limit: '50', datetime: '0000-01-01T00:00:00Z' })
    expect(exact).toEqual({ entries: [], hasMore: false })
    expect((await read({ direction: 'after', datetime: '9999-12-31T23:59:59-23:00' })).entries).toEqual([])
  })

  test('a level means that level and above', async () => {
    await save('acme.levels')
    const sourceId = await idOf('acme.levels')
    const { store, clock } = { store: house.service.store, clock: house.clock }
    for (const level of ['info', 'warn', 'error'] as const)
      await store.sourceLogs.add(sourceId, { level, message: `a ${level}` }, clock.now())
    const messages = async (level?: 'info' | 'warn' | 'error') => {
      const { entries } = await team.owner.getCustomSourceLogs({ fullname: 'acme.levels', query: { level } })
      return entries.map(({ message }) => message)
    }
    expect(await messages()).toEqual(['a error', 'a warn', 'a info', 'Created'])
    expect(await messages('info')).toEqual(['a error', 'a warn', 'a info', 'Created'])
    expect(await messages('warn')).toEqual(['a error', 'a warn'])
    expect(await messages('error')).toEqual(['a error'])
  })

  test.each([
    { limit: '10' },
    { limit: '501' },
    { level: 'debug' },
    { direction: 'up' },
    { datetime: 'yesterday' },
    { datetime: '2026-01-01T00:00:00' },
  ])('%j is not a log query', async (query) => {
    await save('acme.queried').catch(() => {})
    const read = team.owner.getCustomSourceLogs({ fullname: 'acme.queried', query: query as never })
    await rejects(read, { code: 'invalid_query', status: 400 })
  })
})

describe('the runtime', () => {
  test('is restarted by a new revision', async () => {
    await save('acme.restarted')
    await house.service.store.customSources.setStatus(await idOf('acme.restarted'), {
      status: 'error',
      message: 'No endpoint answers',
      updatedAt: house.clock.now().toISOString(),
    })
    const result = await team.developer.restartCustomSource({ fullname: 'acme.restarted', body: {} })
    expect(result).toEqual({ ok: true, fullname: 'acme.restarted', revision: 2 })
    const { status, revision } = await team.developer.getCustomSource({ fullname: 'acme.restarted' })
    expect({ status, revision }).toMatchObject({ status: { status: 'pending', previousStatus: 'error' }, revision: 2 })
    expect(status).not.toHaveProperty('message')
  })

  test('counts all concurrent restarts', async () => {
    await save('acme.shaken')
    const results = await Promise.all(
      [1, 2, 3, 4].map(() => team.developer.restartCustomSource({ fullname: 'acme.shaken' })),
    )
    expect(results.map(({ revision }) => revision).sort()).toEqual([2, 3, 4, 5])
  })

  test('has no lag to reset if it never ran', async () => {
    await save('acme.idle')
    const result = await team.developer.resetCustomSourceLag({ fullname: 'acme.idle', body: {} })
    expect(result).toEqual({ ok: true, latestBlock: 0, skippedBlocks: 0 })
    expect(await team.developer.getCustomSource({ fullname: 'acme.idle' })).not.toHaveProperty('runtime')
  })

  test('moves to the head when its lag is reset', async () => {
    await save('acme.late')
    const runtime = { chainId: '1', latestBlock: 1000, processedBlock: 940, lag: 60 }
    await house.service.store.customSources.setRuntime(await idOf('acme.late'), runtime)
    const reset = () => team.developer.resetCustomSourceLag({ fullname: 'acme.late' })
    expect(await reset()).toEqual({ ok: true, latestBlock: 1000, skippedBlocks: 60 })
    const view = await team.developer.getCustomSource({ fullname: 'acme.late' })
    expect(view).toMatchObject({ runtime: { ...runtime, processedBlock: 1000, lag: 0 }, revision: 1 })
    expect(await reset()).toEqual({ ok: true, latestBlock: 1000, skippedBlocks: 0 })
  })

  test('a status test shows the event and does not change the real status', async () => {
    await save('acme.tested')
    const before = await team.developer.getCustomSource({ fullname: 'acme.tested' })
    const run = (type: 'error' | 'recovered') =>
      team.developer.testCustomSourceStatus({ fullname: 'acme.tested', body: { type } })
    expect(await run('error')).toMatchObject({
      ok: true,
      event: { type: 'error', status: 'error', previousStatus: 'pending', severity: 'error', source: 'acme.tested' },
      matched: 0,
      delivered: 0,
    })
    expect(await run('recovered')).toMatchObject({
      event: { type: 'recovered', status: 'running', previousStatus: 'error', severity: 'info' },
    })
    await rejects(run('broken' as never), { code: 'invalid_payload', status: 400 })
    expect(await team.developer.getCustomSource({ fullname: 'acme.tested' })).toEqual(before)
  })
})

test('verify checks the payload and the level, and reports for each endpoint why it cannot be used', async () => {
  const body = { workspace: 'acme', name: 'x', kind: 'evm' as const, endpoints: ['http://127.0.0.1:9/v1/key'] }
  const found = await team.developer.verifyCustomSource({ body })
  expect(found).toMatchObject({ ok: false, logs: [{ level: 'error' }], details: { endpoints: [{ ok: false }] } })
  expect(found.logs[0]?.message).not.toContain('key')
  await rejects(team.user.verifyCustomSource({ body }), { code: 'forbidden', status: 403 })
  await rejects(team.stranger.verifyCustomSource({ body }), { code: 'not_found', status: 404 })
  await rejects(house.nobody.verifyCustomSource({ body }), { code: 'unauthenticated', status: 401 })
  const bad = team.developer.verifyCustomSource({ body: { ...body, endpoints: ['nowhere'] } })
  const error = await rejects(bad, { code: 'invalid_payload', status: 400 })
  expect(error.details).toMatchObject({ issues: [{ path: 'endpoints.0' }] })
  const other = await team.developer.verifyCustomSource({ body: { ...body, endpoints: ['ftp://127.0.0.1/'] } })
  expect(other).toMatchObject({ ok: false, logs: [{ level: 'error' }], details: { endpoints: [{ ok: false }] } })
})

describe('deleting', () => {
  test('breaks its triggers until a source of that name exists again', async () => {
    await save('acme.vanishing')
    await team.owner.saveProject({ fullname: 'acme.app', body: project('acme.app') })
    const triggerSpec = { type: 'evm_transaction' as const, dataSource: 'acme.vanishing' }
    const body = trigger('acme.app.watch', { triggerSpec })
    const statusOf = async () => (await team.owner.getTrigger({ fullname: 'acme.app.watch' })).status
    await team.developer.saveTrigger({ fullname: 'acme.app.watch', body })
    expect(await statusOf()).toMatchObject({ status: 'not_tested' })
    expect(await team.admin.deleteCustomSource({ fullname: 'acme.vanishing' })).toEqual({ ok: true })
    await rejects(team.owner.getCustomSource({ fullname: 'acme.vanishing' }), { code: 'not_found' })
    expect(await statusOf()).toMatchObject({ status: 'broken', source: 'dependency' })
    await save('acme.vanishing')
    expect((await statusOf()).status).not.toBe('broken')
  })

  test('deletes its history: a later source of that name begins without one', async () => {
    const fullname = 'acme.reborn'
    await save(fullname)
    await house.service.store.sourceMinutes.addAll([
      {
        ...{
          source: fullname,
          minute: house.clock.now(),
          status: 'running',
          head: 5,
          processed: 5,
          lag: 0,
          headAgeMs: 1,
        },
        endpoints: [{ host: 'a.example', requests: 1, failures: 0, timeouts: 0, slowDowns: 0, latencyMs: 1, lag: 0 }],
      },
    ])
    const history = () => team.user.getSourceHistory({ fullname })
    expect(await history()).toMatchObject({ samples: [{ head: 5 }], endpoints: [{ host: 'a.example' }] })
    await rejects(team.stranger.getSourceHistory({ fullname }), { code: 'not_found', status: 404 })
    await team.admin.deleteCustomSource({ fullname })
    await rejects(history(), { code: 'not_found', status: 404 })
    await save(fullname)
    expect(await history()).toMatchObject({ samples: [], endpoints: [] })
  })

  test('is required before its workspace can be deleted', async () => {
    const keeper = await house.team('keeper')
    await save('keeper.src', {}, keeper.owner)
    await rejects(keeper.owner.deleteWorkspace({ fullname: 'keeper' }), { code: 'workspace_not_empty', status: 409 })
    await keeper.owner.deleteCustomSource({ fullname: 'keeper.src' })
    await keeper.owner.deleteWorkspace({ fullname: 'keeper' })
  })

  test('the workspace while a source is created in it leaves both or neither', async () => {
    for (let round = 0; round < 5; round++) {
      const name = `busy-${round}`
      const owner = await house.person('busy')
      await owner.saveWorkspace({ fullname: name, body: { fullname: name } })
      const [saved, deleted] = await Promise.allSettled([
        save(`${name}.a`, {}, owner),
        owner.deleteWorkspace({ fullname: name }),
      ])
      const lost =
        saved.status === 'rejected' ? saved.reason : deleted.status === 'rejected' ? deleted.reason : undefined
      expect(['not_found', 'workspace_not_empty']).toContain(lost?.code)
    }
  })
})

describe('runtime sources', () => {
  test('in error show no lag, even if progress is stored after the error', async () => {
    const { revision } = await save('acme.behind')
    const id = await idOf('acme.behind')
    const { customSources } = house.service.store
    const status = { status: 'error', message: 'it is away', updatedAt: house.clock.now().toISOString() } as const
    await customSources.saveReport(id, revision, { status })
    await customSources.saveReport(id, revision, { runtime: { chainId: '137', latestBlock: 20, lag: 2 } })
    const { runtime } = await team.developer.getCustomSource({ fullname: 'acme.behind' })
    expect(runtime).toEqual({ chainId: '137', latestBlock: 20 })
    const listed = (await team.developer.listRuntimeSources()).find(({ fullname }) => fullname === 'acme.behind')
    expect(listed).toMatchObject({ status: 'error', latestBlock: 20 })
    expect(listed).not.toHaveProperty('lag')
  })

  test('are the built-in networks and the sources that the caller may read', async () => {
    await save('acme.running')
    const id = await idOf('acme.running')
    const { store } = house.service
    await store.customSources.setRuntime(id, { chainId: '137', latestBlock: 20, processedBlock: 18, lag: 2 })
    await store.sourceLogs.add(id, { level: 'error', message: 'long ago' }, house.clock.now())
    house.clock.advance(61 * 60_000)
    for (const level of ['error', 'error', 'warn'] as const)
      await store.sourceLogs.add(id, { level, message: 'now' }, house.clock.now())
    const list = await team.user.listRuntimeSources()
    const names = list.map(({ fullname }) => fullname)
    expect(names).toEqual([...names].sort())
    expect(list.find(({ fullname }) => fullname === 'common.ethereum')).toMatchObject({
      title: 'Ethereum',
      kind: 'evm',
      network: 'ethereum',
      status: 'stopped',
      configured: false,
      errorsLastHour: 0,
    })
    expect(list.find(({ fullname }) => fullname === 'acme.running')).toMatchObject({
      kind: 'evm',
      network: 'eip155:137',
      status: 'pending',
      configured: true,
      latestBlock: 20,
      processedBlock: 18,
      lag: 2,
      errorsLastHour: 2,
    })
    const networkOf = async (fullname: string, kind: 'substrate' | 'solana', genesisHash: string) => {
      await save(fullname, { kind })
      const before = (await team.user.listRuntimeSources()).find((source) => source.fullname === fullname)
      await store.customSources.setRuntime(await idOf(fullname), { genesisHash })
      const after = (await team.user.listRuntimeSources()).find((source) => source.fullname === fullname)
      return [before?.network, after?.network]
    }
    const polkadot = '0x91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3'
    const dot = ['unknown', 'polkadot:91b171bb158e2d3848fa23a9f1c25182']
    expect(await networkOf('acme.dot', 'substrate', polkadot)).toEqual(dot)
    const solana = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
    const sol = ['unknown', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp']
    expect(await networkOf('acme.sol', 'solana', solana)).toEqual(sol)
    const foreign = await team.stranger.listRuntimeSources()
    expect(foreign.map(({ fullname }) => fullname)).not.toContain('acme.running')
    expect(foreign.map(({ fullname }) => fullname)).toContain('common.solana')
    await rejects(house.nobody.listRuntimeSources(), { code: 'unauthenticated', status: 401 })
  })

  test('include the operator’s networks from the sources file, without their endpoints', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tocsin-sources-'))
    const file = join(folder, 'sources.json')
    writeFileSync(file, JSON.stringify({ 'common.mine': { title: 'Mine', kind: 'evm', endpoints: [endpoint] } }))
    const own = await harness({ SOURCES_FILE: file })
    try {
      const list = await (await own.person('ann')).listRuntimeSources()
      expect(list.find(({ fullname }) => fullname === 'common.mine')).toMatchObject({ title: 'Mine', network: 'mine' })
      expect(JSON.stringify(list)).not.toContain('key-123')
    } finally {
      await own.close()
      await rm(folder, { recursive: true })
    }
  })
})

test('endpoints cannot be read in the database', async () => {
  await save('acme.sealed', { endpoints: ['https://rpc.example.org/v1/endpoint-key-9'] })
  const rows = await dumpTables(house.databaseUrl)
  expect(rows).toContain('acme.sealed')
  expect(rows).not.toContain('endpoint-key-9')
  expect(rows).not.toContain(Buffer.from('endpoint-key-9').toString('hex'))
})
