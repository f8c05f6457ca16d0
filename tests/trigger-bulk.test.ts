import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Harness, project, rejects, sharedHarness, type Team, trigger } from './harness/index.ts'

let house: Harness
let team: Team
const names = ['bulk.p.a', 'bulk.p.b', 'bulk.q.c']

beforeAll(async () => {
  house = await sharedHarness()
  team = await house.team('bulk')
  for (const name of ['bulk.p', 'bulk.q']) await team.owner.saveProject({ fullname: name, body: project(name) })
  await team.owner.saveProject({ fullname: 'bulk.open', body: project('bulk.open', { accessLevel: 'free' }) })
  await team.developer.saveTrigger({ fullname: 'bulk.open.o', body: trigger('bulk.open.o') })
})
beforeEach(async () => {
  for (const fullname of names) await team.developer.saveTrigger({ fullname, body: trigger(fullname) })
})

const titles = async () =>
  (await Promise.all(names.map((fullname) => team.user.getTrigger({ fullname })))).map(({ meta }) => meta.title)
const titled = (title: string) => names.map((fullname) => ({ fullname, set: { 'meta.title': title } }))

describe('bulk patch', () => {
  test('changes every item and returns them in the order of the request', async () => {
    const items = [
      { fullname: 'bulk.q.c', set: { 'meta.title': 'C' } },
      { fullname: 'bulk.p.a', set: { 'labels.k': 'v' }, unset: ['tags'] },
      { fullname: 'bulk.p.b', set: { 'meta.title': 'b' } },
    ]
    expect(await team.developer.patchTriggers({ body: { items } })).toEqual({
      dryRun: false,
      totalCount: 3,
      updatedCount: 2,
      items: [
        { fullname: 'bulk.q.c', updated: true, changedPaths: ['meta.title'] },
        { fullname: 'bulk.p.a', updated: true, changedPaths: ['labels.k'] },
        { fullname: 'bulk.p.b', updated: false, changedPaths: [] },
      ],
    })
    expect(await titles()).toEqual(['a', 'b', 'C'])
  })

  test('dryRun changes nothing', async () => {
    const result = await team.developer.patchTriggers({ body: { items: titled('x'), dryRun: true } })
    expect(result).toMatchObject({ dryRun: true, totalCount: 3, updatedCount: 0 })
    expect(result.items).toMatchObject(
      names.map((fullname) => ({ fullname, updated: false, changedPaths: ['meta.title'] })),
    )
    expect(await titles()).toEqual(['a', 'b', 'c'])
  })

  test('one bad item prevents all changes, and the reply names every bad item', async () => {
    const items = [
      { fullname: 'bulk.p.a', set: { 'meta.title': 'x' } },
      { fullname: 'bulk.p.b', unset: ['meta.title'] },
      { fullname: 'bulk.q.c' },
    ]
    const error = await rejects(team.developer.patchTriggers({ body: { items } }), {
      code: 'invalid_payload',
      status: 400,
    })
    expect(error.details).toMatchObject({
      items: [
        { fullname: 'bulk.p.b', issues: [{ path: 'meta.title' }] },
        { fullname: 'bulk.q.c', issues: [{ path: '' }] },
      ],
    })
    const fixed = [{ fullname: 'bulk.p.a', set: { name: 'x' } }]
    const immutable = await rejects(team.developer.patchTriggers({ body: { items: fixed } }), {
      code: 'immutable_field',
    })
    expect(immutable.details).toMatchObject({ items: [{ fullname: 'bulk.p.a', issues: [{ path: 'name' }] }] })
    expect(await titles()).toEqual(['a', 'b', 'c'])
  })

  test('one item that is not visible or not allowed prevents all changes', async () => {
    const patch = (person: Team['owner'], fullname: string) =>
      person.patchTriggers({ body: { items: [...titled('x'), { fullname, set: { 'meta.title': 'x' } }] } })
    await rejects(patch(team.developer, 'bulk.p.none'), { code: 'not_found', status: 404 })
    await rejects(patch(team.developer, 'bulk.p. '), { code: 'not_found', status: 404 })
    await rejects(patch(team.user, 'bulk.open.o'), { code: 'forbidden', status: 403 })
    await rejects(patch(team.stranger, 'bulk.open.o'), { code: 'not_found', status: 404 })
    const items = [{ fullname: 'bulk.open.o', set: { 'meta.title': 'x' } }]
    await rejects(team.stranger.patchTriggers({ body: { items } }), { code: 'forbidden', status: 403 })
    await rejects(house.nobody.patchTriggers({ body: { items } }), { code: 'unauthenticated', status: 401 })
    expect(await titles()).toEqual(['a', 'b', 'c'])
  })

  test('a call with a repeated trigger, without triggers, or with more than 200 is refused', async () => {
    const item = { fullname: 'bulk.p.a', set: { 'meta.title': 'x' } }
    const patch = (items: unknown) => team.developer.patchTriggers({ body: { items } as never })
    const twice = await rejects(patch([item, item]), { code: 'invalid_payload', status: 400 })
    expect(twice.details?.issues).toMatchObject([{ path: 'items.1.fullname' }])
    for (const items of [[], Array.from({ length: 201 }, () => item), undefined, [{ set: {} }], 'x'])
      await rejects(patch(items), { code: 'invalid_payload', status: 400 })
  })

  test('one call can have 200 items', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `bulk.q.many-${index}`)
    for (let at = 0; at < many.length; at += 20)
      await Promise.all(
        many.slice(at, at + 20).map((fullname) => team.developer.saveTrigger({ fullname, body: trigger(fullname) })),
      )
    const items = many.map((fullname) => ({ fullname, set: { 'meta.title': 'x' } }))
    expect(await team.developer.patchTriggers({ body: { items } })).toMatchObject({
      totalCount: 200,
      updatedCount: 200,
    })
    expect(await team.developer.removeTriggers({ body: { fullnames: many } })).toMatchObject({ deletedCount: 200 })
  })

  test('concurrent calls on the same triggers do not deadlock, and none is applied in part', async () => {
    for (let round = 0; round < 5; round++) {
      const calls = ['x', 'y', 'z'].flatMap((title) => {
        const items = titled(`${title}${round}`)
        return [items, items.toReversed()].map((items) => team.developer.patchTriggers({ body: { items } }))
      })
      await Promise.all(calls)
      expect(new Set(await titles()).size).toBe(1)
    }
  })
})

describe('bulk remove', () => {
  const all = async () =>
    (await team.user.listTriggers({ query: { workspace: 'bulk' } })).map(({ fullname }) => fullname)

  test('dryRun lists what would be deleted; the real call deletes all of it, with drafts', async () => {
    await team.developer.saveTriggerDraft({ fullname: 'bulk.p.a', body: trigger('bulk.p.a') })
    const item = (fullname: string, deleted: boolean) => ({
      fullname,
      project: fullname.slice(0, 6),
      workspace: 'bulk',
      deleted,
    })
    const fullnames = names.toReversed()
    expect(await team.developer.removeTriggers({ body: { fullnames, dryRun: true } })).toEqual({
      dryRun: true,
      totalCount: 3,
      deletedCount: 0,
      items: fullnames.map((fullname) => item(fullname, false)),
    })
    expect(await all()).toEqual(['bulk.open.o', ...names])
    expect(await team.developer.removeTriggers({ body: { fullnames } })).toEqual({
      dryRun: false,
      totalCount: 3,
      deletedCount: 3,
      items: fullnames.map((fullname) => item(fullname, true)),
    })
    expect(await all()).toEqual(['bulk.open.o'])
    await rejects(team.developer.getTriggerDraft({ fullname: 'bulk.p.a' }), { code: 'not_found' })
  })

  test('one trigger that cannot be deleted prevents all deletions', async () => {
    const remove = (person: Team['owner'], fullnames: string[]) => person.removeTriggers({ body: { fullnames } })
    await rejects(remove(team.developer, [...names, 'bulk.p.none']), { code: 'not_found', status: 404 })
    await rejects(remove(team.user, names), { code: 'forbidden', status: 403 })
    await rejects(remove(team.stranger, names), { code: 'not_found', status: 404 })
    await rejects(remove(team.stranger, ['bulk.open.o']), { code: 'forbidden', status: 403 })
    await rejects(house.nobody.removeTriggers({ body: { fullnames: names } }), { code: 'unauthenticated', status: 401 })
    await rejects(remove(team.developer, ['bulk.p.a', 'bulk.p.a']), { code: 'invalid_payload', status: 400 })
    await rejects(remove(team.developer, []), { code: 'invalid_payload', status: 400 })
    expect(await all()).toEqual(['bulk.open.o', ...names])
  })

  test('of two concurrent calls one deletes and the other finds nothing', async () => {
    const calls = [names, names.toReversed()].map((fullnames) => team.developer.removeTriggers({ body: { fullnames } }))
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'not_found' } })
  })
})
