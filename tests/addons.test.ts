import { AddonState } from '@tocsin/contract'
import { beforeAll, expect, test } from 'vitest'
import { type Harness, type Person, project, rejects, sharedHarness, type Team } from './harness/index.ts'

const fullname = 'extras.p'
let house: Harness
let team: Team

beforeAll(async () => {
  house = await sharedHarness()
  team = await house.team('extras')
  await team.owner.saveProject({ fullname, body: project(fullname) })
})

test('an admin adds a subscription as a draft and sees it in the list', async () => {
  const addon = await team.admin.createAddon({ fullname, body: { name: 'Pro' } })
  expect(addon).toMatchObject({ project: fullname, name: 'Pro', state: 'draft' })
  expect(await team.owner.listAddons({ fullname })).toContainEqual(addon)
})

test('every state can change to every other', async () => {
  const { id } = await team.owner.createAddon({ fullname, body: { name: 'Pro', state: 'active' } })
  for (const state of [...AddonState.options, ...AddonState.options.toReversed()])
    expect(await team.owner.saveAddon({ fullname, id, body: { state } })).toMatchObject({ id, name: 'Pro', state })
  await rejects(team.owner.saveAddon({ fullname, id, body: { state: 'odd' as never } }), {
    code: 'invalid_payload',
    status: 400,
  })
})

test('a subscription needs no name, but a name must not be blank', async () => {
  const addon = await team.owner.createAddon({ fullname, body: { state: 'canceled' } })
  expect(addon).toMatchObject({ name: 'Add-on', state: 'canceled' })
  await rejects(team.owner.createAddon({ fullname, body: { name: ' ' } }), {
    code: 'invalid_payload',
    details: { issues: [{ path: 'name' }] },
  })
})

test('of two saves with the same If-Match one wins', async () => {
  const { id } = await team.owner.createAddon({ fullname, body: { name: 'Pro' } })
  const saved = await team.owner.whole.saveAddon({ fullname, id, body: { state: 'active' } })
  const ifMatch = saved.headers.get('etag') ?? ''
  const states = ['past_due', 'canceled'] as const
  const outcomes = await Promise.allSettled(
    states.map((state) => team.owner.saveAddon({ fullname, id, ifMatch, body: { state } })),
  )
  const lost = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(lost).toMatchObject([{ code: 'precondition_failed', status: 412 }])
})

test('a subscription of another project is not found', async () => {
  await team.owner.saveProject({ fullname: 'extras.q', body: project('extras.q') })
  const { id } = await team.owner.createAddon({ fullname, body: { name: 'Pro' } })
  const save = (at: string, id: string) => team.owner.saveAddon({ fullname: at, id, body: { state: 'active' } })
  await rejects(save('extras.q', id), { code: 'not_found', status: 404 })
  await rejects(save(fullname, 'none'), { code: 'not_found', status: 404 })
})

test('only owners and admins see and change them', async () => {
  const { id } = await team.owner.createAddon({ fullname, body: { name: 'Pro' } })
  const calls = (person: Omit<Person, 'id' | 'email' | 'token'>) => [
    () => person.listAddons({ fullname }),
    () => person.createAddon({ fullname, body: { name: 'Pro' } }),
    () => person.saveAddon({ fullname, id, body: { state: 'active' } }),
  ]
  for (const person of [team.developer, team.user])
    for (const call of calls(person)) await rejects(call(), { code: 'forbidden', status: 403 })
  for (const call of calls(team.stranger)) await rejects(call(), { code: 'not_found', status: 404 })
  for (const call of calls(house.nobody)) await rejects(call(), { code: 'unauthenticated', status: 401 })
  for (const call of calls(team.admin)) await call()
})

test('the list is paged', async () => {
  await team.owner.saveProject({ fullname: 'extras.many', body: project('extras.many') })
  for (const name of ['a', 'b', 'c']) await team.owner.createAddon({ fullname: 'extras.many', body: { name } })
  const first = await team.owner.whole.listAddons({ fullname: 'extras.many', query: { limit: 2 } })
  const cursor = /cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1]
  const rest = await team.owner.listAddons({ fullname: 'extras.many', query: { limit: 2, cursor } })
  expect([...first.body, ...rest].map(({ name }) => name).sort()).toEqual(['a', 'b', 'c'])
})
