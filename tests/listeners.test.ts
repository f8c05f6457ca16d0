import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Engine, startEngine } from '../server/src/engine/engine.ts'
import { type Listeners, makeListeners } from '../server/src/runtime/listeners/make-listeners.ts'
import type { Store } from '../server/src/store/index.ts'
import { query } from './harness/following.ts'
import {
  customSource,
  type Harness,
  harness,
  type Person,
  project,
  resource,
  type Team,
  template,
  trigger,
} from './harness/index.ts'

const abiFragment = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const onLogs = { triggerSpec: { type: 'evm_log', dataSource: 'acme.evm', abiFragment } } as const
const wallet = `0x${'a'.repeat(40)}`
const topic0 = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

let house: Harness
let team: Team
let engine: Engine
let listeners: Listeners
let warnings: unknown[]
let names = 0

beforeAll(async () => {
  house = await harness()
  engine = startEngine({ allowPrivateNetworks: true, sourceTimeoutMs: 1_000 })
  team = await house.team('acme')
  await team.owner.saveProject({ fullname: 'acme.p', body: project('acme.p', { public: true, accessLevel: 'public' }) })
  await team.owner.saveCustomSource({ fullname: 'acme.evm', body: customSource('acme.evm') })
})
afterAll(async () => {
  await engine.close()
  await house.close()
})
beforeEach(async () => {
  warnings = []
  listeners = makeListeners({
    store: house.service.store,
    engine,
    networks: [],
    warn: (fields) => void warnings.push(fields),
  })
  await listeners.load()
})

async function makeTrigger(extra: object = onLogs, where = 'acme.p'): Promise<{ id: string; fullname: string }> {
  const fullname = `${where}.t${++names}`
  const { id } = await team.owner.saveTrigger({ fullname, body: trigger(fullname, extra) })
  return { id, fullname }
}
const subscribe = (who: Person, fullname: string, extra: object = {}, workspace = 'acme') =>
  who.createSubscription({ body: { workspace, project: 'acme.p', trigger: fullname, resources: [], ...extra } })
const keysOf = (id: string) => [...(listeners.trigger(id)?.listeners.keys() ?? [])]
const log = (to: string) => ({
  type: 'evm_log' as const,
  address: `0x${'c'.repeat(40)}`,
  topics: [topic0, `0x${'0'.repeat(64)}`, `0x${to.slice(2).padStart(64, '0')}`],
  data: `0x${'0'.repeat(63)}1`,
})

const entriesFor = (rawItem: ReturnType<typeof log>, source = 'acme.evm') =>
  (listeners.index(source)?.lookUp(rawItem) ?? []).flatMap(({ proven, narrowed, candidates }) => [
    ...proven,
    ...narrowed,
    ...candidates,
  ])

test('a change is not missed if a crash made the server assign the id of its transaction again', async () => {
  const { id, fullname } = await makeTrigger()
  await listeners.refresh()
  const { id: subscriptionId } = await subscribe(team.owner, fullname)
  // As if the next transactions had begun before the crash and left no trace.
  await query(house, `update changes set xid = (xid::text::bigint - 20)::text::xid8 where entity_id = $1`, [
    subscriptionId,
  ])
  await listeners.refresh()
  expect(keysOf(id)).toHaveLength(1)
})

describe('a load', () => {
  /** The store of the house, with other functions for the listeners. */
  const loadWith = async (functions: (real: Store['listeners']) => Partial<Store['listeners']>) => {
    const { listeners: real } = house.service.store
    const store = new Proxy<Store>(house.service.store, {
      get: (whole, name) => (name === 'listeners' ? { ...real, ...functions(real) } : Reflect.get(whole, name)),
    })
    const loading = makeListeners({ store, engine, networks: [], warn: () => undefined })
    await loading.load()
    return loading
  }

  test('reads all pages', async () => {
    const { id, fullname } = await makeTrigger()
    for (let count = 0; count < 3; count++) await subscribe(team.owner, fullname)
    await listeners.load()
    let pages = 0
    const paged = await loadWith(({ listIds }) => ({
      listIds: (after) => {
        pages++
        return listIds(after, 2)
      },
    }))
    expect(pages).toBeGreaterThan(2)
    expect(paged.counts()).toEqual(listeners.counts())
    expect([...(paged.trigger(id)?.listeners.keys() ?? [])]).toEqual(keysOf(id))
  })

  test('fails if a page cannot be read, also while the page before it fails', async () => {
    const { fullname } = await makeTrigger()
    for (let count = 0; count < 3; count++) await subscribe(team.owner, fullname)
    const [first] = await house.service.store.listeners.listIds('', 1)
    const failing = (real: Store['listeners']): Partial<Store['listeners']> => ({
      listIds: (after) => real.listIds(after, 1),
      find: (ids) => (ids[0] === first ? real.find(ids) : Promise.reject(new Error('the second page is broken'))),
    })
    await expect(loadWith(failing)).rejects.toThrow('the second page is broken')
    const findTriggers = () => Promise.reject(new Error('the triggers are broken'))
    // The second page, which nobody waits for then, must not end the process: an unhandled rejection fails this run.
    await expect(loadWith((real) => ({ ...failing(real), findTriggers }))).rejects.toThrow('the triggers are broken')
    await house.service.store.listeners.listIds('', 1)
  })
})

describe('a change', () => {
  test('is applied once: a load has read those before it, and a refresh those before the refresh', async () => {
    const { fullname } = await makeTrigger()
    const { id: subscriptionId } = await subscribe(team.owner, fullname)
    await listeners.load()
    const [loaded] = listeners.listenersOf(subscriptionId)
    await listeners.refresh()
    expect(loaded).toBeDefined()
    expect(listeners.listenersOf(subscriptionId)[0]).toBe(loaded)

    const { id: laterId } = await subscribe(team.owner, fullname)
    await listeners.refresh()
    const [refreshed] = listeners.listenersOf(laterId)
    await listeners.refresh()
    expect(refreshed).toBeDefined()
    expect(listeners.listenersOf(laterId)[0]).toBe(refreshed)
  })

  test('is visible at once while an older transaction is still open, and that one is visible when it ends', async () => {
    const older = await makeTrigger()
    const newer = await makeTrigger()
    const [account] = await query<{ id: string }>(house, 'select id from accounts where id = $1', [team.owner.id])
    const [place] = await query<{ workspace_id: string; id: string }>(
      house,
      "select id, workspace_id from projects where fullname = 'acme.p'",
    )
    const slow = new pg.Client({ connectionString: house.databaseUrl })
    await slow.connect()
    await slow.query('begin')
    const slowId = randomUUID()
    await slow.query(
      `insert into subscriptions (id, account_id, workspace_id, project_id, trigger_id, meta, created_at, updated_at)
        values ($1, $2, $3, $4, $5, '{}', now(), now())`,
      [slowId, account!.id, place!.workspace_id, place!.id, older.id],
    )
    const { id } = await subscribe(team.owner, newer.fullname)
    await listeners.refresh()
    expect(keysOf(newer.id)).toEqual([`${id}:`])
    expect(listeners.trigger(older.id)).toBeUndefined()
    await listeners.refresh()
    await slow.query('commit')
    await slow.end()
    await listeners.refresh()
    expect(keysOf(older.id)).toEqual([`${slowId}:`])
  })

  test('is never missed, however many are concurrent', async () => {
    const { id, fullname } = await makeTrigger()
    const acknowledged = new Set<string>()
    let isDone = false
    const writers = Array.from({ length: 6 }, async () => {
      for (let at = 0; at < 8; at += 1) acknowledged.add(`${(await subscribe(team.owner, fullname)).id}:`)
    })
    const reader = (async () => {
      while (!isDone) {
        const before = [...acknowledged]
        await listeners.refresh()
        const known = new Set(keysOf(id))
        for (const key of before) expect(known.has(key)).toBe(true)
      }
    })()
    await Promise.all(writers)
    isDone = true
    await reader
    await listeners.refresh()
    expect(new Set(keysOf(id))).toEqual(acknowledged)
  })

  test('of a trigger moves its listeners to the new version', async () => {
    const { id, fullname } = await makeTrigger()
    const to = `0x${'d'.repeat(40)}`
    const filtersSchema = { to: { type: 'address', sourcePath: 'params.to' } }
    await team.owner.saveTrigger({ fullname, body: trigger(fullname, { ...onLogs, filtersSchema }) })
    const { id: subscription } = await subscribe(team.owner, fullname, {
      conditions: { param: 'to', op: 'eq', value: to },
    })
    await listeners.refresh()
    const found = () =>
      entriesFor(log(to))
        .filter(({ trigger }) => trigger.id === id)
        .map(({ listenerKey }) => listenerKey)
    expect(found()).toEqual([`${subscription}:`])
    const spec = { ...onLogs.triggerSpec, contract: `0x${'9'.repeat(40)}` }
    await team.owner.saveTrigger({ fullname, body: trigger(fullname, { triggerSpec: spec, filtersSchema }) })
    await listeners.refresh()
    expect(found()).toEqual([])
    await team.owner.deleteTrigger({ fullname })
    await listeners.refresh()
    expect(listeners.trigger(id)).toBeUndefined()
  })
})

describe('a subscription is live only while', () => {
  test('it is not paused', async () => {
    const { id, fullname } = await makeTrigger()
    const { id: subscription } = await subscribe(team.user, fullname)
    await listeners.refresh()
    expect(keysOf(id)).toHaveLength(1)
    await team.user.pauseSubscription({ id: subscription })
    await listeners.refresh()
    expect(keysOf(id)).toEqual([])
    await team.user.resumeSubscription({ id: subscription })
    await listeners.refresh()
    expect(keysOf(id)).toHaveLength(1)
  })

  test('its account is a member of its own workspace and of the workspaces of its resources', async () => {
    const leaver = await house.person('leaver')
    const { invite } = await team.owner.getWorkspace({ fullname: 'acme' })
    await leaver.joinWorkspace({ workspace: 'acme', body: { invite: invite ?? '' } })
    await leaver.saveWorkspace({ fullname: 'own', body: { fullname: 'own' } })
    await leaver.saveResource({ fullname: 'own.hook', body: resource('own.hook') })
    await team.owner.saveResource({ fullname: 'acme.hook', body: resource('acme.hook') })
    const { id, fullname } = await makeTrigger()
    await subscribe(leaver, fullname, { resources: ['acme.hook', 'own.hook'] }, 'own')
    await listeners.refresh()
    const resources = () =>
      [...(listeners.trigger(id)?.listeners.values() ?? [])].flatMap((one) =>
        one.resources.map((each) => each.fullname),
      )
    expect(resources()).toEqual(['acme.hook', 'own.hook'])
    const entry = (await team.owner.listAcl({ workspace: 'acme' })).find(({ user }) => user.id === leaver.id)
    await team.owner.deleteAclEntry({ workspace: 'acme', entryId: entry?.id ?? '' })
    await listeners.refresh()
    expect(resources()).toEqual(['own.hook'])
  })

  test('its account may read the project', async () => {
    const stranger = await house.person('stranger')
    await stranger.saveWorkspace({ fullname: 'elsewhere', body: { fullname: 'elsewhere' } })
    await team.owner.saveProject({ fullname: 'acme.shut', body: project('acme.shut', { accessLevel: 'public' }) })
    const { id, fullname } = await makeTrigger(onLogs, 'acme.shut')
    await stranger.createSubscription({
      body: { workspace: 'elsewhere', project: 'acme.shut', trigger: fullname, resources: [] },
    })
    await listeners.refresh()
    expect(keysOf(id)).toHaveLength(1)
    await team.owner.saveProject({ fullname: 'acme.shut', body: project('acme.shut', { accessLevel: 'private' }) })
    await listeners.refresh()
    expect(keysOf(id)).toEqual([])
  })

  test('its source exists', async () => {
    const { fullname } = await makeTrigger({ triggerSpec: { type: 'evm_log', dataSource: 'acme.later', abiFragment } })
    await subscribe(team.owner, fullname)
    await listeners.refresh()
    expect(listeners.sources().has('acme.later')).toBe(false)
    await team.owner.saveCustomSource({ fullname: 'acme.later', body: customSource('acme.later') })
    await listeners.refresh()
    expect(listeners.sources().has('acme.later')).toBe(true)
    await team.owner.deleteCustomSource({ fullname: 'acme.later' })
    await listeners.refresh()
    expect(listeners.sources().has('acme.later')).toBe(false)
  })

  test('its trigger is in the workspace of the source, or the source is public', async () => {
    const rival = await house.team('rival')
    await rival.owner.saveProject({ fullname: 'rival.p', body: project('rival.p') })
    const save = (mode: 'create' | 'update', isPublic: boolean) =>
      team.owner.saveCustomSource({
        fullname: 'acme.open',
        body: customSource('acme.open', { mode, public: isPublic }),
      })
    await save('create', true)
    const onOpen = { triggerSpec: { type: 'evm_log', dataSource: 'acme.open', abiFragment } } as const
    await rival.owner.saveTrigger({ fullname: 'rival.p.t', body: trigger('rival.p.t', onOpen) })
    await subscribe(rival.owner, 'rival.p.t', { project: 'rival.p' }, 'rival')
    const own = await makeTrigger(onOpen)
    await subscribe(team.owner, own.fullname)
    await listeners.refresh()
    const triggersOnOpen = () =>
      entriesFor(log(wallet), 'acme.open')
        .map(({ trigger }) => trigger.fullname)
        .sort()
    expect(triggersOnOpen()).toEqual([own.fullname, 'rival.p.t'])

    await save('update', false)
    await listeners.refresh()
    expect(triggersOnOpen()).toEqual([own.fullname])
    await save('update', true)
    await listeners.refresh()
    expect(triggersOnOpen()).toEqual([own.fullname, 'rival.p.t'])
  })
})

test('an edit of a source leaves the listeners in its index', async () => {
  const { id, fullname } = await makeTrigger()
  await subscribe(team.owner, fullname)
  await listeners.refresh()
  const entryOf = () => entriesFor(log(wallet)).find(({ trigger }) => trigger.id === id)
  const [entry, revision] = [entryOf(), listeners.source('acme.evm')?.revision]
  const edited = customSource('acme.evm', { mode: 'update', endpoints: ['https://other.example.org'] })
  await team.owner.saveCustomSource({ fullname: 'acme.evm', body: edited })
  await listeners.refresh()
  expect(listeners.source('acme.evm')?.revision).not.toBe(revision)
  expect(entry).toBeDefined()
  expect(entryOf()).toBe(entry)
})

describe('a template', () => {
  test('makes one listener per chosen rule, with the values filled in', async () => {
    const [moved, other] = [await makeTrigger(), await makeTrigger()]
    const rule = { topic: 'moves', deprecated: false, requiredValues: ['wallet'] }
    const body = template('acme.p', {
      schema: { wallet: 'string', least: 'number' },
      topics: [
        { name: 'moves', group: 'main', selectedByDefault: true, meta: { title: 'Moves' } },
        { name: 'rest', group: 'main', selectedByDefault: false, meta: { title: 'Rest' } },
      ],
      rules: [
        {
          ...rule,
          id: 'in',
          trigger: moved.fullname,
          inputs: { to: '{{inputs.wallet}}', note: 'for {{inputs.wallet}}' },
          conditions: { param: 'value', op: 'gt', value: '{{inputs.least}}' },
        },
        { ...rule, id: 'old', trigger: moved.fullname, deprecated: true },
        { ...rule, id: 'rest', trigger: other.fullname, topic: 'rest' },
        { ...rule, id: 'later', trigger: `acme.p.t${names + 1}` },
      ],
    })
    const { id } = await team.owner.createTemplate({ fullname: 'acme.p', body })
    const subscription = await team.owner.createSubscription({
      body: {
        workspace: 'acme',
        project: 'acme.p',
        template: id,
        topics: ['moves'],
        values: { wallet: '0xA', least: 5 },
        resources: [],
      },
    })
    await listeners.refresh()
    expect(keysOf(moved.id)).toEqual([`${subscription.id}:in`])
    expect(listeners.trigger(moved.id)?.listeners.get(`${subscription.id}:in`)).toMatchObject({
      inputs: { wallet: '0xA', least: 5, to: '0xA', note: 'for 0xA' },
      conditions: { param: 'value', op: 'gt', value: 5 },
      ruleId: 'in',
    })
    expect(listeners.trigger(other.id)).toBeUndefined()
    const later = await makeTrigger()
    await listeners.refresh()
    expect(keysOf(later.id)).toEqual([`${subscription.id}:later`])
    await team.owner.saveTemplate({ fullname: 'acme.p', id, body: { ...body, rules: body.rules.slice(1) } })
    await listeners.refresh()
    expect(listeners.trigger(moved.id)).toBeUndefined()
  })
})

describe('a stream', () => {
  test('keeps its trigger live, and filters by the values of the backend', async () => {
    const feeder = await makeTrigger()
    const taker = await makeTrigger({
      triggerSpec: null,
      backend: { type: 'sdk', trigger: feeder.fullname, values: { 'a.b': 'X' } },
    })
    await subscribe(team.owner, taker.fullname)
    await listeners.refresh()
    expect(listeners.listenersOfStream(feeder.fullname).map(({ id }) => id)).toEqual([taker.id])
    const live = listeners.trigger(taker.id)!
    expect(listeners.acceptsItem(live, { a: { b: 'x' } })).toBe(true)
    expect(listeners.acceptsItem(live, { a: { b: 'y' } })).toBe(false)
    const fed = entriesFor(log('0x1')).filter(({ trigger }) => trigger.id === feeder.id)
    expect(fed.map(({ listenerKey }) => listenerKey)).toEqual([undefined])
    await team.owner.deleteTrigger({ fullname: taker.fullname })
    await listeners.refresh()
    expect(listeners.trigger(feeder.id)).toBeUndefined()
  })

  test('of a source is visible in its own workspace, and in others only if it is public', async () => {
    const { id, fullname } = await makeTrigger({
      triggerSpec: null,
      backend: { type: 'sdk', trigger: 'acme.evm.events' },
    })
    await subscribe(team.owner, fullname)
    await listeners.refresh()
    expect(listeners.listenersOfStream('acme.evm.events').map((one) => one.id)).toEqual([id])
    expect(listeners.listenersOfStream('rival.evm.events')).toEqual([])
  })
})

test('a trigger that can no longer be prepared is left out and logged, and the others continue', async () => {
  const broken = await makeTrigger()
  const whole = await makeTrigger()
  await subscribe(team.owner, broken.fullname)
  await subscribe(team.owner, whole.fullname)
  await query(
    house,
    `update triggers set definition = jsonb_set(definition::jsonb, '{triggerSpec,abiFragment}', '"nonsense"')::json where id = $1`,
    [broken.id],
  )
  await listeners.load()
  expect(warnings).toMatchObject([{ trigger: broken.fullname }])
  expect(keysOf(whole.id)).toHaveLength(1)
})
