import { afterAll, beforeAll, expect, test } from 'vitest'
import { query } from './harness/following.ts'
import { addressList, type Harness, harness, project, rejects, type Team, trigger } from './harness/index.ts'

let house: Harness
let team: Team
const fullname = 'acme.p.t'
beforeAll(async () => {
  house = await harness({ LIMIT_TRIGGER_VERSIONS: '6' })
  team = await house.team('acme')
  await team.owner.saveProject({ fullname: 'acme.p', body: project('acme.p') })
})
afterAll(() => house.close())

const titled = (title: string) => trigger(fullname, { meta: { title } })
const list = () => team.developer.listTriggerVersions({ fullname })
const numbers = async () => (await list()).map(({ number }) => number)

test('every publish is kept with who, when and what changed, newest first', async () => {
  await team.owner.saveTrigger({ fullname, body: titled('First') })
  await team.developer.saveTrigger({ fullname, body: titled('Second') })
  await team.developer.patchTrigger({ fullname, body: { set: { 'defaults.title': 'Moved' } } })
  expect(await list()).toMatchObject([
    { number: 3, changed: ['defaults'], savedBy: { id: team.developer.id, name: 'developer' } },
    { number: 2, changed: ['meta'], savedBy: { id: team.developer.id } },
    { number: 1, changed: [], savedBy: { id: team.owner.id } },
  ])
  const first = await team.developer.getTriggerVersion({ fullname, number: '1' })
  expect(first.definition).toMatchObject({ fullname, meta: { title: 'First' } })
})

test('a save without a change, a draft and a status make no version', async () => {
  const { defaults } = await team.developer.getTrigger({ fullname })
  const body = { ...titled('Second'), defaults }
  await team.developer.saveTrigger({ fullname, body })
  await team.developer.saveTriggerDraft({ fullname, body: titled('Draft') })
  await team.developer.resetTriggerTestStatus({ fullname })
  expect(await numbers()).toEqual([3, 2, 1])
})

test('a restore publishes an earlier version as a new one, and respects If-Match', async () => {
  const etagOf = async () => (await team.developer.whole.getTrigger({ fullname })).headers.get('etag') ?? ''
  const former = await etagOf()
  await team.developer.patchTrigger({ fullname, body: { set: { 'meta.title': 'Third' } } })
  const restore = (ifMatch: string) => team.developer.restoreTriggerVersion({ fullname, number: '1', ifMatch })
  await rejects(restore(former), { code: 'precondition_failed' })
  expect(await numbers()).toEqual([4, 3, 2, 1])
  const restored = await restore(await etagOf())
  expect(restored.meta.title).toBe('First')
  expect(restored.defaults).toBeUndefined()
  expect((await list())[0]).toMatchObject({ number: 5, restoredFrom: 1, changed: ['defaults', 'meta'] })
  await rejects(team.developer.getTriggerVersion({ fullname, number: '99' }), { code: 'not_found' })
  await rejects(team.developer.restoreTriggerVersion({ fullname, number: 'x' }), { code: 'not_found' })
})

test('a restore is checked as a save is: a list that was deleted meanwhile refuses it', async () => {
  const addresses = [`0x${'ab'.repeat(20)}`]
  await team.owner.saveAddressList({ fullname: 'acme.whales', body: addressList('acme.whales', { addresses }) })
  const conditions = { param: 'source.now', op: 'in', value: { list: 'acme.whales' } }
  await team.developer.saveTrigger({ fullname, body: { ...titled('Listed'), conditions } as never })
  const [{ number } = { number: 0 }] = await list()
  await team.developer.saveTrigger({ fullname, body: titled('Plain') })
  await team.owner.deleteAddressList({ fullname: 'acme.whales' })
  await rejects(team.developer.restoreTriggerVersion({ fullname, number: String(number) }), {
    code: 'invalid_payload',
  })
})

test('beyond the limit a new version removes the oldest, by a save and by a patch', async () => {
  expect(await numbers()).toEqual([7, 6, 5, 4, 3, 2])
  await team.developer.patchTrigger({ fullname, body: { set: { 'meta.title': 'Patched' } } })
  expect(await numbers()).toEqual([8, 7, 6, 5, 4, 3])
  for (const number of ['1', '2'])
    await rejects(team.developer.getTriggerVersion({ fullname, number }), { code: 'not_found' })
})

test('versions go with their trigger', async () => {
  await team.developer.deleteTrigger({ fullname })
  expect(await query(house, 'select 1 from trigger_versions')).toEqual([])
})
