import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Harness,
  harness,
  type Person,
  project,
  rejects,
  resource,
  type Team,
  template,
  trigger,
} from './harness/index.ts'

let house: Harness
let team: Team

beforeAll(async () => {
  house = await harness()
  team = await house.team('acme')
})
afterAll(() => house.close())

const save = (person: Person, fullname: string, extra: Parameters<typeof project>[1] = {}) =>
  person.saveProject({ fullname, body: project(fullname, extra) })

describe('saving', () => {
  test('an admin creates a project, and each member of the workspace reads it with their own level', async () => {
    const body = project('acme.first', {
      tags: ['defi'],
      labels: { chain: 'eth' },
      meta: {
        title: 'First',
        description: 'The first',
        shortDescription: 'Short',
        links: [{ title: 'Site', url: 'https://example.org' }],
        icon: 'https://example.org/icon.png',
      },
    })
    const view = await team.admin.saveProject({ fullname: 'acme.first', body })
    const { public: isPublic, ...given } = body
    expect(view).toMatchObject({ ...given, level: 'admin', counts: { triggers: 0, templates: 0 } })
    expect(view).not.toHaveProperty('ownerTitle')
    for (const level of ['owner', 'admin', 'developer', 'user'] as const)
      expect(await team[level].getProject({ fullname: 'acme.first' })).toEqual({ ...view, level })
  })

  test('a full save clears omitted fields and keeps id and createdAt', async () => {
    const before = await save(team.owner, 'acme.cleared', { tags: ['a'], labels: { k: 'v' } })
    house.clock.advance(1000)
    const after = await save(team.owner, 'acme.cleared', { meta: { title: 'T', description: '' } })
    expect(after).toMatchObject({ id: before.id, createdAt: before.createdAt, tags: [], labels: {} })
    expect(after.meta).toEqual({ title: 'T', description: '' })
    expect(after.updatedAt > before.updatedAt).toBe(true)
  })

  test('unknown fields are ignored', async () => {
    const body = { ...project('acme.extra'), id: 'mine', level: 'owner', meta: { title: 't', description: '', x: 1 } }
    const view = await team.owner.saveProject({ fullname: 'acme.extra', body })
    expect(view.id).not.toBe('mine')
    expect(view.meta).toEqual({ title: 't', description: '' })
  })

  test('the title of the workspace is shown as the owner', async () => {
    const titled = await house.person('titled')
    await titled.saveWorkspace({ fullname: 'titled', body: { fullname: 'titled', meta: { title: 'Titled Inc' } } })
    expect(await save(titled, 'titled.p')).toMatchObject({ ownerTitle: 'Titled Inc', workspace: 'titled' })
  })

  test('of two saves with the same If-Match one wins and the other changes nothing', async () => {
    await save(team.owner, 'acme.duel')
    for (let round = 0; round < 5; round++) {
      const ifMatch = (await team.owner.whole.getProject({ fullname: 'acme.duel' })).headers.get('etag') ?? ''
      const saves = ['one', 'two'].map((title) => {
        const body = project('acme.duel', { meta: { title, description: '' } })
        return team.owner.saveProject({ fullname: 'acme.duel', ifMatch, body })
      })
      const outcomes = await Promise.allSettled(saves)
      const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
      const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      expect(won).toHaveLength(1)
      expect(lost).toMatchObject([{ code: 'precondition_failed', status: 412 }])
      expect((await team.owner.getProject({ fullname: 'acme.duel' })).meta).toEqual(won[0]?.meta)
    }
  })

  test('of many simultaneous creations one creates and the others save', async () => {
    const views = await Promise.all([1, 2, 3, 4].map(() => save(team.owner, 'acme.crowd')))
    expect(new Set(views.map(({ id }) => id)).size).toBe(1)
  })

  test('If-Match on a project that does not exist fails and creates nothing', async () => {
    const body = project('acme.nowhere')
    const call = team.owner.saveProject({ fullname: 'acme.nowhere', ifMatch: '*', body })
    await rejects(call, { code: 'precondition_failed', status: 412 })
    await rejects(team.owner.getProject({ fullname: 'acme.nowhere' }), { code: 'not_found' })
  })

  test('If-None-Match: * creates a project and never overwrites one', async () => {
    const save = (title: string, ifNoneMatch: string) => {
      const body = project('acme.once-only', { meta: { title, description: '' } })
      return team.owner.saveProject({ fullname: 'acme.once-only', ifNoneMatch, body })
    }
    await save('First', '*')
    await rejects(save('Second', '*'), { code: 'precondition_failed', status: 412 })
    const { body, headers } = await team.owner.whole.getProject({ fullname: 'acme.once-only' })
    expect(body.meta.title).toBe('First')
    await rejects(save('Second', headers.get('etag') ?? ''), { code: 'precondition_failed', status: 412 })
    expect((await save('Second', '"another"')).meta.title).toBe('Second')
  })

  test('a save returns the ETag of the next read', async () => {
    const saved = await team.owner.whole.saveProject({ fullname: 'acme.tagged', body: project('acme.tagged') })
    const read = await team.owner.whole.getProject({ fullname: 'acme.tagged' })
    expect(saved.headers.get('etag')).toBeTruthy()
    expect(read.headers.get('etag')).toBe(saved.headers.get('etag'))
  })
})

describe('names', () => {
  test('path and payload must have the same name', async () => {
    const call = team.owner.saveProject({ fullname: 'acme.a', body: project('acme.b') })
    await rejects(call, { code: 'fullname_mismatch', status: 400 })
  })

  test.each([
    ['a name that does not fit', { name: 'other' }],
    ['a workspace that does not fit', { workspace: 'other' }],
  ])('%s is refused', async (_, extra) => {
    await rejects(save(team.owner, 'acme.odd', extra), { code: 'fullname_invalid', status: 400 })
  })

  test.each(['Upper', '-a', 'a-', 'under_score', 'ä', 'x'.repeat(65), ''])(
    '"%s" is not a project name',
    async (name) => {
      const body = { ...project('acme.x'), name, fullname: `acme.${name}` }
      await rejects(team.owner.saveProject({ fullname: body.fullname, body }), {
        code: 'fullname_invalid',
        status: 400,
      })
    },
  )

  test('an invalid payload is refused with every wrong field', async () => {
    const body = { ...project('acme.bad'), public: 'yes', meta: { title: '' } }
    const error = await rejects(team.owner.saveProject({ fullname: 'acme.bad', body: body as never }), {
      code: 'invalid_payload',
      status: 400,
    })
    const issues = ['public', 'meta.title', 'meta.description'].map((path) => expect.objectContaining({ path }))
    expect(error.details).toEqual({ issues: expect.arrayContaining(issues) })
  })
})

describe('accessLevel, visibility and public describe one state', () => {
  const priv = { public: false, accessLevel: 'private', visibility: 'personal' } as const
  const link = { public: false, accessLevel: 'private', visibility: 'private_link' } as const
  const open = { public: true, accessLevel: 'public', visibility: 'public' } as const
  const free = { public: true, accessLevel: 'free', visibility: 'public' } as const

  test.each([
    [{ public: false }, priv],
    [{ public: true }, open],
    [{ public: true, visibility: 'personal' }, priv],
    [{ public: true, visibility: 'private_link' }, link],
    [{ public: false, visibility: 'public' }, open],
    [{ public: true, accessLevel: 'private' }, priv],
    [{ public: true, accessLevel: 'private', visibility: 'private_link' }, link],
    [{ public: true, accessLevel: 'private', visibility: 'personal' }, priv],
    [{ public: false, accessLevel: 'public' }, open],
    [{ public: false, accessLevel: 'free' }, free],
    [{ public: false, accessLevel: 'free', visibility: 'public' }, free],
  ] as const)('%j is read as %j', async (given, expected) => {
    expect(await save(team.owner, 'acme.state', given)).toMatchObject(expected)
  })

  test.each([
    { accessLevel: 'private', visibility: 'public' },
    { accessLevel: 'public', visibility: 'personal' },
    { accessLevel: 'free', visibility: 'private_link' },
  ] as const)('%j contradict each other and are refused', async (given) => {
    await rejects(save(team.owner, 'acme.state', given), { code: 'access_level_conflict', status: 400 })
  })
})

describe('access', () => {
  test('create: owners and admins; other members get 403, strangers 404', async () => {
    for (const level of ['developer', 'user'] as const)
      await rejects(save(team[level], 'acme.by-other'), { code: 'forbidden', status: 403 })
    await rejects(save(team.stranger, 'acme.by-other'), { code: 'not_found', status: 404 })
    await rejects(save(team.stranger, 'missing.by-other'), { code: 'not_found', status: 404 })
    await save(team.admin, 'acme.by-admin')
  })

  test('save: a stranger gets 403 for a public project and 404 for a private one', async () => {
    await save(team.owner, 'acme.open', { public: true })
    await save(team.owner, 'acme.closed')
    for (const person of [team.developer, team.user, team.stranger])
      await rejects(save(person, 'acme.open'), { code: 'forbidden', status: 403 })
    await rejects(save(team.developer, 'acme.closed'), { code: 'forbidden', status: 403 })
    await rejects(save(team.stranger, 'acme.closed'), { code: 'not_found', status: 404 })
    const [closed, none] = await Promise.all(
      ['acme.closed', 'acme.none'].map((fullname) =>
        rejects(team.stranger.getProject({ fullname }), { code: 'not_found' }),
      ),
    )
    expect(closed?.message.replace('closed', 'none')).toBe(none?.message)
  })

  test('a stranger reads public and free projects, and has no level', async () => {
    await save(team.owner, 'acme.seen', { public: true })
    expect(await team.stranger.getProject({ fullname: 'acme.seen' })).not.toHaveProperty('level')
    await save(team.owner, 'acme.seen', { public: true, accessLevel: 'free' })
    expect(await team.stranger.getProject({ fullname: 'acme.seen' })).toMatchObject({ accessLevel: 'free' })
    await save(team.owner, 'acme.seen')
    await rejects(team.stranger.getProject({ fullname: 'acme.seen' }), { code: 'not_found' })
  })

  test('delete: only owners', async () => {
    await save(team.owner, 'acme.kept', { public: true })
    for (const person of [team.admin, team.developer, team.user, team.stranger])
      await rejects(person.deleteProject({ fullname: 'acme.kept' }), { code: 'forbidden', status: 403 })
    await save(team.owner, 'acme.kept')
    await rejects(team.stranger.deleteProject({ fullname: 'acme.kept' }), { code: 'not_found', status: 404 })
  })

  test('a caller who is not signed in is refused', async () => {
    const signedOut = { code: 'unauthenticated', status: 401 } as const
    const { nobody } = house
    await rejects(nobody.listProjects(), signedOut)
    await rejects(nobody.getProject({ fullname: 'acme.kept' }), signedOut)
    await rejects(nobody.saveProject({ fullname: 'acme.kept', body: project('acme.kept') }), signedOut)
    await rejects(nobody.deleteProject({ fullname: 'acme.kept' }), signedOut)
    await rejects(nobody.getProjectCreateCapability(), signedOut)
  })
})

describe('lists', () => {
  test('contain the projects that the account may read, by name, filtered by workspace and scope', async () => {
    const lists = await house.team('lists')
    await save(lists.owner, 'lists.c-private')
    await save(lists.owner, 'lists.b-public', { public: true })
    await save(lists.owner, 'lists.a-free', { public: true, accessLevel: 'free' })
    const names = async (person: Person, query: { workspace?: string; scope?: 'all' | 'marketplace' | 'backend' }) =>
      (await person.listProjects({ query })).map(({ fullname }) => fullname)
    const workspace = 'lists'
    expect(await names(lists.user, { workspace })).toEqual(['lists.a-free', 'lists.b-public', 'lists.c-private'])
    expect(await names(lists.user, { workspace, scope: 'marketplace' })).toEqual(['lists.a-free', 'lists.b-public'])
    expect(await names(lists.user, { scope: 'backend' })).toEqual([])
    expect(await names(lists.developer, { scope: 'backend' })).toEqual([])
    expect(await names(lists.admin, { scope: 'backend' })).toEqual([
      'lists.a-free',
      'lists.b-public',
      'lists.c-private',
    ])
    expect(await names(lists.stranger, { workspace })).toEqual(['lists.a-free', 'lists.b-public'])
    expect(await names(lists.stranger, {})).not.toContain('lists.c-private')
    expect(await names(lists.stranger, { workspace: 'missing' })).toEqual([])
    await rejects(lists.user.listProjects({ query: { scope: 'odd' as never } }), { code: 'invalid_query', status: 400 })
  })

  test('are paged', async () => {
    const paged = await house.team('paged')
    for (const name of ['a', 'b', 'c']) await save(paged.owner, `paged.${name}`)
    const first = await paged.user.whole.listProjects({ query: { workspace: 'paged', limit: 2 } })
    const cursor = /cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1]
    const second = await paged.user.whole.listProjects({ query: { workspace: 'paged', limit: 2, cursor } })
    expect([...first.body, ...second.body].map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(second.headers.get('link')).toBeNull()
  })
})

describe('deleting', () => {
  test('deletes triggers, templates, links and resources too, and cancels the pending transfer', async () => {
    const gone = await house.team('gone')
    await gone.stranger.saveWorkspace({ fullname: 'gone-to', body: { fullname: 'gone-to' } })
    await save(gone.owner, 'gone.p')
    await gone.owner.saveTrigger({ fullname: 'gone.p.t', body: trigger('gone.p.t') })
    await gone.owner.createTemplate({ fullname: 'gone.p', body: template('gone.p') })
    const link = await gone.owner.createAccessLink({ fullname: 'gone.p' })
    await gone.owner.saveResource({ fullname: 'gone.r', body: resource('gone.r', { project: 'gone.p' }) })
    await gone.owner.saveResource({ fullname: 'gone.kept', body: resource('gone.kept') })
    await gone.owner.createTransferRequest({ fullname: 'gone.p', body: { targetWorkspace: 'gone-to' } })
    expect(await gone.owner.getProject({ fullname: 'gone.p' })).toMatchObject({ counts: { triggers: 1, templates: 1 } })

    expect(await gone.owner.deleteProject({ fullname: 'gone.p' })).toEqual({ ok: true })
    await rejects(gone.owner.getProject({ fullname: 'gone.p' }), { code: 'not_found', status: 404 })
    await rejects(gone.owner.getTrigger({ fullname: 'gone.p.t' }), { code: 'not_found' })
    await rejects(gone.stranger.openAccessLink({ token: link.token }), { code: 'not_found' })
    await rejects(gone.owner.deleteProject({ fullname: 'gone.p' }), { code: 'not_found' })
    expect((await gone.owner.listResources({ query: { workspace: 'gone' } })).map(({ fullname }) => fullname)).toEqual([
      'gone.kept',
    ])
    const requests = await gone.owner.listTransferRequests({ query: { workspace: 'gone', direction: 'outgoing' } })
    expect(requests).toMatchObject([{ project: 'gone.p', status: 'cancelled' }])
  })

  test('a later project of the same name is a new project', async () => {
    const before = await team.owner.whole.saveProject({ fullname: 'acme.again', body: project('acme.again') })
    const ifMatch = before.headers.get('etag') ?? ''
    await rejects(team.owner.deleteProject({ fullname: 'acme.again', ifMatch: '"other.1"' }), {
      code: 'precondition_failed',
    })
    await team.owner.deleteProject({ fullname: 'acme.again', ifMatch })
    const after = await save(team.owner, 'acme.again')
    expect(after.id).not.toBe(before.body.id)
    const stale = team.owner.saveProject({ fullname: 'acme.again', ifMatch, body: project('acme.again') })
    await rejects(stale, { code: 'precondition_failed', status: 412 })
  })
})

describe('an old name', () => {
  test('finds the moved project until a new project uses the name', async () => {
    const moved = await house.team('moved')
    await moved.admin.saveWorkspace({ fullname: 'moved-to', body: { fullname: 'moved-to' } })
    const { id } = await save(moved.owner, 'moved.p', { public: true })
    const request = await moved.owner.createTransferRequest({
      fullname: 'moved.p',
      body: { targetWorkspace: 'moved-to' },
    })
    await moved.admin.acceptTransfer({ id: request.id })
    expect(await moved.stranger.getProject({ fullname: 'moved.p' })).toMatchObject({ id, fullname: 'moved-to.p' })
    await rejects(moved.admin.deleteProject({ fullname: 'moved.p' }), { code: 'not_found' })

    const taken = await save(moved.owner, 'moved.p', { public: true })
    expect(taken.id).not.toBe(id)
    expect(await moved.stranger.getProject({ fullname: 'moved.p' })).toMatchObject({
      id: taken.id,
      fullname: 'moved.p',
    })
    await moved.owner.deleteProject({ fullname: 'moved.p' })
    await moved.admin.deleteProject({ fullname: 'moved-to.p' })
    await rejects(moved.stranger.getProject({ fullname: 'moved.p' }), { code: 'not_found' })
  })
})

describe('limits for an account', () => {
  test('are off unless the operator sets them', async () => {
    const free = await house.person('free')
    expect(await free.getProjectCreateCapability()).toEqual({
      canCreateProjects: true,
      canCreatePrivateProjects: true,
      privateProjectsUsed: 0,
      privateProjectsLimit: null,
    })
  })

  describe('under an operator’s limit of two private projects', () => {
    let limited: Harness
    let ann: Person
    const workspaces = ['one', 'two', 'three', 'four']
    beforeAll(async () => {
      limited = await harness({ LIMIT_PRIVATE_PROJECTS: '2' })
      ann = await limited.person('ann')
      for (const fullname of workspaces) await ann.saveWorkspace({ fullname, body: { fullname } })
      await save(ann, 'one.a')
    })
    afterAll(() => limited.close())

    test('one of many concurrent requests gets the last free project', async () => {
      for (let round = 0; round < 5; round++) {
        const race = await Promise.allSettled(workspaces.map((workspace) => save(ann, `${workspace}.raced`)))
        const won = race.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.fullname] : []))
        expect(won).toHaveLength(1)
        if (round < 4) await ann.deleteProject({ fullname: won[0] ?? '' })
      }
    })

    test('a save that makes a third project private is refused; all other saves work', async () => {
      const refused = { code: 'limit_reached', status: 403, details: { limit: 2, used: 2 } } as const
      await rejects(save(ann, 'two.c'), refused)
      await save(ann, 'one.a', { tags: ['still saved'] })
      await save(ann, 'two.open', { public: true })
      await rejects(save(ann, 'two.open'), refused)
      expect(await ann.getProjectCreateCapability()).toMatchObject({
        canCreateProjects: true,
        canCreatePrivateProjects: false,
        privateProjectsUsed: 2,
        privateProjectsLimit: 2,
        reason: expect.any(String),
      })
      await save(ann, 'one.a', { public: true })
      await save(ann, 'two.open')
    })
  })
})

test('a workspace that is deleted while a project is created ends with both or neither', async () => {
  for (let round = 0; round < 5; round++) {
    const name = `brief-${round}`
    const ann = await house.person('ann')
    await ann.saveWorkspace({ fullname: name, body: { fullname: name } })
    const [created, deleted] = await Promise.allSettled([
      save(ann, `${name}.p`),
      ann.deleteWorkspace({ fullname: name }),
    ])
    expect([created.status, deleted.status].sort()).toEqual(['fulfilled', 'rejected'])
    if (created.status === 'rejected') expect(created.reason).toMatchObject({ code: 'not_found' })
    if (deleted.status === 'rejected') expect(deleted.reason).toMatchObject({ code: 'workspace_not_empty' })
  }
})
