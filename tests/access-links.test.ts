import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dumpTables } from './harness/dump.ts'
import { type Harness, harness, type Person, project, rejects, type Team } from './harness/index.ts'

const hourMs = 3_600_000

let house: Harness
let team: Team

beforeAll(async () => {
  house = await harness()
  team = await house.team('acme')
})
afterAll(() => house.close())

let count = 0
/** A new private project that links can open. */
async function closed(): Promise<string> {
  const fullname = `acme.p${count++}`
  await team.owner.saveProject({ fullname, body: project(fullname, { visibility: 'private_link' }) })
  return fullname
}
const people = (...names: string[]) => Promise.all(names.map((name) => house.person(name)))
const linkOf = async (fullname: string) => (await team.owner.listAccessLinks({ fullname }))[0]
const soon = () => new Date(house.clock.now().getTime() + hourMs).toISOString()

describe('creating', () => {
  test('returns the token and the URL that opens it', async () => {
    const fullname = await closed()
    const link = await team.admin.createAccessLink({ fullname, body: { maxUsages: 3, expiresAt: soon() } })
    expect(link).toMatchObject({ project: fullname, workspace: 'acme', state: 'active', usages: 0, maxUsages: 3 })
    expect(link.url).toBe(`${house.url}/open#${link.token}`)
    expect(await team.owner.listAccessLinks({ fullname })).toEqual([link])
    expect(await team.stranger.openAccessLink({ token: link.token })).toMatchObject({ fullname })
  })

  test('needs no payload, and such a link has no limits', async () => {
    const link = await team.owner.createAccessLink({ fullname: await closed() })
    expect(link).not.toHaveProperty('maxUsages')
    expect(link).not.toHaveProperty('expiresAt')
  })

  test('refuses a project that is not private', async () => {
    const body = project('acme.open', { public: true })
    await team.owner.saveProject({ fullname: 'acme.open', body })
    const create = () => team.owner.createAccessLink({ fullname: 'acme.open' })
    await rejects(create(), { code: 'project_not_private', status: 409 })
    await team.owner.saveProject({ fullname: 'acme.open', body: { ...body, accessLevel: 'free' } })
    await rejects(create(), { code: 'project_not_private', status: 409 })
  })

  test('accepts a personal project', async () => {
    await team.owner.saveProject({ fullname: 'acme.personal', body: project('acme.personal') })
    const link = await team.owner.createAccessLink({ fullname: 'acme.personal' })
    expect(await team.owner.getProject({ fullname: 'acme.personal' })).toMatchObject({ visibility: 'private_link' })
    const [eve] = await people('eve')
    await eve?.openAccessLink({ token: link.token })
    expect(await eve?.getProject({ fullname: 'acme.personal' })).toMatchObject({ visibility: 'private_link' })
  })

  test.each([
    ['maxUsages', { maxUsages: 0 }],
    ['maxUsages', { maxUsages: 1.5 }],
    ['expiresAt', { expiresAt: '2001-01-01T00:00:00Z' }],
    ['expiresAt', { expiresAt: 'tomorrow' }],
    ['expiresAt', { expiresAt: '2126-01-01T00:00:00' }],
  ])('refuses an invalid %s: %j', async (path, body) => {
    await rejects(team.owner.createAccessLink({ fullname: await closed(), body }), {
      code: 'invalid_payload',
      status: 400,
      details: { issues: [{ path }] },
    })
  })

  test('the token is in no table and in no log', async () => {
    const link = await team.owner.createAccessLink({ fullname: await closed() })
    await team.stranger.openAccessLink({ token: link.token })
    expect(await dumpTables(house.databaseUrl)).not.toContain(link.token)
    expect(house.logs.join('\n')).not.toContain(link.token)
  })
})

describe('access', () => {
  test('create, list and revoke: owner and admin', async () => {
    const fullname = await closed()
    const { id } = await team.owner.createAccessLink({ fullname })
    const calls = (person: Person) => [
      () => person.createAccessLink({ fullname }),
      () => person.listAccessLinks({ fullname }),
      () => person.deleteAccessLink({ fullname, id }),
    ]
    for (const person of [team.developer, team.user])
      for (const call of calls(person)) await rejects(call(), { code: 'forbidden', status: 403 })
    for (const call of calls(team.stranger)) await rejects(call(), { code: 'not_found', status: 404 })
    for (const call of calls(team.admin)) await call()
  })

  test('a caller who is not signed in is refused', async () => {
    const fullname = await closed()
    const { id, token } = await team.owner.createAccessLink({ fullname })
    const signedOut = { code: 'unauthenticated', status: 401 } as const
    await rejects(house.nobody.createAccessLink({ fullname }), signedOut)
    await rejects(house.nobody.listAccessLinks({ fullname }), signedOut)
    await rejects(house.nobody.deleteAccessLink({ fullname, id }), signedOut)
    await rejects(house.nobody.openAccessLink({ token }), signedOut)
  })
})

describe('opening', () => {
  test('lets an account read the project and find it in its list', async () => {
    const fullname = await closed()
    const { token } = await team.owner.createAccessLink({ fullname })
    const eve = await house.person('eve')
    await rejects(eve.getProject({ fullname }), { code: 'not_found' })
    const opened = await eve.openAccessLink({ token })
    expect(opened).toMatchObject({ fullname, visibility: 'private_link' })
    expect(opened).not.toHaveProperty('level')
    expect(await eve.getProject({ fullname })).toEqual(opened)
    expect(await eve.listProjects({ query: { workspace: 'acme' } })).toContainEqual(opened)
    await rejects(eve.listAccessLinks({ fullname }), { code: 'forbidden', status: 403 })
  })

  test('counts each account once, and no member', async () => {
    const fullname = await closed()
    const { token } = await team.owner.createAccessLink({ fullname, body: { maxUsages: 2 } })
    const eve = await house.person('eve')
    for (const person of [eve, team.owner, team.user, eve]) await person.openAccessLink({ token })
    expect(await linkOf(fullname)).toMatchObject({ usages: 1, state: 'active' })
  })

  test('an unknown token is not found', async () => {
    await rejects(team.owner.openAccessLink({ token: 'tcn_link_nothing' }), { code: 'not_found', status: 404 })
  })

  test('an exhausted link opens only for people who opened it before', async () => {
    const fullname = await closed()
    const { token } = await team.owner.createAccessLink({ fullname, body: { maxUsages: 1 } })
    const [eve, mallory] = await people('eve', 'mallory')
    await eve?.openAccessLink({ token })
    await rejects(mallory!.openAccessLink({ token }), { code: 'link_exhausted', status: 410 })
    await rejects(mallory!.getProject({ fullname }), { code: 'not_found' })
    expect(await eve?.openAccessLink({ token })).toMatchObject({ fullname })
    expect(await linkOf(fullname)).toMatchObject({ usages: 1, state: 'exhausted' })
  })

  test('an expired link does not open; people who opened it before keep their access', async () => {
    const fullname = await closed()
    const { token } = await team.owner.createAccessLink({ fullname, body: { expiresAt: soon() } })
    const [eve, mallory] = await people('eve', 'mallory')
    await eve?.openAccessLink({ token })
    house.clock.advance(hourMs)
    for (const person of [eve!, mallory!, team.owner])
      await rejects(person.openAccessLink({ token }), { code: 'link_expired', status: 410 })
    expect(await eve?.getProject({ fullname })).toMatchObject({ fullname })
    expect(await linkOf(fullname)).toMatchObject({ state: 'expired', usages: 1 })
  })

  test('a revoked link does not open, and people lose the access that it gave', async () => {
    const fullname = await closed()
    const [leaked, kept] = [
      await team.owner.createAccessLink({ fullname }),
      await team.owner.createAccessLink({ fullname }),
    ]
    const [eve, bob] = await people('eve', 'bob')
    for (const person of [eve, bob]) await person?.openAccessLink({ token: leaked.token })
    await bob?.openAccessLink({ token: kept.token })
    for (let time = 0; time < 2; time++)
      expect(await team.admin.deleteAccessLink({ fullname, id: leaked.id })).toEqual({ ok: true })
    for (const person of [eve!, team.owner])
      await rejects(person.openAccessLink({ token: leaked.token }), { code: 'link_revoked', status: 410 })
    await rejects(eve!.getProject({ fullname }), { code: 'not_found' })
    expect(await bob?.getProject({ fullname })).toMatchObject({ fullname })
    const states = (await team.owner.listAccessLinks({ fullname })).map(({ id, state }) => [id, state])
    expect(Object.fromEntries(states)).toEqual({ [leaked.id]: 'revoked', [kept.id]: 'active' })
    await rejects(team.owner.deleteAccessLink({ fullname, id: 'none' }), { code: 'not_found', status: 404 })
  })

  test('a project that becomes personal is closed to visitors, and its link counts nothing', async () => {
    const fullname = await closed()
    const { token } = await team.owner.createAccessLink({ fullname })
    const [eve, mallory] = await people('eve', 'mallory')
    await eve?.openAccessLink({ token })
    await team.owner.saveProject({ fullname, body: project(fullname, { visibility: 'personal' }) })
    await rejects(eve!.getProject({ fullname }), { code: 'not_found' })
    for (const person of [eve!, mallory!]) await rejects(person.openAccessLink({ token }), { code: 'not_found' })
    expect(await team.user.openAccessLink({ token })).toMatchObject({ fullname, level: 'user' })
    expect(await linkOf(fullname)).toMatchObject({ usages: 1 })
  })

  test('a project that becomes public opens without counting', async () => {
    const fullname = await closed()
    const { token } = await team.owner.createAccessLink({ fullname, body: { maxUsages: 1 } })
    await team.owner.saveProject({ fullname, body: project(fullname, { public: true }) })
    for (const person of await people('eve', 'mallory'))
      expect(await person.openAccessLink({ token })).toMatchObject({ fullname, public: true })
    expect(await linkOf(fullname)).toMatchObject({ usages: 0 })
  })

  test('concurrent visits never exceed maxUsages', async () => {
    const pair = await people('eve', 'mallory')
    for (let round = 0; round < 10; round++) {
      const fullname = await closed()
      const { token } = await team.owner.createAccessLink({ fullname, body: { maxUsages: 1 } })
      const outcomes = await Promise.allSettled(pair.map((person) => person.openAccessLink({ token })))
      const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      expect(lost).toMatchObject([{ code: 'link_exhausted', status: 410 }])
      expect(await linkOf(fullname)).toMatchObject({ usages: 1 })
      const reads = await Promise.allSettled(pair.map((person) => person.getProject({ fullname })))
      expect(reads.map(({ status }) => status)).toEqual(outcomes.map(({ status }) => status))
    }
  })

  test('concurrent visits of one account count once', async () => {
    const fullname = await closed()
    const { token } = await team.owner.createAccessLink({ fullname, body: { maxUsages: 1 } })
    const eve = await house.person('eve')
    await Promise.all([1, 2, 3, 4].map(() => eve.openAccessLink({ token })))
    expect(await linkOf(fullname)).toMatchObject({ usages: 1 })
  })
})
