import { randomUUID } from 'node:crypto'
import { auditActions } from '@tocsin/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sweep } from '../server/src/sweeper.ts'
import {
  addressList,
  checkedClient,
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

let house: Harness
let team: Team
let owner: Person
beforeAll(async () => {
  house = await harness({ TRUST_PROXY: '1', SECURE_SETUP: 'on' })
  team = await house.team('acme')
  owner = team.owner
  await owner.saveProject({ fullname: 'acme.p', body: project('acme.p') })
})
afterAll(() => house.close())

const audit = (query: NonNullable<Parameters<Person['listAudit']>[0]['query']> = {}) =>
  owner.listAudit({ fullname: 'acme', query })

/** The entries that the calls add, oldest first. */
async function entriesOf(work: () => Promise<unknown>) {
  const [last] = await audit({ limit: 1 })
  await work()
  const all = await audit()
  return all.slice(0, last ? all.findIndex(({ id }) => id === last.id) : all.length).reverse()
}

const actionsOf = async (work: () => Promise<unknown>) =>
  (await entriesOf(work)).map(({ action, fullname }) => `${action} ${fullname}`)

describe('an entry', () => {
  test('tells who changed which fields of what, and from where', async () => {
    const fullname = 'acme.p.told'
    await owner.saveTrigger({ fullname, body: trigger(fullname) })
    const headers = { authorization: `Bearer ${team.developer.token}`, 'x-forwarded-for': '192.0.2.7' }
    const body = JSON.stringify(trigger(fullname, { meta: { title: 'New' }, tags: ['x'] }))
    const [entry, ...more] = await entriesOf(() =>
      fetch(`${house.url}/api/triggers/${fullname}`, {
        method: 'PUT',
        body,
        headers: { ...headers, 'content-type': 'application/json' },
      }),
    )
    expect(more).toEqual([])
    expect(entry).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      actor: { id: team.developer.id, name: 'developer' },
      action: 'trigger.save',
      kind: 'trigger',
      fullname,
      paths: ['tags', 'meta.title'],
      ip: '192.0.2.7',
    })
  })

  test('never has a secret', async () => {
    const secret = `s3cret-${randomUUID()}`
    const fullname = 'acme.p.hush'
    const providers = [
      { id: 'x', type: 'http' as const, url: `https://example.org/${secret}`, headers: { 'x-key': secret } },
    ]
    const entries = await entriesOf(async () => {
      await owner.saveProjectSecret({ fullname: 'acme.p', name: 'key', body: { value: secret } })
      await owner.saveTrigger({ fullname, body: trigger(fullname, { providers }) })
      const data = { url: `https://example.org/${secret}`, secret }
      await owner.saveResource({ fullname: 'acme.hush', body: resource('acme.hush', { data }) })
      const endpoints = [`https://example.org/${secret}`]
      await owner.saveCustomSource({ fullname: 'acme.hush', body: customSource('acme.hush', { endpoints }) })
    })
    expect(entries.map(({ action }) => action)).toEqual(['secret.save', 'trigger.save', 'resource.save', 'source.save'])
    expect(entries[0]?.paths).toEqual(['key'])
    expect(entries[1]?.paths).toContain('providers.0.headers.x-key')
    expect(entries[2]?.paths).toContain('data.secret')
    expect(entries[3]?.paths).toContain('endpoints')
    expect(JSON.stringify(entries)).not.toContain(secret)
  })

  test('is not made by reads, refusals, dry runs, tests and changes of the account', async () => {
    const fullname = 'acme.p.told'
    const entries = await entriesOf(async () => {
      await owner.getTrigger({ fullname })
      await rejects(owner.saveTrigger({ fullname, body: trigger(fullname), ifMatch: '"old.1"' }), {
        code: 'precondition_failed',
      })
      await rejects(team.user.deleteTrigger({ fullname }), { code: 'forbidden' })
      await owner.patchTrigger({ fullname, body: { set: { 'meta.title': 'Dry' }, dryRun: true } })
      await owner.removeTriggers({ body: { fullnames: [fullname], dryRun: true } })
      await owner.createToken({ body: { name: 'ci' } })
      await owner.createAddress({ body: { type: 'plain', address: 'a', alias: 'a' } })
      const { invite = '' } = await owner.getWorkspace({ fullname: 'acme' })
      await team.admin.joinWorkspace({ workspace: 'acme', body: { invite } })
    })
    expect(entries).toEqual([])
  })
})

describe('each change has an entry', () => {
  test('of triggers and drafts', async () => {
    const [one, two] = ['acme.p.one', 'acme.p.two']
    const actions = await actionsOf(async () => {
      await owner.saveTriggerDraft({ fullname: one, body: trigger(one) })
      await owner.deleteTriggerDraft({ fullname: one })
      await owner.saveTrigger({ fullname: one, body: trigger(one, { status: { status: 'ready' } }) })
      await owner.saveTrigger({ fullname: two, body: trigger(two) })
      await owner.patchTrigger({ fullname: one, body: { set: { 'meta.title': 'New' } } })
      await owner.resetTriggerTestStatus({ fullname: one })
      const items = [one, two].map((fullname) => ({ fullname, set: { tags: ['new'] } }))
      await owner.patchTriggers({ body: { items } })
      await owner.deleteTrigger({ fullname: one })
      await owner.removeTriggers({ body: { fullnames: [two] } })
    })
    expect(actions).toEqual([
      `draft.save ${one}`,
      `draft.delete ${one}`,
      `trigger.save ${one}`,
      `trigger.save ${two}`,
      `trigger.patch ${one}`,
      `trigger.reset ${one}`,
      `trigger.patch ${one}`,
      `trigger.patch ${two}`,
      `trigger.delete ${one}`,
      `trigger.delete ${two}`,
    ])
  })

  test('of a draft, with the fields that differ from the draft before, or from the trigger', async () => {
    const fullname = 'acme.p.sketched'
    const save = (title: string, tags: string[]) =>
      owner.saveTriggerDraft({ fullname, body: trigger(fullname, { meta: { title }, tags }) })
    const entries = await entriesOf(async () => {
      await save('First', [])
      await save('Second', [])
      await owner.saveTrigger({ fullname, body: trigger(fullname, { meta: { title: 'Third' } }) })
      await save('Third', ['new'])
    })
    const paths = entries.filter(({ action }) => action === 'draft.save').map((entry) => entry.paths)
    expect(paths).toEqual([expect.arrayContaining(['backend.type', 'meta.title']), ['meta.title'], ['tags']])
  })

  test('of projects, templates, secrets, links and address lists', async () => {
    const fullname = 'acme.q'
    let templateId = ''
    const actions = await actionsOf(async () => {
      await owner.saveProject({ fullname, body: project(fullname) })
      templateId = (await owner.createTemplate({ fullname, body: template(fullname) })).id
      await owner.saveTemplate({ fullname, id: templateId, body: template(fullname) })
      await owner.deleteTemplate({ fullname, id: templateId })
      await owner.saveProjectSecret({ fullname, name: 'key', body: { value: 'v' } })
      await owner.deleteProjectSecret({ fullname, name: 'key' })
      const link = await owner.createAccessLink({ fullname })
      await owner.deleteAccessLink({ fullname, id: link.id })
      const addon = await owner.createAddon({ fullname, body: { name: 'extra' } })
      await owner.saveAddon({ fullname, id: addon.id, body: { state: 'canceled' } })
      await owner.deleteProject({ fullname })
      await owner.saveAddressList({ fullname: 'acme.l', body: addressList('acme.l') })
      await owner.deleteAddressList({ fullname: 'acme.l' })
    })
    expect(actions).toEqual([
      `project.save ${fullname}`,
      `template.save ${templateId}`,
      `template.save ${templateId}`,
      `template.delete ${templateId}`,
      `secret.save ${fullname}`,
      `secret.delete ${fullname}`,
      `access-link.create ${fullname}`,
      `access-link.revoke ${fullname}`,
      `addon.save ${fullname}`,
      `addon.save ${fullname}`,
      `project.delete ${fullname}`,
      'address-list.save acme.l',
      'address-list.delete acme.l',
    ])
  })

  test('of resources, sources and subscriptions', async () => {
    const watched = 'acme.p.watched'
    await owner.saveTrigger({ fullname: watched, body: trigger(watched) })
    let id = ''
    const entries = await entriesOf(async () => {
      await owner.saveResource({ fullname: 'acme.r', body: resource('acme.r') })
      await owner.saveCustomSource({ fullname: 'acme.s', body: customSource('acme.s') })
      await owner.restartCustomSource({ fullname: 'acme.s' })
      await owner.resetCustomSourceLag({ fullname: 'acme.s' })
      await owner.deleteCustomSource({ fullname: 'acme.s' })
      id = (await owner.createSubscription({ body: subscription(watched) })).id
      await owner.saveSubscription({ id, body: { ...subscription(watched), resources: ['acme.r'] } })
      await owner.pauseSubscription({ id })
      await owner.pauseSubscription({ id })
      await owner.resumeSubscription({ id })
      await owner.deleteSubscription({ id })
      await owner.deleteResource({ fullname: 'acme.r' })
    })
    expect(entries.map(({ action, fullname }) => `${action} ${fullname}`)).toEqual([
      'resource.save acme.r',
      'source.save acme.s',
      'source.restart acme.s',
      'source.reset-lag acme.s',
      'source.delete acme.s',
      `subscription.save ${id}`,
      `subscription.save ${id}`,
      `subscription.pause ${id}`,
      `subscription.resume ${id}`,
      `subscription.delete ${id}`,
      'resource.delete acme.r',
    ])
    expect(entries[6]?.paths).toEqual(['resources'])
  })

  test('of the workspace, its members and transfers, in both workspaces', async () => {
    const guest = await house.person('guest')
    await guest.saveWorkspace({ fullname: 'far', body: { fullname: 'far' } })
    await owner.saveProject({ fullname: 'acme.moving', body: project('acme.moving') })
    const entries = await entriesOf(async () => {
      await owner.saveWorkspace({
        fullname: 'acme',
        body: { fullname: 'acme', meta: { title: 'Acme' }, resetInvite: true },
      })
      const { invite = '' } = await owner.getWorkspace({ fullname: 'acme' })
      await guest.joinWorkspace({ workspace: 'acme', body: { invite } })
      const entryId = (await owner.listAcl({ workspace: 'acme' })).find(({ user }) => user.id === guest.id)?.id ?? ''
      await owner.saveAclEntry({ workspace: 'acme', entryId, body: { level: 'developer' } })
      await owner.deleteAclEntry({ workspace: 'acme', entryId })
      const { id } = await owner.createTransferRequest({ fullname: 'acme.moving', body: { targetWorkspace: 'far' } })
      await guest.acceptTransfer({ id })
    })
    expect(entries.map(({ action, fullname, paths }) => [action, fullname, ...paths])).toEqual([
      ['workspace.save', 'acme', 'meta.title', 'invite'],
      ['member.join', guest.email],
      ['member.save', guest.email, 'level'],
      ['member.remove', guest.email],
      ['transfer.request', 'acme.moving'],
      ['transfer.accept', 'acme.moving'],
    ])
    const far = await guest.listAudit({ fullname: 'far' })
    expect(far.map(({ action }) => action)).toEqual(['transfer.accept', 'transfer.request', 'workspace.save'])
  })

  test('by a person with a link and no account', async () => {
    const body = resource('acme.chat', { blueprint: 'common.delivery.telegram' })
    const { token = '' } = await owner.saveResource({ fullname: 'acme.chat', body })
    const [entry] = await entriesOf(() =>
      house.nobody.submitExternalResource({ token, body: { transform: { chatId: '1', title: 'Chat' } } }),
    )
    expect(entry).toMatchObject({ action: 'resource.setup', fullname: 'acme.chat', actor: { id: 'link' } })
  })

  test('of a stack that is applied, one for each entity that changed', async () => {
    const [same, changed] = ['acme.p.same', 'acme.p.changed']
    const request = (title: string) => ({
      stack: 'infra',
      entities: [
        { kind: 'trigger' as const, payload: trigger(same) },
        { kind: 'trigger' as const, payload: trigger(changed, { meta: { title } }) },
      ],
    })
    const apply = async (title: string) => {
      const body = request(title)
      const { planHash } = await owner.planStack({ fullname: 'acme', body })
      await owner.applyStack({ fullname: 'acme', body: { ...body, expectedPlanHash: planHash } })
    }
    expect(await actionsOf(() => apply('First'))).toEqual([`trigger.save ${changed}`, `trigger.save ${same}`])
    const entries = await entriesOf(() => apply('Second'))
    expect(entries.map(({ fullname, paths }) => [fullname, paths])).toEqual([[changed, ['meta.title']]])
  })
})

describe('the log', () => {
  test('is read by actor, by action and before an entry or a time, newest first', async () => {
    const fullname = 'acme.p.paged'
    for (const title of ['a', 'b', 'c']) {
      house.clock.advance(10)
      await team.developer.saveTrigger({ fullname, body: trigger(fullname, { meta: { title } }) })
    }
    const mine = await audit({ actor: team.developer.id, action: 'trigger.save' })
    const [third, second, first] = mine.filter((entry) => entry.fullname === fullname)
    expect([third?.at, second?.at, first?.at].toSorted().reverse()).toEqual([third?.at, second?.at, first?.at])
    expect(mine.every(({ actor, action }) => actor.id === team.developer.id && action === 'trigger.save')).toBe(true)
    const query = { actor: team.developer.id, limit: 1 }
    expect(await audit({ ...query, before: third?.id ?? '' })).toEqual([second])
    expect(await audit({ ...query, before: second?.at ?? '' })).toEqual([first])
    expect(await audit({ before: randomUUID() })).toEqual([])
    await rejects(audit({ before: 'yesterday' }), {
      code: 'invalid_query',
      details: { issues: [{ path: 'before', message: expect.stringContaining('or the id of an entry') }] },
    })
    const paged: unknown[] = []
    for await (const entry of owner.each.listAudit({ fullname: 'acme', query: { limit: 2 } })) paged.push(entry)
    expect(paged).toEqual(await audit())
  })

  test('names only known actions', async () => {
    for (const { action } of await audit()) expect(auditActions).toContain(action)
  })

  test('is for owners and admins with the scope to read', async () => {
    expect(await team.admin.listAudit({ fullname: 'acme' })).toEqual(await audit())
    await rejects(team.developer.listAudit({ fullname: 'acme' }), { code: 'forbidden' })
    await rejects(team.stranger.listAudit({ fullname: 'acme' }), { code: 'not_found' })
    await rejects(house.nobody.listAudit({ fullname: 'acme' }), { code: 'unauthenticated' })
    const { token } = await owner.createToken({ body: { name: 'w', scopes: ['write'] } })
    await rejects(checkedClient(house.url, token).listAudit({ fullname: 'acme' }), { code: 'insufficient_scope' })
  })

  test('forgets entries after RETENTION_AUDIT_DAYS', async () => {
    const fullname = 'acme.p.kept'
    // The owner's session ends before that.
    const { token } = await owner.createToken({ body: { name: 'lasting' } })
    const lasting = checkedClient(house.url, token)
    expect((await audit()).length).toBeGreaterThan(1)
    house.clock.advance(366 * 24 * 3_600_000)
    await lasting.saveTrigger({ fullname, body: trigger(fullname) })
    await sweep(house.service.store, { alertsDays: 90, logsDays: 30, auditDays: 365 }, house.clock.now())
    const left = await lasting.listAudit({ fullname: 'acme' })
    expect(left.map((entry) => entry.fullname)).toEqual([fullname])
  })
})
