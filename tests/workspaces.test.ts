import { beforeAll, describe, expect, test } from 'vitest'
import { type Harness, rejects, sharedHarness, type Team } from './harness/index.ts'

let house: Harness
let team: Team

beforeAll(async () => {
  house = await sharedHarness()
  team = await house.team('offices')
})

describe('saving', () => {
  test('the creator of a workspace owns it and sees its invite', async () => {
    const ann = await house.person('ann')
    const view = await ann.saveWorkspace({
      fullname: 'ann-space',
      body: { fullname: 'ann-space', meta: { title: 'Ann' } },
    })
    expect(view).toMatchObject({ fullname: 'ann-space', level: 'owner', tags: [], labels: {}, meta: { title: 'Ann' } })
    expect(view.invite).toMatch(/^tcn_invite_/)
    expect(await ann.getWorkspace({ fullname: 'ann-space' })).toEqual(view)
  })

  test('a full save clears omitted fields', async () => {
    const body = { fullname: 'offices', tags: ['a'], labels: { k: 'v' }, meta: { title: 'Acme' } }
    expect(await team.admin.saveWorkspace({ fullname: 'offices', body })).toMatchObject(body)
    const cleared = await team.owner.saveWorkspace({ fullname: 'offices', body: { fullname: 'offices' } })
    expect(cleared).toMatchObject({ tags: [], labels: {}, meta: {} })
  })

  test('createOnly refuses an existing workspace, also for its owner and in a race', async () => {
    const body = { fullname: 'offices', createOnly: true }
    await rejects(team.owner.saveWorkspace({ fullname: 'offices', body }), { code: 'already_exists', status: 409 })
    const people = await Promise.all([1, 2, 3, 4].map(() => house.person('racer')))
    const race = people.map((person) =>
      person.saveWorkspace({ fullname: 'raced', body: { fullname: 'raced', createOnly: true } }),
    )
    const outcomes = await Promise.allSettled(race)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('resetInvite revokes the old invite', async () => {
    const before = await team.owner.getWorkspace({ fullname: 'offices' })
    const after = await team.owner.saveWorkspace({
      fullname: 'offices',
      body: { fullname: 'offices', resetInvite: true },
    })
    expect(after.invite).not.toBe(before.invite)
    const late = await house.person('late')
    await rejects(late.joinWorkspace({ workspace: 'offices', body: { invite: before.invite ?? '' } }), {
      code: 'not_found',
    })
  })

  test('of two saves with the same If-Match one wins and the other changes nothing', async () => {
    for (let round = 0; round < 5; round++) {
      const ifMatch = (await team.owner.whole.getWorkspace({ fullname: 'offices' })).headers.get('etag') ?? ''
      const saves = ['one', 'two'].map((title) =>
        team.owner.saveWorkspace({ fullname: 'offices', ifMatch, body: { fullname: 'offices', meta: { title } } }),
      )
      const outcomes = await Promise.allSettled(saves)
      const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
      const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      expect(won).toHaveLength(1)
      expect(lost).toMatchObject([{ code: 'precondition_failed', status: 412 }])
      expect((await team.owner.getWorkspace({ fullname: 'offices' })).meta).toEqual(won[0]?.meta)
    }
  })

  test('If-Match on a workspace that does not exist fails and creates nothing', async () => {
    const save = team.owner.saveWorkspace({ fullname: 'nowhere', ifMatch: '*', body: { fullname: 'nowhere' } })
    await rejects(save, { code: 'precondition_failed', status: 412 })
    await rejects(team.owner.getWorkspace({ fullname: 'nowhere' }), { code: 'not_found' })
  })
})

describe('names', () => {
  test.each(['common', 'api', 'core'])('%s is reserved', async (fullname) => {
    await rejects(team.owner.saveWorkspace({ fullname, body: { fullname } }), { code: 'reserved_name', status: 403 })
  })
  test.each(['Upper', 'two.parts', '-a', 'a-', 'under_score', 'ä', 'x'.repeat(65), 'x'.repeat(300)])(
    '%s is not a workspace name',
    async (fullname) => {
      await rejects(team.owner.saveWorkspace({ fullname, body: { fullname } }), {
        code: 'fullname_invalid',
        status: 400,
      })
    },
  )
  test('path and payload must have the same name', async () => {
    const save = team.owner.saveWorkspace({ fullname: 'offices', body: { fullname: 'other' } })
    await rejects(save, { code: 'fullname_mismatch', status: 400 })
  })
})

describe('members', () => {
  test('only owners and admins see the invite and e-mails', async () => {
    for (const person of [team.owner, team.admin]) {
      expect(await person.getWorkspace({ fullname: 'offices' })).toHaveProperty('invite')
      expect((await person.listAcl({ workspace: 'offices' }))[0]?.user).toHaveProperty('email')
    }
    for (const person of [team.developer, team.user]) {
      expect(await person.getWorkspace({ fullname: 'offices' })).not.toHaveProperty('invite')
      expect((await person.listAcl({ workspace: 'offices' }))[0]?.user).not.toHaveProperty('email')
    }
  })

  test('two concurrent joins add one member, as user', async () => {
    const { invite } = await team.owner.getWorkspace({ fullname: 'offices' })
    const eve = await house.person('eve')
    await Promise.all([1, 2, 3].map(() => eve.joinWorkspace({ workspace: 'offices', body: { invite: invite ?? '' } })))
    const entries = (await team.owner.listAcl({ workspace: 'offices' })).filter(({ user }) => user.id === eve.id)
    expect(entries).toMatchObject([{ level: 'user' }])
    await eve.deleteAclEntry({ workspace: 'offices', entryId: entries[0]?.id ?? '' })
    await rejects(eve.getWorkspace({ fullname: 'offices' }), { code: 'not_found' })
  })

  test('an admin can neither make nor change owners', async () => {
    const acl = await team.owner.listAcl({ workspace: 'offices' })
    const idOf = (id: string) => acl.find(({ user }) => user.id === id)?.id ?? ''
    const set = (entryId: string, level: 'owner' | 'user' | 'developer') =>
      team.admin.saveAclEntry({ workspace: 'offices', entryId, body: { level } })
    await rejects(set(idOf(team.user.id), 'owner'), { code: 'forbidden' })
    await rejects(set(idOf(team.owner.id), 'user'), { code: 'forbidden' })
    await rejects(team.admin.deleteAclEntry({ workspace: 'offices', entryId: idOf(team.owner.id) }), {
      code: 'forbidden',
    })
    await set(idOf(team.user.id), 'developer')
    await set(idOf(team.user.id), 'user')
  })

  test('two owners who demote each other concurrently leave one owner', async () => {
    for (let round = 0; round < 5; round++) {
      const name = `duel-${round}`
      const pair = await house.team(name)
      const acl = await pair.owner.listAcl({ workspace: name })
      const entry = (id: string) => acl.find(({ user }) => user.id === id)?.id ?? ''
      await pair.owner.saveAclEntry({ workspace: name, entryId: entry(pair.admin.id), body: { level: 'owner' } })
      await Promise.allSettled([
        pair.owner.saveAclEntry({ workspace: name, entryId: entry(pair.admin.id), body: { level: 'user' } }),
        pair.admin.saveAclEntry({ workspace: name, entryId: entry(pair.owner.id), body: { level: 'user' } }),
      ])
      const levels = (await pair.developer.listAcl({ workspace: name })).map(({ level }) => level)
      expect(levels.filter((level) => level === 'owner')).toHaveLength(1)
    }
  })

  test('the last owner can neither step down nor leave', async () => {
    const own = (await team.owner.listAcl({ workspace: 'offices' })).find(({ user }) => user.id === team.owner.id)
    const entryId = own?.id ?? ''
    await rejects(team.owner.saveAclEntry({ workspace: 'offices', entryId, body: { level: 'admin' } }), {
      code: 'last_owner',
    })
    await rejects(team.owner.deleteAclEntry({ workspace: 'offices', entryId }), { code: 'last_owner', status: 409 })
  })

  test('developers and users cannot change members but may leave', async () => {
    const acl = await team.owner.listAcl({ workspace: 'offices' })
    const other = acl.find(({ user }) => user.id === team.admin.id)?.id ?? ''
    for (const person of [team.developer, team.user]) {
      await rejects(person.deleteAclEntry({ workspace: 'offices', entryId: other }), { code: 'forbidden' })
      await rejects(person.saveAclEntry({ workspace: 'offices', entryId: other, body: { level: 'user' } }), {
        code: 'forbidden',
      })
    }
  })

  test('an unknown member is not found', async () => {
    await rejects(team.owner.deleteAclEntry({ workspace: 'offices', entryId: 'nobody' }), { code: 'not_found' })
  })
})

describe('deleting', () => {
  test('removes the workspace and its members', async () => {
    const gone = await house.team('gone')
    await rejects(gone.admin.deleteWorkspace({ fullname: 'gone' }), { code: 'forbidden' })
    expect(await gone.owner.deleteWorkspace({ fullname: 'gone' })).toEqual({ ok: true })
    await rejects(gone.user.getWorkspace({ fullname: 'gone' }), { code: 'not_found' })
    expect((await gone.owner.listWorkspaces()).map(({ fullname }) => fullname)).not.toContain('gone')
  })
})

test('a list is paged by Link headers', async () => {
  const many = await house.person('many')
  const names = ['p-a', 'p-b', 'p-c', 'p-d', 'p-e']
  for (const fullname of names) await many.saveWorkspace({ fullname, body: { fullname } })
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const { body, headers } = await many.whole.listWorkspaces({ query: { limit: 2, cursor } })
    seen.push(...body.map(({ fullname }) => fullname))
    const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    cursor = next === undefined ? undefined : (new URL(next, house.url).searchParams.get('cursor') ?? undefined)
  } while (cursor !== undefined)
  expect(seen).toEqual([many.email.split('@')[0], ...names])
  await rejects(many.listWorkspaces({ query: { cursor: '%%%' } }), { code: 'invalid_query' })
  await rejects(many.listWorkspaces({ query: { limit: 1001 } }), { code: 'invalid_query' })
})
