import { beforeAll, describe, expect, test } from 'vitest'
import { dumpTables } from './harness/dump.ts'
import { type Harness, project, rejects, sharedHarness, type Team, trigger } from './harness/index.ts'

let house: Harness
let team: Team

beforeAll(async () => {
  house = await sharedHarness()
  team = await house.team('drafts')
  await team.owner.saveProject({ fullname: 'drafts.p', body: project('drafts.p') })
  await team.owner.saveProject({ fullname: 'drafts.open', body: project('drafts.open', { accessLevel: 'public' }) })
})

type Extra = Parameters<typeof trigger>[1]
const saveDraft = (fullname: string, extra: Extra = {}) =>
  team.developer.saveTriggerDraft({ fullname, body: trigger(fullname, extra) })

describe('drafts', () => {
  test('a draft may exist before the trigger, is never listed, and becomes the trigger with the same id', async () => {
    const fullname = 'drafts.p.new'
    const draft = await saveDraft(fullname, { meta: { title: 'Draft' } })
    expect(draft).toMatchObject({
      fullname,
      name: 'new',
      project: 'drafts.p',
      workspace: 'drafts',
      status: { status: 'not_tested' },
      hasDraft: true,
      draft: { exists: true, savedAt: draft.updatedAt, savedBy: team.developer.id },
    })
    expect(await team.admin.getTriggerDraft({ fullname })).toEqual(draft)
    await rejects(team.developer.getTrigger({ fullname }), { code: 'not_found', status: 404 })
    expect(await team.developer.listTriggers({ query: { project: 'drafts.p' } })).toEqual([])
    const saved = await team.developer.saveTrigger({ fullname, body: trigger(fullname) })
    expect(saved).toMatchObject({ id: draft.id, hasDraft: false, draft: { exists: false } })
    expect(await team.developer.getTriggerDraft({ fullname })).toEqual(saved)
  })

  test('a draft exists beside the saved trigger until the next save or its own deletion', async () => {
    const fullname = 'drafts.p.beside'
    const saved = await team.developer.saveTrigger({
      fullname,
      body: trigger(fullname, { status: { status: 'ready' } }),
    })
    const draft = await saveDraft(fullname, { meta: { title: 'Draft' }, triggerSpec: null })
    expect(draft).toMatchObject({ id: saved.id, status: saved.status, createdAt: saved.createdAt, triggerSpec: null })
    const beside = await team.developer.getTrigger({ fullname })
    expect(beside).toMatchObject({
      meta: saved.meta,
      triggerSpec: saved.triggerSpec,
      hasDraft: true,
      draft: draft.draft,
    })
    expect(await team.developer.deleteTriggerDraft({ fullname })).toEqual({ ok: true })
    await rejects(team.developer.deleteTriggerDraft({ fullname }), { code: 'not_found', status: 404 })
    expect(await team.developer.getTriggerDraft({ fullname })).toEqual(saved)
    await saveDraft(fullname)
    await team.developer.patchTrigger({ fullname, body: { set: { 'meta.title': 'Patched' } } })
    expect((await team.developer.getTrigger({ fullname })).hasDraft).toBe(true)
    await team.developer.saveTrigger({ fullname, body: trigger(fullname) })
    await rejects(team.developer.deleteTriggerDraft({ fullname }), { code: 'not_found' })
  })

  test('unfinished parts can be saved, fields of the wrong type cannot', async () => {
    const fullname = 'drafts.p.unfinished'
    const draft = await saveDraft(fullname, {
      triggerSpec: { type: 'evm_log' } as never,
      providers: [{ type: 'http' } as never],
      activation: 'return (',
    })
    expect(draft).toMatchObject({ triggerSpec: { type: 'evm_log' }, providers: [{ type: 'http' }], hasProviders: true })
    expect(draft.activation).toMatchObject({ source: 'return (' })
    const wrong = await rejects(saveDraft(fullname, { providers: 'x' as never }), {
      code: 'invalid_payload',
      status: 400,
    })
    expect(wrong.details?.issues).toMatchObject([{ path: 'providers' }])
    expect(await team.developer.getTriggerDraft({ fullname })).toEqual(draft)
  })

  test('names are checked as in a save', async () => {
    const fullname = 'drafts.p.t'
    const put = (body: ReturnType<typeof trigger>) => team.developer.saveTriggerDraft({ fullname, body })
    await rejects(put(trigger('drafts.p.u')), { code: 'fullname_mismatch', status: 400 })
    await rejects(put(trigger(fullname, { name: 'u' })), { code: 'fullname_invalid', status: 400 })
    await rejects(saveDraft('drafts.none.t'), { code: 'not_found', status: 404 })
  })

  test('drafts are for developers and above', async () => {
    const fullname = 'drafts.open.guarded'
    const body = trigger(fullname)
    await saveDraft(fullname)
    for (const [person, code, status] of [
      [house.nobody, 'unauthenticated', 401],
      [team.user, 'forbidden', 403],
      [team.stranger, 'forbidden', 403],
    ] as const) {
      await rejects(person.getTriggerDraft({ fullname }), { code, status })
      await rejects(person.saveTriggerDraft({ fullname, body }), { code, status })
      await rejects(person.deleteTriggerDraft({ fullname }), { code, status })
      await rejects(person.validateTriggerDraft({ fullname, body }), { code, status })
      // They must not learn whether there is a draft.
      await rejects(person.getTriggerDraft({ fullname: 'drafts.open.none' }), { code, status })
    }
    const hidden = 'drafts.p.guarded'
    await saveDraft(hidden)
    const refused = { code: 'not_found', status: 404 } as const
    await rejects(team.stranger.getTriggerDraft({ fullname: hidden }), refused)
    await rejects(team.stranger.saveTriggerDraft({ fullname: hidden, body: trigger(hidden) }), refused)
    await rejects(team.stranger.deleteTriggerDraft({ fullname: hidden }), refused)
    await rejects(team.stranger.validateTriggerDraft({ fullname: hidden, body: trigger(hidden) }), refused)
    await rejects(team.developer.getTriggerDraft({ fullname: 'drafts.p.none' }), refused)
  })

  test('an outdated If-Match does not replace a newer draft', async () => {
    const fullname = 'drafts.p.tags'
    const body = trigger(fullname)
    const first = await team.developer.whole.saveTriggerDraft({ fullname, body })
    const ifMatch = first.headers.get('etag') ?? ''
    expect((await team.developer.whole.getTriggerDraft({ fullname })).headers.get('etag')).toBe(ifMatch)
    await team.developer.saveTriggerDraft({ fullname, body, ifMatch })
    const stale = { code: 'precondition_failed', status: 412 } as const
    await rejects(team.developer.saveTriggerDraft({ fullname, body, ifMatch }), stale)
    await rejects(team.developer.deleteTriggerDraft({ fullname, ifMatch }), stale)
    const saved = await team.developer.whole.saveTrigger({ fullname, body })
    await rejects(team.developer.saveTriggerDraft({ fullname, body, ifMatch }), stale)
    await team.developer.saveTriggerDraft({ fullname, body, ifMatch: saved.headers.get('etag') ?? '' })
  })

  test('If-None-Match: * saves only the first draft, also if many are sent concurrently', async () => {
    const save = (fullname: string) =>
      team.developer.saveTriggerDraft({ fullname, body: trigger(fullname), ifNoneMatch: '*' })
    const answers = await Promise.allSettled(Array.from({ length: 6 }, () => save('drafts.p.first')))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const taken = { code: 'precondition_failed', status: 412 } as const
    await rejects(save('drafts.p.first'), taken)
    await team.developer.saveTrigger({ fullname: 'drafts.p.published', body: trigger('drafts.p.published') })
    await rejects(save('drafts.p.published'), taken)
    expect(await team.developer.getTrigger({ fullname: 'drafts.p.published' })).toMatchObject({ hasDraft: false })
  })

  test('concurrent saves leave one draft', async () => {
    const fullname = 'drafts.p.many'
    const titles = ['a', 'b', 'c', 'd']
    await Promise.all(titles.map((title) => saveDraft(fullname, { meta: { title } })))
    expect(titles).toContain((await team.developer.getTriggerDraft({ fullname })).meta.title)
  })

  test('are encrypted at rest', async () => {
    await saveDraft('drafts.p.sealed', {
      providers: [{ id: 'a', type: 'http', url: 'https://example.org', headers: { h: 'at-rest' } }],
    })
    expect(await dumpTables(house.databaseUrl)).not.toContain('at-rest')
  })
})

describe('validate', () => {
  const validate = (fullname: string, body: unknown) => team.developer.validateTriggerDraft({ fullname, body })

  test('a valid definition is returned in canonical form, and nothing is saved', async () => {
    const fullname = 'drafts.p.valid'
    const result = await validate(fullname, trigger(fullname, { activation: 'true' }))
    expect(result).toMatchObject({
      valid: true,
      issues: [],
      trigger: { fullname, activation: { source: 'true' }, providers: [] },
    })
    await rejects(team.developer.getTriggerDraft({ fullname }), { code: 'not_found' })
  })

  test('issues of structure, scripts, names and sources have their path', async () => {
    const fullname = 'drafts.p.invalid'
    const structure = await validate(fullname, { project: 'drafts.p' })
    expect(structure).toMatchObject({
      valid: false,
      issues: expect.arrayContaining([{ path: 'fullname', message: 'is required' }]),
    })
    expect(structure).not.toHaveProperty('trigger')
    const rest = await validate(
      fullname,
      trigger('drafts.p.other', {
        activation: 'return (',
        triggerSpec: { type: 'evm_log', dataSource: 'drafts.nowhere', event: 'Transfer(address,address,uint256)' },
      }),
    )
    expect(rest.valid).toBe(false)
    const paths = rest.issues.map(({ path }) => path)
    expect(paths).toEqual(
      expect.arrayContaining(['fullname', 'triggerSpec.dataSource', expect.stringContaining('activation')]),
    )
    expect(rest.trigger).toMatchObject({ fullname: 'drafts.p.other' })
  })

  test('a contract with a wrong checksum is an issue, although a save accepts it', async () => {
    const fullname = 'drafts.p.typo'
    const dataSource = 'drafts.nowhere'
    const of = (contract: string | string[]) =>
      trigger(fullname, { triggerSpec: { type: 'evm_log', dataSource, contract } })
    const right = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    const wrong = right.replace('BeAed', 'Beaed')
    const pathsOf = async (contract: string | string[]) =>
      (await validate(fullname, of(contract))).issues.map(({ path }) => path)
    expect(await pathsOf(right)).toEqual(['triggerSpec.dataSource'])
    expect(await pathsOf(right.toLowerCase())).toEqual(['triggerSpec.dataSource'])
    expect(await pathsOf(wrong)).toEqual(['triggerSpec.contract', 'triggerSpec.dataSource'])
    expect(await pathsOf([right, wrong])).toEqual(['triggerSpec.contract.1', 'triggerSpec.dataSource'])
    expect((await team.developer.saveTrigger({ fullname, body: of(wrong) })).triggerSpec).toMatchObject({
      contract: wrong,
    })
  })

  test('the project comes from the path if the payload has none', async () => {
    expect(await validate('drafts.p.x', {})).toMatchObject({ valid: false })
    expect(await validate('drafts.p.x', { project: 5 })).toMatchObject({ valid: false })
    for (const person of [team.user, team.stranger])
      await rejects(person.validateTriggerDraft({ fullname: 'drafts.open.x', body: {} }), { code: 'forbidden' })
    await rejects(team.stranger.validateTriggerDraft({ fullname: 'drafts.p.x', body: {} }), { code: 'not_found' })
    await rejects(validate('nowhere', {}), { code: 'not_found', status: 404 })
  })

  test.each([[[]], [null], ['x'], [1]])('%j is not a definition', async (body) => {
    await rejects(validate('drafts.p.x', body), { code: 'invalid_payload', status: 400 })
  })
})
