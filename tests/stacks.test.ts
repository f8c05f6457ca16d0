import type { BodyInput, DefinitionKind, Routes } from '@tocsin/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addressList,
  customSource,
  type Harness,
  harness,
  type Person,
  project,
  rejects,
  resource,
  subscription,
  type Team,
  template,
  trigger,
} from './harness/index.ts'

type Entity = { kind: DefinitionKind; payload: Record<string, unknown> }
type Request = BodyInput<Routes['planStack']>

let house: Harness
let team: Team
beforeAll(async () => {
  house = await harness()
  team = await house.team('acme')
})
afterAll(() => house.close())

const plan = (body: Request, by: Person = team.owner) => by.planStack({ fullname: 'acme', body })
async function apply(body: Request, by: Person = team.owner) {
  const { planHash } = await plan(body, by)
  return by.applyStack({ fullname: 'acme', body: { ...body, expectedPlanHash: planHash } })
}
/** What a plan would do, without entities that stay as they are. */
const actionsOf = ({ changes }: { changes: { kind: string; fullname: string; action: string }[] }) =>
  changes.filter(({ action }) => action !== 'none').map(({ kind, fullname, action }) => `${action} ${kind} ${fullname}`)
const labelled = (stack: string) => ({ labels: { 'tocsin.stack': stack } })

/** One entity of every kind, each of which names others of the same stack. */
function everyKind(stack: string): Entity[] {
  const fullname = `acme.${stack}`
  const { mode, ...source } = customSource(`acme.${stack}-chain`)
  const conditions = { param: 'source.now', op: 'in', value: { list: `acme.${stack}-list` } } as const
  const provider = {
    id: 'rate',
    type: 'http' as const,
    url: 'https://api.example.org/rate?key=url-key-1',
    headers: { authorization: 'header-key-1' },
  }
  return [
    { kind: 'subscription', payload: { key: 'moves', ...ofTemplate(stack) } },
    { kind: 'subscription', payload: { key: 'direct', ...subscription(`${fullname}.moved`) } },
    { kind: 'template', payload: { key: 'main', ...template(fullname) } },
    { kind: 'trigger', payload: trigger(`${fullname}.moved`, { conditions, providers: [provider] }) },
    { kind: 'resource', payload: resource(`acme.${stack}-hook`, { project: fullname }) },
    { kind: 'project', payload: project(fullname) },
    { kind: 'address-list', payload: addressList(`acme.${stack}-list`) },
    { kind: 'source', payload: source },
  ]
}

function ofTemplate(stack: string) {
  const fullname = `acme.${stack}`
  const resources = [`acme.${stack}-hook`]
  return {
    workspace: 'acme',
    project: fullname,
    template: 'main',
    topics: ['moves'],
    values: { wallet: '0x1' },
    resources,
  }
}

/** The entities of a few kinds. A trigger needs its project and its list. */
const someKinds = (stack: string, ...kinds: DefinitionKind[]) =>
  everyKind(stack).filter(({ kind }) => kinds.includes(kind))

/** The entities with fields of one of them replaced. */
function edited(entities: Entity[], kind: DefinitionKind, fields: Record<string, unknown>): Entity[] {
  const at = entities.findIndex((entity) => entity.kind === kind)
  return entities.map((entity, index) => (index === at ? { kind, payload: { ...entity.payload, ...fields } } : entity))
}

describe('an apply', () => {
  test('creates entities of every kind in the order of their dependencies, and a plan after it is empty', async () => {
    const body = { stack: 'every', entities: everyKind('every') }
    const first = await plan(body)
    expect(first).toMatchObject({ issues: [], drift: [] })
    expect(actionsOf(first)).toEqual([
      'create source acme.every-chain',
      'create address-list acme.every-list',
      'create project acme.every',
      'create resource acme.every-hook',
      'create trigger acme.every.moved',
      'create template main',
      'create subscription direct',
      'create subscription moves',
    ])
    expect((await plan(body)).planHash).toBe(first.planHash)
    await rejects(team.owner.getProject({ fullname: 'acme.every' }), { code: 'not_found' })

    const applied = await apply(body)
    expect(applied).toEqual({ planHash: first.planHash, changes: first.changes })
    const again = await plan(body)
    expect(again).toMatchObject({ issues: [], drift: [] })
    expect(actionsOf(again)).toEqual([])
    expect(again.changes).toHaveLength(8)
    expect(again.planHash).not.toBe(first.planHash)
  })

  test('saves a resource before those that report their failures to it', async () => {
    const hook = { kind: 'resource', payload: resource('acme.a-hook', { notifyOnFailure: 'acme.z-pager' }) } as const
    const pager = { kind: 'resource', payload: resource('acme.z-pager') } as const
    const body = { stack: 'told', entities: [hook, pager] }
    expect(actionsOf(await apply(body))).toEqual(['create resource acme.z-pager', 'create resource acme.a-hook'])
    expect(await team.owner.getResource({ fullname: 'acme.a-hook' })).toMatchObject({ notifyOnFailure: 'acme.z-pager' })
    expect(actionsOf(await plan(body))).toEqual([])
    const missing = { ...hook, payload: { ...hook.payload, notifyOnFailure: 'acme.none' } }
    const { issues } = await plan({ stack: 'told', entities: [missing, pager] })
    expect(issues).toMatchObject([{ fullname: 'acme.a-hook', path: 'notifyOnFailure' }])
  })

  test('marks every entity with its stack, and templates and subscriptions with their key', async () => {
    const fullname = 'acme.marked'
    await apply({ stack: 'marked', entities: everyKind('marked') })
    const mark = labelled('marked')
    expect(await team.user.getProject({ fullname })).toMatchObject(mark)
    expect(await team.user.getTrigger({ fullname: `${fullname}.moved` })).toMatchObject(mark)
    expect(await team.user.getResource({ fullname: 'acme.marked-hook' })).toMatchObject(mark)
    expect(await team.user.getCustomSource({ fullname: 'acme.marked-chain' })).toMatchObject(mark)
    expect(await team.user.getAddressList({ fullname: 'acme.marked-list' })).toMatchObject(mark)
    const [made] = await team.user.listTemplates({ fullname })
    expect(made).toMatchObject({ ...mark, key: 'main' })
    const subscriptions = await team.owner.listSubscriptions({ query: { project: fullname } })
    expect(subscriptions.map(({ key, template, labels }) => ({ key, template, labels }))).toEqual([
      { key: 'direct', template: undefined, ...mark },
      { key: 'moves', template: made?.id, ...mark },
    ])
  })

  test('that changes nothing saves nothing: no source restarts and no draft is discarded', async () => {
    const body = { stack: 'calm', entities: someKinds('calm', 'source', 'address-list', 'project', 'trigger') }
    await apply(body)
    const source = { fullname: 'acme.calm-chain' }
    const moved = { fullname: 'acme.calm.moved' }
    await team.developer.saveTriggerDraft({ ...moved, body: trigger(moved.fullname) })
    const before = [await team.owner.getCustomSource(source), await team.owner.getTrigger(moved)]
    expect(actionsOf(await apply(body))).toEqual([])
    expect([await team.owner.getCustomSource(source), await team.owner.getTrigger(moved)]).toEqual(before)
  })

  test('takes the definitions of a view as it is, with its label and without the mode of a source', async () => {
    const kinds = ['source', 'address-list', 'project', 'trigger', 'resource'] as const
    await apply({ stack: 'viewed', entities: someKinds('viewed', ...kinds) })
    const viewed = [
      { kind: 'project' as const, payload: await team.owner.getProject({ fullname: 'acme.viewed' }) },
      { kind: 'trigger' as const, payload: await team.owner.getTrigger({ fullname: 'acme.viewed.moved' }) },
      { kind: 'resource' as const, payload: await team.owner.getResource({ fullname: 'acme.viewed-hook' }) },
      { kind: 'source' as const, payload: await team.owner.getCustomSource({ fullname: 'acme.viewed-chain' }) },
    ]
    const again = await plan({ stack: 'viewed', entities: viewed })
    expect(again).toMatchObject({ issues: [], drift: [] })
    expect(actionsOf(again)).toEqual([])
  })

  test('is refused when the state has changed since the plan, with the new hash', async () => {
    const body = { stack: 'raced', entities: someKinds('raced', 'address-list', 'project', 'trigger') }
    await apply(body)
    const changed = { ...body, entities: edited(body.entities, 'project', { tags: ['new'] }) }
    const { planHash } = await plan(changed)
    await team.admin.patchTrigger({ fullname: 'acme.raced.moved', body: { set: { 'meta.title': 'By hand' } } })
    const call = { fullname: 'acme', body: { ...changed, expectedPlanHash: planHash } }
    const error = await rejects(team.owner.applyStack(call), { code: 'plan_changed', status: 409 })
    expect((await team.owner.getProject({ fullname: 'acme.raced' })).tags).toEqual([])
    expect(error.details).toEqual({ planHash: (await plan(changed)).planHash })
    const wrongPrune = { ...changed, prune: true, expectedPlanHash: (await plan(changed)).planHash }
    await rejects(team.owner.applyStack({ fullname: 'acme', body: wrongPrune }), { code: 'plan_changed' })
    const { expectedPlanHash, ...noHash } = wrongPrune
    await rejects(team.owner.applyStack({ fullname: 'acme', body: noHash as typeof wrongPrune }), {
      code: 'invalid_payload',
      status: 400,
      details: { issues: [{ path: 'expectedPlanHash', message: 'is required' }] },
    })
  })

  test('of two at once, one wins and the other is refused', async () => {
    const entities = [{ kind: 'project' as const, payload: project('acme.twice') }]
    const { planHash } = await plan({ stack: 'twice', entities })
    const body = { stack: 'twice', entities, expectedPlanHash: planHash }
    const calls = [1, 2, 3].map(() => team.owner.applyStack({ fullname: 'acme', body }).then(() => 'applied', codeOf))
    expect((await Promise.all(calls)).toSorted()).toEqual(['applied', 'plan_changed', 'plan_changed'])
  })

  test('that fails at its very end leaves nothing behind', async () => {
    await house.database.query(`create function refuse_all() returns trigger language plpgsql as
      $$ begin raise exception 'refused by the test'; end $$`)
    await house.database.query(
      'create trigger refuse_all before insert on stack_entities for each row execute function refuse_all()',
    )
    const body = { stack: 'broken', entities: everyKind('broken') }
    try {
      await rejects(apply(body), { code: 'internal' })
    } finally {
      await house.database.query('drop function refuse_all() cascade')
    }
    expect((await plan(body)).changes.every(({ action }) => action === 'create')).toBe(true)
    await rejects(team.owner.getCustomSource({ fullname: 'acme.broken-chain' }), { code: 'not_found' })
    await rejects(team.owner.getResource({ fullname: 'acme.broken-hook' }), { code: 'not_found' })
  })
})

describe('a plan', () => {
  test('shows which fields change, and of secrets only that they change', async () => {
    const entities = everyKind('shown')
    await apply({ stack: 'shown', entities })
    const changes: [DefinitionKind, Record<string, unknown>][] = [
      ['project', { meta: { title: 'New', description: 'About shown' }, tags: ['a'] }],
      ['resource', { data: { url: 'https://example.org/secret-path-2' } }],
      ['source', { endpoints: ['https://rpc.example.org/v1/key-456'], blockProcessingConcurrency: 2 }],
      [
        'trigger',
        {
          providers: [
            {
              id: 'rate',
              type: 'http',
              url: 'https://api.example.org/rate?key=url-key-2',
              headers: { authorization: 'header-key-2' },
            },
          ],
        },
      ],
    ]
    const changed = changes.reduce((all, [kind, fields]) => edited(all, kind, fields), entities)
    const shown = await plan({ stack: 'shown', entities: changed })
    const diffs = Object.fromEntries(shown.changes.map(({ fullname, diff }) => [fullname, diff]))
    expect(diffs['acme.shown']).toEqual([
      { path: 'tags', from: [], to: ['a'] },
      { path: 'meta.title', from: 'shown', to: 'New' },
    ])
    expect(diffs['acme.shown-hook']).toEqual([{ path: 'data', from: '***', to: '***' }])
    expect(diffs['acme.shown-chain']).toEqual([
      { path: 'endpoints', from: '***', to: '***' },
      { path: 'blockProcessingConcurrency', from: null, to: 2 },
    ])
    expect(diffs['acme.shown.moved']).toEqual([
      {
        path: 'providers.0.url',
        from: 'https://api.example.org/rate?key=***',
        to: 'https://api.example.org/rate?key=***',
      },
      { path: 'providers.0.headers', from: '***', to: '***' },
    ])
    const created = await plan({ stack: 'other', entities: everyKind('created') })
    for (const secret of ['key-123', 'key-456', 'secret-path', 'header-key', 'url-key', 'example.org/hook'])
      expect(JSON.stringify([shown, created])).not.toContain(secret)
  })

  test('shows what others changed or deleted since the last apply, until the next apply', async () => {
    const entities = everyKind('drifted')
    const body = { stack: 'drifted', entities }
    await apply(body)
    const fullname = 'acme.drifted'
    await team.admin.saveProject({ fullname, body: project(fullname, { tags: ['by-hand'] }) })
    const [made] = await team.owner.listTemplates({ fullname })
    await team.admin.saveTemplate({
      fullname,
      id: made?.id ?? '',
      body: template(fullname, { groups: [], topics: [], rules: [] }),
    })
    await team.admin.deleteAddressList({ fullname: 'acme.drifted-list' }).catch(() => undefined)
    await team.admin.deleteResource({ fullname: 'acme.drifted-hook' })
    const { drift, changes } = await plan(body)
    const byName = Object.fromEntries(drift.map(({ fullname, diff }) => [fullname, diff]))
    expect(Object.keys(byName)).toEqual([fullname, 'acme.drifted-hook', 'moves', 'main'])
    expect(byName[fullname]).toEqual([{ path: 'tags', from: [], to: ['by-hand'] }])
    expect(byName['acme.drifted-hook']).toContainEqual({ path: 'data', from: '***', to: null })
    expect(byName.moves).toEqual([{ path: 'resources', from: ['acme.drifted-hook'], to: [] }])
    expect(actionsOf({ changes })).toEqual([
      `update project ${fullname}`,
      'create resource acme.drifted-hook',
      'update template main',
      'update subscription moves',
    ])
    const unnamed = { stack: 'drifted', entities: [] }
    expect((await plan(unnamed)).drift).toEqual(drift)
    expect((await plan(unnamed, team.developer)).drift).toEqual(drift.filter(({ kind }) => kind !== 'subscription'))
    expect((await plan(unnamed, team.user)).drift).toEqual([])
    await apply(body)
    expect(await plan(body)).toMatchObject({ drift: [], issues: [] })
  })

  test('reports every issue with its entity and its path, and applies none of it', async () => {
    const { mode, ...source } = customSource('acme.bad-chain')
    const entities: Entity[] = [
      { kind: 'project', payload: project('acme.bad', { meta: { title: '', description: '' } }) },
      { kind: 'trigger', payload: trigger('acme.bad.moved') },
      { kind: 'project', payload: project('acme.good') },
      { kind: 'trigger', payload: trigger('acme.good.moved', { activation: 'return (' }) },
      { kind: 'trigger', payload: trigger('acme.missing.moved') },
      { kind: 'resource', payload: resource('acme.pigeon', { blueprint: 'common.delivery.pigeon' }) },
      { kind: 'resource', payload: resource('acme.hook', { data: { url: 'nowhere' } }) },
      { kind: 'source', payload: { ...source, endpoints: [] } },
      { kind: 'template', payload: { ...template('acme.good') } },
      { kind: 'template', payload: { key: 'main', ...template('acme.good', { topics: [] }) } },
      { kind: 'subscription', payload: { key: 'a', ...subscription('acme.good.unknown') } },
      { kind: 'address-list', payload: addressList('other.list') },
      { kind: 'address-list', payload: addressList('acme.list', { addresses: ['0x1'] }) },
      { kind: 'address-list', payload: addressList('acme.list') },
      { kind: 'project', payload: project('acme.labelled', labelled('elsewhere')) },
    ]
    const body = { stack: 'bad', entities }
    const { issues, planHash } = await plan(body)
    const told = issues.map(({ kind, fullname, path }) => `${kind} ${fullname} ${path}`)
    expect(told.toSorted()).toEqual(
      [
        'address-list acme.list ',
        'address-list acme.list addresses.0',
        'address-list other.list workspace',
        'project acme.bad meta.title',
        'project acme.labelled labels.tocsin\\.stack',
        'resource acme.hook data.url',
        'resource acme.pigeon blueprint',
        'source acme.bad-chain endpoints',
        'subscription a ',
        'template entities.8 key',
        'template main rules.0.topic',
        'trigger acme.good.moved activation.source',
        'trigger acme.missing.moved ',
      ].toSorted(),
    )
    const call = { fullname: 'acme', body: { ...body, expectedPlanHash: planHash } }
    const error = await rejects(team.owner.applyStack(call), { code: 'invalid_payload', status: 400 })
    expect(error.details).toEqual({ issues })
    await rejects(team.owner.getProject({ fullname: 'acme.good' }), { code: 'not_found' })
  })

  test('refuses kinds and stacks that cannot be, before it looks at any entity', async () => {
    const refused = async (body: unknown, path: string) =>
      rejects(plan(body as Request), {
        code: 'invalid_payload',
        details: { issues: [expect.objectContaining({ path })] },
      })
    await refused({ stack: 'x', entities: [{ kind: 'workspace', payload: {} }] }, 'entities.0.kind')
    await refused({ stack: 'a b', entities: [] }, 'stack')
    await refused({ stack: 'x' }, 'entities')
  })
})

describe('rights', () => {
  test('are those of the single saves: one entity that the caller may not save refuses all', async () => {
    const entities = [
      { kind: 'address-list' as const, payload: addressList('acme.rights-list') },
      { kind: 'project' as const, payload: project('acme.rights') },
    ]
    const body = { stack: 'rights', entities }
    const { planHash } = await plan(body)
    const call = { fullname: 'acme', body: { ...body, expectedPlanHash: planHash } }
    const refused = [
      await rejects(plan(body, team.developer), { code: 'forbidden', status: 403 }),
      await rejects(team.developer.applyStack(call), { code: 'forbidden', status: 403 }),
    ]
    for (const error of refused)
      expect(error.message).toBe('The project "acme.rights": This needs the role admin or above.')
    await rejects(team.owner.getAddressList({ fullname: 'acme.rights-list' }), { code: 'not_found' })
    expect(actionsOf(await plan({ stack: 'rights', entities: entities.slice(0, 1) }, team.developer))).toHaveLength(1)
  })

  test('a subscription stays its account’s own', async () => {
    const body = { stack: 'own', entities: everyKind('own') }
    await apply(body)
    const error = await rejects(plan(body, team.admin), { code: 'forbidden' })
    expect(error.message).toBe('The subscription "direct": This subscription belongs to another account.')
    const others = body.entities.filter(({ kind }) => kind !== 'subscription')
    expect(actionsOf(await apply({ stack: 'own', entities: others }, team.admin))).toEqual([])
    await rejects(plan({ stack: 'own', entities: others, prune: true }, team.admin), { code: 'forbidden' })
    expect(actionsOf(await plan(body))).toEqual([])
  })

  test('a prune needs the rights of each delete', async () => {
    await apply({ stack: 'pruned-by', entities: [{ kind: 'project', payload: project('acme.pruned-by') }] })
    await rejects(plan({ stack: 'pruned-by', entities: [], prune: true }, team.admin), { code: 'forbidden' })
    expect(await team.owner.getProject({ fullname: 'acme.pruned-by' })).toMatchObject(labelled('pruned-by'))
  })
})

describe('membership', () => {
  test('only entities of the stack are deleted, only with prune, those that need others first', async () => {
    const entities = everyKind('pruned')
    await apply({ stack: 'pruned', entities })
    await team.owner.saveProject({ fullname: 'acme.bystander', body: project('acme.bystander') })
    expect(actionsOf(await apply({ stack: 'pruned', entities: [] }))).toEqual([])
    expect(actionsOf(await apply({ stack: 'pruned', entities: [], prune: true }))).toEqual([
      'delete subscription direct',
      'delete subscription moves',
      'delete template main',
      'delete trigger acme.pruned.moved',
      'delete resource acme.pruned-hook',
      'delete project acme.pruned',
      'delete address-list acme.pruned-list',
      'delete source acme.pruned-chain',
    ])
    expect(await team.owner.getProject({ fullname: 'acme.bystander' })).toBeDefined()
    await rejects(team.owner.getProject({ fullname: 'acme.pruned' }), { code: 'not_found' })
    expect(await plan({ stack: 'pruned', entities: [], prune: true })).toMatchObject({ changes: [], drift: [] })
  })

  test('a project that holds what is not of the stack is not deleted', async () => {
    await apply({ stack: 'held', entities: [{ kind: 'project', payload: project('acme.held') }] })
    await team.developer.saveTrigger({ fullname: 'acme.held.mine', body: trigger('acme.held.mine') })
    const { issues } = await plan({ stack: 'held', entities: [], prune: true })
    expect(issues).toEqual([
      {
        kind: 'project',
        fullname: 'acme.held',
        path: '',
        message: 'cannot be deleted: it holds 1 trigger that would be deleted too',
      },
    ])
    const error = await rejects(apply({ stack: 'held', entities: [], prune: true }), { code: 'invalid_payload' })
    expect(error.message).toBe(`The payload is not valid: project "acme.held": ${issues[0]?.message}.`)
    expect(await team.owner.getTrigger({ fullname: 'acme.held.mine' })).toBeDefined()
  })

  test('an entity of no stack is taken in, one of another stack is an issue', async () => {
    const found = project('acme.found')
    await team.owner.saveProject({ fullname: 'acme.found', body: found })
    const body = { stack: 'finder', entities: [{ kind: 'project' as const, payload: found }] }
    const { changes } = await apply(body)
    expect(changes).toEqual([
      {
        kind: 'project',
        fullname: 'acme.found',
        action: 'update',
        diff: [{ path: 'labels.tocsin\\.stack', from: null, to: 'finder' }],
      },
    ])
    const { issues } = await plan({ ...body, stack: 'thief' })
    expect(issues).toEqual([
      { kind: 'project', fullname: 'acme.found', path: '', message: 'belongs to the stack "finder"' },
    ])
  })

  test('a save by hand leaves an entity in its stack, unless it empties the label', async () => {
    await apply({ stack: 'kept', entities: everyKind('kept') })
    const fullname = 'acme.kept'
    const { owner } = team
    const body = customSource('acme.kept-chain', { mode: 'update', meta: { title: 'By hand' } })
    const list = addressList('acme.kept-list', { meta: { title: 'By hand' } })
    const hook = resource('acme.kept-hook', { project: fullname, labels: { by: 'hand' } })
    const [made] = await owner.listTemplates({ fullname })
    const [direct] = await owner.listSubscriptions({ query: { project: fullname } })
    const moved = trigger(`${fullname}.moved`)
    const views = [
      await owner.saveCustomSource({ fullname: body.fullname, body }),
      await owner.saveAddressList({ fullname: list.fullname, body: list }),
      await owner.saveTemplate({ fullname, id: made?.id ?? '', body: template(fullname) }),
      await owner.saveSubscription({ id: direct?.id ?? '', body: subscription(moved.fullname) }),
      await owner.saveProject({ fullname, body: project(fullname) }),
      await owner.saveTrigger({ fullname: moved.fullname, body: moved }),
      await owner.saveResource({ fullname: hook.fullname, body: hook }),
    ]
    for (const view of views) expect(view).toMatchObject(labelled('kept'))
    const out = { labels: { 'tocsin.stack': '' } }
    const left = [
      await owner.saveProject({ fullname, body: { ...project(fullname), ...out } }),
      await owner.saveTrigger({ fullname: moved.fullname, body: { ...moved, ...out } }),
      await owner.saveResource({ fullname: hook.fullname, body: { ...hook, ...out } }),
    ]
    expect(left.map(({ labels }) => labels)).toEqual([{}, {}, {}])
  })

  test('a transferred project leaves its stack', async () => {
    const kinds = ['address-list', 'project', 'trigger', 'template'] as const
    await apply({ stack: 'leaving', entities: someKinds('leaving', ...kinds) })
    await team.owner.saveWorkspace({ fullname: 'elsewhere', body: { fullname: 'elsewhere' } })
    const { id } = await team.owner.createTransferRequest({
      fullname: 'acme.leaving',
      body: { targetWorkspace: 'elsewhere' },
    })
    await team.owner.acceptTransfer({ id, body: {} })
    const moved = await team.owner.getTrigger({ fullname: 'elsewhere.leaving.moved' })
    const views = [await team.owner.getProject({ fullname: 'elsewhere.leaving' }), moved]
    for (const view of views) expect(view.labels).toEqual({})
    expect((await team.owner.listTemplates({ fullname: 'elsewhere.leaving' }))[0]).not.toHaveProperty('key')
    const pruned = await team.owner.planStack({
      fullname: 'elsewhere',
      body: { stack: 'leaving', entities: [], prune: true },
    })
    expect(pruned.changes).toEqual([])
  })
})

describe('the stacks of a workspace', () => {
  test('are listed with their definitions, which name what a page needs to link to them', async () => {
    await apply({ stack: 'shown', entities: everyKind('shown') })
    const { appliedAt, ...contents } = await team.developer.getStack({ fullname: 'acme', stack: 'shown' })
    expect(appliedAt).toEqual(expect.any(String))
    const [main] = await team.owner.listTemplates({ fullname: 'acme.shown' })
    expect(contents).toEqual({
      stack: 'shown',
      entitiesCount: 6,
      entities: [
        { kind: 'address-list', fullname: 'acme.shown-list' },
        { kind: 'project', fullname: 'acme.shown' },
        { kind: 'resource', fullname: 'acme.shown-hook' },
        { kind: 'source', fullname: 'acme.shown-chain' },
        { kind: 'template', fullname: 'main', id: main?.id, project: 'acme.shown' },
        { kind: 'trigger', fullname: 'acme.shown.moved' },
      ],
    })
    // Subscriptions of others are seen by admins.
    const seen = await team.admin.getStack({ fullname: 'acme', stack: 'shown' })
    expect(seen.entities.filter(({ kind }) => kind === 'subscription')).toEqual([
      { kind: 'subscription', fullname: 'direct', id: expect.any(String) },
      { kind: 'subscription', fullname: 'moves', id: expect.any(String) },
    ])
    const own = await team.owner.listStacks({ fullname: 'acme', query: {} })
    expect(own).toContainEqual({ stack: 'shown', entitiesCount: 8, appliedAt })
    const few = await team.developer.listStacks({ fullname: 'acme', query: {} })
    expect(few).toContainEqual({ stack: 'shown', entitiesCount: 6, appliedAt })
    expect(few.map(({ stack }) => stack)).toEqual(few.map(({ stack }) => stack).toSorted())
  })

  test('come page by page, also one that only a label names; an unknown stack is not found', async () => {
    await team.owner.saveProject({ fullname: 'acme.by-hand', body: project('acme.by-hand', labelled('by-hand')) })
    await apply({ stack: 'aaa', entities: [{ kind: 'project', payload: project('acme.aaa') }] })
    const all = await team.owner.listStacks({ fullname: 'acme', query: {} })
    const paged: typeof all = []
    for await (const stack of team.owner.each.listStacks({ fullname: 'acme', query: { limit: 1 } })) paged.push(stack)
    expect(paged).toEqual(all)
    expect(all).toContainEqual({ stack: 'by-hand', entitiesCount: 1, appliedAt: null })
    await rejects(team.owner.getStack({ fullname: 'acme', stack: 'unknown' }), { code: 'not_found' })
    await rejects(team.stranger.getStack({ fullname: 'acme', stack: 'aaa' }), { code: 'not_found' })
  })
})

test('whatever is edited, a plan after the apply is empty', async () => {
  const entities = everyKind('random')
  const text = fc.string({ minLength: 1, maxLength: 8 }).filter((value) => value.trim() !== '' && value.isWellFormed())
  const name = fc.stringMatching(/^x[a-z.]{1,6}$/)
  const leaf = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))
  const value = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(name, leaf, { maxKeys: 3 }))
  const free = fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true })
  const edits = fc.record({
    project: fc.record({
      tags: fc.array(text, { maxLength: 3 }),
      labels: fc.dictionary(text, text, { maxKeys: 3 }),
      meta: fc.record(
        { title: text, description: fc.string(), shortDescription: text },
        { requiredKeys: ['title', 'description'] },
      ),
      accessLevel: fc.constantFrom('private', 'public', 'free'),
    }),
    trigger: fc.record({
      backend: free.map((values) => ({ type: 'sdk', values })),
      transform: fc.constantFrom(null, 'source', { raw: 'source' }),
    }),
    template: fc.record({
      meta: fc.record({ title: text, description: fc.string() }),
      schema: fc.constantFrom({ wallet: 'string' }, { wallet: { type: 'string', default: '0x2' } }),
    }),
    resource: fc.record({
      data: free.map((more) => ({ ...more, url: 'https://example.org/hook' })),
      tags: fc.array(text, { maxLength: 3 }),
    }),
    source: fc.record(
      { batchMaxCount: fc.integer({ min: 1, max: 100 }), substrate: free.map((extensions) => ({ extensions })) },
      { requiredKeys: [] },
    ),
    subscription: fc.record(
      {
        values: free.map((more) => ({ ...more, wallet: '0x3' })),
        policy: fc.constantFrom(null, { type: 'throttle', per: '1m' }),
        overrides: fc.record({ title: text.map((title) => title.replaceAll(/[{}\\]/g, '')) }),
      },
      { requiredKeys: ['values'] },
    ),
    'address-list': fc.record({
      addresses: fc.constantFrom([], [`0x${'a'.repeat(40)}`]),
      meta: fc.record({ title: text }),
    }),
  })
  await fc.assert(
    fc.asyncProperty(edits, async (all) => {
      const kinds = Object.entries(all) as [DefinitionKind, Record<string, unknown>][]
      const body = {
        stack: 'random',
        entities: kinds.reduce((list, [kind, fields]) => edited(list, kind, fields), entities),
      }
      await apply(body)
      const after = await plan(body)
      expect(after).toMatchObject({ issues: [], drift: [] })
      expect(actionsOf(after)).toEqual([])
    }),
    { numRuns: 4, endOnFailure: true },
  )
})

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
