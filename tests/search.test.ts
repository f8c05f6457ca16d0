import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAlert } from './harness/alerts.ts'
import {
  addressList,
  customSource,
  type Harness,
  harness,
  project,
  rejects,
  resource,
  subscription,
  type Team,
  trigger,
} from './harness/index.ts'

let house: Harness
let team: Team
let subscriptionId: string
beforeAll(async () => {
  house = await harness()
  team = await house.team('acme')
  const { owner } = team
  await owner.saveProject({
    fullname: 'acme.lido',
    body: project('acme.lido', { meta: { title: 'Lido queue', description: '' } }),
  })
  const fullname = 'acme.lido.big-withdrawal'
  await owner.saveTrigger({ fullname, body: trigger(fullname, { meta: { title: '100% of the queue' } }) })
  await owner.saveResource({
    fullname: 'acme.ops',
    body: resource('acme.ops', { meta: { title: 'Ops_hook for Lido' } }),
  })
  await owner.saveCustomSource({ fullname: 'acme.node', body: customSource('acme.node') })
  await owner.saveAddressList({ fullname: 'acme.whales', body: addressList('acme.whales') })
  subscriptionId = (await owner.createSubscription({ body: subscription(fullname, { meta: { title: 'My Lido' } }) })).id
  await owner.createAddress({ body: { type: 'evm', address: `0x${'ab'.repeat(20)}`, alias: 'Lido treasury' } })
  await team.stranger.saveWorkspace({ fullname: 'other', body: { fullname: 'other' } })
  await team.stranger.saveProject({ fullname: 'other.lido', body: project('other.lido') })
})
afterAll(() => house.close())

const namesOf = async (person: Team[keyof Team], q: string, more = {}) =>
  (await person.search({ query: { q, ...more } })).results.map(({ kind, name }) => `${kind} ${name}`)

test('a search finds entities of every kind by a part of their name or title, those that begin with it first', async () => {
  const { results: found } = await team.owner.search({ query: { q: 'LIDO' } })
  expect(found.map(({ kind }) => kind).sort()).toEqual(
    ['address', 'project', 'resource', 'subscription', 'trigger'].sort(),
  )
  expect(found[0]?.title).toMatch(/^Lido/)
  expect(found).toContainEqual({ kind: 'resource', name: 'acme.ops', title: 'Ops_hook for Lido', workspace: 'acme' })
  expect(found).toContainEqual({ kind: 'subscription', name: subscriptionId, title: 'My Lido', workspace: 'acme' })
  expect(await namesOf(team.owner, 'whal')).toEqual(['address-list acme.whales'])
  expect(await namesOf(team.owner, 'acme.node')).toEqual(['source acme.node'])
})

test('people find only what they may see', async () => {
  expect(await namesOf(team.stranger, 'lido')).toEqual(['project other.lido'])
  const ofUser = await namesOf(team.user, 'lido')
  expect(ofUser).toContain('project acme.lido')
  expect(ofUser.filter((name) => /^(subscription|address) /.test(name))).toEqual([])
  await rejects(team.stranger.search({ query: { q: 'lido', workspace: 'acme' } }), { code: 'not_found' })
})

test('the characters % and _ stand for themselves, and a part of an id finds nothing', async () => {
  expect(await namesOf(team.owner, '100%')).toContain('trigger acme.lido.big-withdrawal')
  expect(await namesOf(team.owner, '1%0')).toEqual([])
  expect(await namesOf(team.owner, 'ops_h')).toEqual(['resource acme.ops'])
  expect(await namesOf(team.owner, '_')).toEqual(['resource acme.ops'])
  expect(await namesOf(team.owner, '%%')).toEqual([])
  expect(await namesOf(team.owner, subscriptionId.slice(0, 8))).toEqual([])
})

test('the number of results of each kind is bounded', async () => {
  for (const name of ['one', 'two', 'three'])
    await team.owner.saveProject({ fullname: `acme.zz-${name}`, body: project(`acme.zz-${name}`) })
  expect(await namesOf(team.owner, 'zz-', { limit: 2 })).toHaveLength(2)
  await rejects(team.owner.search({ query: { q: ' ' } }), { code: 'invalid_query' })
})

test('a built-in network is found by its title, and an alert by its whole id', async () => {
  expect(await namesOf(team.stranger, 'ethereum')).toContain('source common.ethereum')
  const at = house.clock.now()
  const id = await addAlert(house.databaseUrl, { subscriptionId, trigger: 'acme.lido.big-withdrawal', at })
  expect(await team.owner.search({ query: { q: id } })).toEqual({
    results: [{ kind: 'alert', name: id, title: 'Told', workspace: 'acme' }],
  })
  expect(await namesOf(team.user, id)).toEqual([])
})
