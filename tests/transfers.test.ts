import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  checkedClient,
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
import { run } from './setup/postgres.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const into = { targetWorkspace: 'beta' }

let house: Harness
let alpha: Team
let beta: Team

beforeAll(async () => {
  house = await harness({ SECURE_SETUP: 'on' })
  alpha = await house.team('alpha')
  beta = await house.team('beta')
})
/** Moves the clock so that the limits allow more requests. */
beforeEach(() => house.clock.advance(3 * hourMs))
afterAll(() => house.close())

const saved = (fullname: string, extra = {}) => alpha.owner.saveProject({ fullname, body: project(fullname, extra) })
const planned = (fullname: string, body: { targetWorkspace: string; targetName?: string } = into) =>
  alpha.owner.planTransfer({ fullname, body })
const asked = (fullname: string, body: { targetWorkspace: string; expectedPlanHash?: string } = into) =>
  alpha.owner.createTransferRequest({ fullname, body })
const offered = async (fullname: string) => {
  await saved(fullname)
  return asked(fullname)
}
const accepted = async (fullname: string) => beta.owner.acceptTransfer({ id: (await asked(fullname)).id })
const statusOf = async (id: string) => (await alpha.owner.listTransferRequests()).find((row) => row.id === id)?.status

const refused = (calls: Promise<unknown>[], expected: Parameters<typeof rejects>[1]) =>
  Promise.all(calls.map((call) => rejects(call, expected)))

/** A project with every kind of entity that carries its name. */
async function furnished(fullname: string) {
  await saved(fullname)
  for (const name of ['b', 'a.x'])
    await alpha.owner.saveTrigger({ fullname: `${fullname}.${name}`, body: trigger(`${fullname}.${name}`) })
  const draft = trigger(`${fullname}.later`, { backend: { type: 'sdk', trigger: `${fullname}.b` } })
  await alpha.owner.saveTriggerDraft({ fullname: draft.fullname, body: draft })
  const name = `${fullname.replace('.', '-')}-hook`
  await alpha.owner.saveResource({ fullname: `alpha.${name}`, body: resource(`alpha.${name}`, { project: fullname }) })
  const own = await alpha.owner.createTemplate({
    fullname,
    body: template(fullname, { rules: rules(`${fullname}.b`) }),
  })
  return { hook: name, template: own.id }
}

function rules(...triggers: string[]) {
  return triggers.map((trigger, at) => ({
    id: `r${at}`,
    trigger,
    topic: 'moves',
    deprecated: false,
    requiredValues: ['wallet'],
    inputs: { note: trigger },
  }))
}

describe('planning', () => {
  test('lists every name that would change, in order, and changes nothing', async () => {
    const { hook, template } = await furnished('alpha.planned')
    const plan = await planned('alpha.planned', { ...into, targetName: 'moved' })
    const triggers = [
      { from: 'alpha.planned.a.x', to: 'beta.moved.a.x' },
      { from: 'alpha.planned.b', to: 'beta.moved.b' },
    ]
    const resources = [{ from: `alpha.${hook}`, to: `beta.${hook}` }]
    const renamed = { from: 'alpha.planned', to: 'beta.moved' }
    expect(plan).toMatchObject({
      mode: 'dry-run',
      source: { fullname: 'alpha.planned', workspace: 'alpha', name: 'planned' },
      target: { fullname: 'beta.moved', workspace: 'beta', name: 'moved' },
      counts: { triggers: 2, templates: 1, resources: 1, subscriptions: 0, accessLinks: 0, aliases: 4, conflicts: 0 },
      changes: { project: renamed, triggers, resources, templates: [{ id: template }] },
      conflicts: [],
    })
    expect(plan.changes.aliases).toEqual([
      { kind: 'project', ...renamed },
      ...triggers.map((move) => ({ kind: 'trigger', ...move })),
      ...resources.map((move) => ({ kind: 'resource', ...move })),
    ])
    expect((await alpha.owner.getProject({ fullname: 'alpha.planned' })).workspace).toBe('alpha')
  })

  test('keeps the name if none is given, and the hash is of the canonical JSON of the plan', async () => {
    await saved('alpha.hashed')
    const plan = await planned('alpha.hashed')
    expect(plan.target.fullname).toBe('beta.hashed')
    const text =
      '{"changes":{"aliases":[{"from":"alpha.hashed","kind":"project","to":"beta.hashed"}],' +
      '"project":{"from":"alpha.hashed","to":"beta.hashed"},"resources":[],"templates":[],"triggers":[]},' +
      '"conflicts":[],"source":{"fullname":"alpha.hashed","name":"hashed","workspace":"alpha"},' +
      '"target":{"fullname":"beta.hashed","name":"hashed","workspace":"beta"}}'
    expect(plan.planHash).toBe(createHash('sha256').update(text).digest('hex'))
    house.clock.advance(dayMs)
    expect((await planned('alpha.hashed')).planHash).toBe(plan.planHash)
  })

  test('of a workspace that the caller is no member of, it names nothing, and its owner sees the conflicts', async () => {
    const { hook } = await furnished('alpha.unseen')
    for (const fullname of ['beta.unseen', 'beta.shown'])
      await beta.owner.saveProject({ fullname, body: project(fullname) })
    await beta.owner.saveProject({ fullname: 'beta.shown', body: project('beta.shown', { accessLevel: 'public' }) })
    await beta.owner.saveResource({ fullname: `beta.${hook}`, body: resource(`beta.${hook}`) })
    const plan = await planned('alpha.unseen')
    expect(plan).toMatchObject({ conflicts: [], counts: { conflicts: 0 } })
    // Nothing in the answer tells the taken name from a free one.
    await beta.owner.deleteProject({ fullname: 'beta.unseen' })
    expect(await planned('alpha.unseen')).toEqual(plan)
    await beta.owner.saveProject({ fullname: 'beta.unseen', body: project('beta.unseen') })
    const shown = await planned('alpha.unseen', { ...into, targetName: 'shown' })
    expect(shown.conflicts).toMatchObject([{ code: 'target_project_exists', entity: 'beta.shown' }])
    const { id } = await asked('alpha.unseen')
    const refused = await rejects(beta.owner.acceptTransfer({ id }), { code: 'transfer_conflicts', status: 409 })
    expect(refused.details?.conflicts).toMatchObject([{ entity: 'beta.unseen' }, { entity: `beta.${hook}` }])
    await beta.owner.deleteProject({ fullname: 'beta.unseen' })
    await beta.owner.deleteResource({ fullname: `beta.${hook}` })
    expect((await beta.owner.acceptTransfer({ id })).request.status).toBe('accepted')
  })

  test('a token that is bound to a workspace plans and offers nothing into another one', async () => {
    await saved('alpha.kept')
    const { token } = await alpha.owner.createToken({ body: { name: 'ci', workspace: 'alpha' } })
    const bound = checkedClient(house.url, token)
    const refused = { code: 'insufficient_scope', status: 403 } as const
    await rejects(bound.planTransfer({ fullname: 'alpha.kept', body: into }), refused)
    await rejects(bound.createTransferRequest({ fullname: 'alpha.kept', body: into }), refused)
  })

  test('a plan with conflicts is returned and lists each conflict', async () => {
    const { hook } = await furnished('alpha.clash')
    const { invite = '' } = await beta.owner.getWorkspace({ fullname: 'beta' })
    await alpha.owner.joinWorkspace({ workspace: 'beta', body: { invite } })
    await beta.owner.saveProject({ fullname: 'beta.clash', body: project('beta.clash') })
    await beta.owner.saveResource({ fullname: `beta.${hook}`, body: resource(`beta.${hook}`) })
    const plan = await planned('alpha.clash')
    expect(plan.conflicts.map(({ code, entity }) => ({ code, entity }))).toEqual([
      { code: 'target_project_exists', entity: 'beta.clash' },
      { code: 'target_resource_exists', entity: `beta.${hook}` },
    ])
    expect(plan.counts.conflicts).toBe(2)
    const codes = async (body: { targetWorkspace: string; targetName?: string }) =>
      (await planned('alpha.clash', body)).conflicts.map(({ code }) => code)
    expect(await codes({ targetWorkspace: 'nowhere' })).toEqual(['target_workspace_not_found'])
    expect(await codes({ targetWorkspace: 'alpha' })).toEqual(['target_workspace_same'])
    expect(await codes({ targetWorkspace: 'alpha', targetName: 'other' })).toEqual(['target_workspace_same'])
    await rejects(asked('alpha.clash'), {
      code: 'transfer_conflicts',
      status: 409,
      details: { conflicts: plan.conflicts },
    })
    const acl = await beta.owner.listAcl({ workspace: 'beta' })
    const entryId = acl.find(({ user }) => user.id === alpha.owner.id)?.id ?? ''
    await alpha.owner.deleteAclEntry({ workspace: 'beta', entryId })
  })

  test('an invalid target name is refused', async () => {
    await saved('alpha.misnamed')
    for (const targetName of ['Upper', 'a.b', '-a', ''])
      await rejects(planned('alpha.misnamed', { ...into, targetName }), { code: 'fullname_invalid', status: 400 })
    const unnamed = alpha.owner.planTransfer({ fullname: 'alpha.misnamed', body: {} as never })
    await rejects(unnamed, { code: 'invalid_payload', status: 400 })
  })

  test('a name that would exceed the length limit is refused', async () => {
    await saved('alpha.long')
    const fullname = `alpha.long.${'t'.repeat(128)}`
    await alpha.owner.saveTrigger({ fullname, body: trigger(fullname) })
    const workspace = 'w'.repeat(64)
    await beta.owner.saveWorkspace({ fullname: workspace, body: { fullname: workspace } })
    const plan = planned('alpha.long', { targetWorkspace: workspace, targetName: 'p'.repeat(64) })
    await rejects(plan, { code: 'fullname_invalid', status: 400 })
  })

  test('is for owners of the source: other members get 403, strangers 404', async () => {
    await saved('alpha.guarded')
    await saved('alpha.open', { public: true, accessLevel: 'public' })
    const ask = (who: Pick<Person, 'planTransfer' | 'createTransferRequest'>, fullname: string) => [
      who.planTransfer({ fullname, body: into }),
      who.createTransferRequest({ fullname, body: into }),
    ]
    for (const who of [alpha.admin, alpha.developer, alpha.user])
      await refused(ask(who, 'alpha.guarded'), { code: 'forbidden', status: 403 })
    for (const who of [alpha.stranger, beta.owner]) {
      await refused(ask(who, 'alpha.guarded'), { code: 'not_found', status: 404 })
      await refused(ask(who, 'alpha.open'), { code: 'forbidden', status: 403 })
    }
    await refused(ask(house.nobody, 'alpha.open'), { code: 'unauthenticated', status: 401 })
  })
})

describe('add-on subscriptions', () => {
  const states = ['draft', 'pending_activation', 'active', 'past_due', 'cancel_at_period_end'] as const

  test.each(states)('one in state %s blocks planning, offering and accepting', async (state) => {
    const fullname = `alpha.addon-${state.replaceAll('_', '-')}`
    const { id } = await offered(fullname)
    const addon = await alpha.owner.createAddon({ fullname, body: { name: 'Extra', state } })
    const blocked = { code: 'transfer_blocked_by_addon', status: 409, details: { state } } as const
    await rejects(planned(fullname), blocked)
    await rejects(asked(fullname), blocked)
    await rejects(beta.owner.acceptTransfer({ id }), blocked)
    expect(await statusOf(id)).toBe('pending')
    await alpha.owner.saveAddon({ fullname, id: addon.id, body: { state: 'canceled' } })
    expect((await beta.owner.acceptTransfer({ id })).request.status).toBe('accepted')
  })
})

describe('offering', () => {
  test('stores the plan and waits seven days', async () => {
    await saved('alpha.offered')
    const { planHash, counts } = await planned('alpha.offered')
    const request = await asked('alpha.offered', { ...into, expectedPlanHash: planHash })
    expect(request).toMatchObject({
      project: 'alpha.offered',
      sourceWorkspace: 'alpha',
      targetWorkspace: 'beta',
      targetName: 'offered',
      targetFullname: 'beta.offered',
      status: 'pending',
      planHash,
      counts,
      requestedBy: alpha.owner.id,
    })
    expect(Date.parse(request.expiresAt) - Date.parse(request.createdAt)).toBe(7 * dayMs)
    await rejects(asked('alpha.offered'), { code: 'transfer_already_pending', status: 409 })
  })

  test('an outdated plan is refused with the new hash, and nothing is offered', async () => {
    await saved('alpha.outdated')
    const old = await planned('alpha.outdated')
    await alpha.owner.saveTrigger({ fullname: 'alpha.outdated.t', body: trigger('alpha.outdated.t') })
    const { planHash } = await planned('alpha.outdated')
    const late = asked('alpha.outdated', { ...into, expectedPlanHash: old.planHash })
    await rejects(late, { code: 'plan_changed', status: 409, details: { planHash } })
    expect((await asked('alpha.outdated', { ...into, expectedPlanHash: planHash })).status).toBe('pending')
  })

  test('of many concurrent offers of one project, one is created', async () => {
    await saved('alpha.wanted')
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => asked('alpha.wanted')))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'transfer_already_pending' })
  })

  test('an account can make five requests an hour and twenty a day, also concurrently', async () => {
    const greedy = await house.person('greedy')
    await greedy.saveWorkspace({ fullname: 'greedy', body: { fullname: 'greedy' } })
    const names = Array.from({ length: 8 }, (_, at) => `greedy.p${at}`)
    for (const fullname of names) await greedy.saveProject({ fullname, body: project(fullname) })
    const ask = (fullname: string) => greedy.createTransferRequest({ fullname, body: into })
    const first = await Promise.allSettled(names.map(ask))
    expect(first.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    for (const outcome of first)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'rate_limited', status: 429 })
    const clear = async () => {
      const pending = await greedy.listTransferRequests({ query: { status: 'pending' } })
      for (const { id } of pending) await greedy.cancelTransfer({ id })
    }
    for (let round = 0; round < 3; round++) {
      house.clock.advance(hourMs + 60_000)
      await clear()
      for (const fullname of names.slice(0, 5)) await ask(fullname)
    }
    house.clock.advance(hourMs + 60_000)
    await clear()
    const response = await fetch(`${house.url}/api/projects/greedy.p0/transfer-requests`, {
      method: 'POST',
      headers: { authorization: `Bearer ${greedy.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(into),
    })
    expect(response.status).toBe(429)
    const waitSeconds = Number(response.headers.get('retry-after'))
    expect(waitSeconds).toBeGreaterThan(19 * 3600)
    expect(waitSeconds).toBeLessThanOrEqual(20 * 3600)
    house.clock.advance(waitSeconds * 1000)
    expect((await ask('greedy.p0')).status).toBe('pending')
  })
})

describe('listing', () => {
  test('owners and admins see both directions, newest first, with filters', async () => {
    const older = await offered('alpha.listed-1')
    house.clock.advance(1000)
    const newer = await offered('alpha.listed-2')
    await beta.owner.rejectTransfer({ id: older.id })
    const ids = async (who: Person, query = {}) =>
      (await who.listTransferRequests({ query })).map(({ id }) => id).filter((id) => [older.id, newer.id].includes(id))
    for (const who of [alpha.owner, alpha.admin, beta.owner, beta.admin])
      expect(await ids(who)).toEqual([newer.id, older.id])
    expect(await ids(alpha.admin, { workspace: 'alpha', direction: 'outgoing' })).toEqual([newer.id, older.id])
    expect(await ids(alpha.admin, { direction: 'incoming' })).toEqual([])
    expect(await ids(beta.admin, { workspace: 'beta', direction: 'incoming', status: 'pending' })).toEqual([newer.id])
    expect(await ids(beta.admin, { direction: 'outgoing' })).toEqual([])
    expect(await ids(beta.owner, { status: 'rejected' })).toEqual([older.id])
    for (const who of [alpha.developer, alpha.user, alpha.stranger]) expect(await ids(who)).toEqual([])
  })

  test('a workspace that the caller does not manage is refused, one that the caller cannot see is not found', async () => {
    const list = (who: Pick<Person, 'listTransferRequests'>, query: object) => who.listTransferRequests({ query })
    for (const who of [alpha.developer, alpha.user])
      await rejects(list(who, { workspace: 'alpha' }), { code: 'forbidden', status: 403 })
    await rejects(list(alpha.owner, { workspace: 'beta' }), { code: 'not_found', status: 404 })
    await rejects(list(alpha.owner, { workspace: 'nowhere' }), { code: 'not_found', status: 404 })
    await rejects(list(alpha.owner, { status: 'lost' }), { code: 'invalid_query', status: 400 })
    await rejects(list(house.nobody, {}), { code: 'unauthenticated', status: 401 })
  })

  test('pages hold every request once', async () => {
    for (const name of ['paged-1', 'paged-2', 'paged-3']) await offered(`alpha.${name}`)
    const all = (await alpha.owner.listTransferRequests()).map(({ id }) => id)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { body, headers } = await alpha.owner.whole.listTransferRequests({ query: { limit: 2, cursor } })
      seen.push(...body.map(({ id }) => id))
      cursor = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1]
    } while (cursor)
    expect(seen).toEqual(all)
  })
})

describe('deciding', () => {
  test('the target can reject and the source can cancel, each with a reason', async () => {
    const first = await offered('alpha.decided')
    const rejected = await beta.owner.rejectTransfer({ id: first.id, body: { reason: 'No room' } })
    expect(rejected).toMatchObject({ status: 'rejected', reason: 'No room', decidedBy: beta.owner.id })
    expect(rejected.decidedAt).toBeDefined()
    const second = await asked('alpha.decided')
    const cancelled = await alpha.owner.cancelTransfer({ id: second.id, body: { reason: 'Kept' } })
    expect(cancelled).toMatchObject({ status: 'cancelled', reason: 'Kept', decidedBy: alpha.owner.id })
    for (const { id, status } of [rejected, cancelled]) {
      const decided = { code: 'request_not_pending', status: 409, details: { status } } as const
      await rejects(beta.owner.acceptTransfer({ id }), decided)
      await rejects(beta.owner.rejectTransfer({ id }), decided)
      await rejects(alpha.owner.cancelTransfer({ id }), decided)
    }
    expect((await alpha.owner.getProject({ fullname: 'alpha.decided' })).workspace).toBe('alpha')
  })

  test('only an owner of the right side decides; other members get 403, strangers 404', async () => {
    const { id } = await offered('alpha.contested')
    const wrong = [beta.admin, beta.developer, beta.user, alpha.owner, alpha.admin, alpha.user]
    for (const who of wrong) {
      await rejects(who.acceptTransfer({ id }), { code: 'forbidden', status: 403 })
      await rejects(who.rejectTransfer({ id }), { code: 'forbidden', status: 403 })
    }
    for (const who of [beta.owner, beta.admin, alpha.admin, alpha.developer])
      await rejects(who.cancelTransfer({ id }), { code: 'forbidden', status: 403 })
    for (const [who, code] of [[alpha.stranger, 'not_found'] as const, [house.nobody, 'unauthenticated'] as const])
      await refused([who.acceptTransfer({ id }), who.rejectTransfer({ id }), who.cancelTransfer({ id })], { code })
    await rejects(beta.owner.acceptTransfer({ id: 'unknown' }), { code: 'not_found', status: 404 })
    const wordy = beta.owner.rejectTransfer({ id, body: { reason: 'x'.repeat(2001) } })
    await rejects(wordy, { code: 'invalid_payload', status: 400 })
    expect(await statusOf(id)).toBe('pending')
  })

  test('after seven days a request is expired, and the project can be offered again', async () => {
    const { id, expiresAt } = await offered('alpha.slow')
    house.clock.advance(Date.parse(expiresAt) - house.clock.now().getTime())
    await rejects(beta.owner.acceptTransfer({ id }), { code: 'request_not_pending', details: { status: 'expired' } })
    await rejects(beta.owner.rejectTransfer({ id }), { code: 'request_not_pending', details: { status: 'expired' } })
    await rejects(alpha.owner.cancelTransfer({ id }), { code: 'request_not_pending', details: { status: 'expired' } })
    expect(await statusOf(id)).toBe('expired')
    expect((await asked('alpha.slow')).status).toBe('pending')
  })

  describe('an offer ends when its author stops being an owner', () => {
    /** A second owner of alpha offers a project to their own workspace. */
    async function offeredAway(name: string) {
      const leaver = await house.person('leaver')
      const { invite = '' } = await alpha.owner.getWorkspace({ fullname: 'alpha' })
      await leaver.joinWorkspace({ workspace: 'alpha', body: { invite } })
      const entry = (await alpha.owner.listAcl({ workspace: 'alpha' })).find(({ user }) => user.id === leaver.id)
      const entryId = entry?.id ?? ''
      await alpha.owner.saveAclEntry({ workspace: 'alpha', entryId, body: { level: 'owner' } })
      await leaver.saveWorkspace({ fullname: `loot-${name}`, body: { fullname: `loot-${name}` } })
      await saved(`alpha.${name}`)
      const body = { targetWorkspace: `loot-${name}` }
      const { id } = await leaver.createTransferRequest({ fullname: `alpha.${name}`, body })
      return { leaver, entryId, id }
    }
    const taken = { code: 'request_not_pending', status: 409, details: { status: 'cancelled' } } as const
    const requestOf = async (id: string) => (await alpha.owner.listTransferRequests()).find((row) => row.id === id)

    test.each(['removed', 'demoted'] as const)('the person is %s: the request is cancelled', async (how) => {
      const { leaver, entryId, id } = await offeredAway(how)
      const kept = await offered(`alpha.kept-${how}`)
      const place = { workspace: 'alpha', entryId }
      if (how === 'removed') await alpha.owner.deleteAclEntry(place)
      else await alpha.owner.saveAclEntry({ ...place, body: { level: 'admin' } })
      expect(await requestOf(id)).toMatchObject({
        status: 'cancelled',
        reason: expect.stringContaining('no longer owns'),
      })
      await rejects(leaver.acceptTransfer({ id }), taken)
      expect((await alpha.owner.getProject({ fullname: `alpha.${how}` })).workspace).toBe('alpha')
      expect(await statusOf(kept.id)).toBe('pending')
    })

    test.each([undefined, 'key-of-a-late-accept'])(
      'an offer that is still pending after the removal is cancelled at acceptance (key: %s)',
      async (idempotencyKey) => {
        const name = idempotencyKey ? 'late-keyed' : 'late'
        const { leaver, entryId, id } = await offeredAway(name)
        await alpha.owner.deleteAclEntry({ workspace: 'alpha', entryId })
        await run(house.databaseUrl, `update transfers set status = 'pending' where id = '${id}'`)
        await rejects(leaver.acceptTransfer({ id, idempotencyKey }), taken)
        expect(await statusOf(id)).toBe('cancelled')
        expect((await alpha.owner.getProject({ fullname: `alpha.${name}` })).workspace).toBe('alpha')
      },
    )
  })

  test('deleting the project cancels a pending offer, deleting the target workspace fails it', async () => {
    const orphan = await offered('alpha.deleted')
    await alpha.owner.deleteProject({ fullname: 'alpha.deleted' })
    expect(await statusOf(orphan.id)).toBe('cancelled')
    await rejects(beta.owner.acceptTransfer({ id: orphan.id }), { code: 'request_not_pending' })

    await beta.owner.saveWorkspace({ fullname: 'passing', body: { fullname: 'passing' } })
    await saved('alpha.stays')
    const lost = await asked('alpha.stays', { targetWorkspace: 'passing' })
    await beta.owner.deleteWorkspace({ fullname: 'passing' })
    const row = (await alpha.owner.listTransferRequests()).find(({ id }) => id === lost.id)
    expect(row).toMatchObject({ status: 'failed', failureReason: 'The target workspace was deleted.' })
  })
})

describe('accepting', () => {
  test('moves the project with everything that has its name, and old names resolve to the new ones', async () => {
    const { hook, template: own } = await furnished('alpha.whole')
    const { id } = await asked('alpha.whole')
    const answer = await beta.owner.acceptTransfer({ id, body: { reason: 'Welcome' } })
    expect(answer.request).toMatchObject({ status: 'accepted', reason: 'Welcome', decidedBy: beta.owner.id })
    expect(answer.request.appliedAt).toBe(answer.transfer.appliedAt)
    expect(answer.transfer.writes).toEqual({
      projects: 1,
      triggers: 2,
      drafts: 1,
      resources: 1,
      templates: 1,
      listeners: 0,
      aliases: 4,
    })
    for (const fullname of ['beta.whole', 'alpha.whole'])
      expect(await beta.user.getProject({ fullname })).toMatchObject({ fullname: 'beta.whole', workspace: 'beta' })
    for (const fullname of ['beta.whole.a.x', 'alpha.whole.a.x'])
      expect(await beta.developer.getTrigger({ fullname })).toMatchObject({
        fullname: 'beta.whole.a.x',
        project: 'beta.whole',
        workspace: 'beta',
      })
    for (const fullname of [`beta.${hook}`, `alpha.${hook}`])
      expect(await beta.admin.getResource({ fullname })).toMatchObject({
        fullname: `beta.${hook}`,
        workspace: 'beta',
        project: 'beta.whole',
        data: { url: 'https://example.org/hook' },
      })
    const [draft, moved] = [
      await beta.developer.getTriggerDraft({ fullname: 'beta.whole.later' }),
      await beta.developer.getTemplate({ fullname: 'beta.whole', id: own }),
    ]
    expect(draft).toMatchObject({
      fullname: 'beta.whole.later',
      project: 'beta.whole',
      backend: { trigger: 'beta.whole.b' },
    })
    expect(moved).toMatchObject({
      project: 'beta.whole',
      rules: [{ trigger: 'beta.whole.b', inputs: { note: 'alpha.whole.b' } }],
    })
    for (const who of [alpha.owner, alpha.user]) {
      await rejects(who.getProject({ fullname: 'alpha.whole' }), { code: 'not_found' })
      await rejects(who.getTrigger({ fullname: 'alpha.whole.b' }), { code: 'not_found' })
      await rejects(who.getResource({ fullname: `alpha.${hook}` }), { code: 'not_found' })
    }
    await rejects(beta.owner.acceptTransfer({ id }), { code: 'request_not_pending', details: { status: 'accepted' } })
    await rejects(beta.owner.planTransfer({ fullname: 'alpha.whole', body: into }), { code: 'not_found' })
  })

  test('rewrites references of other projects to the moved triggers, and no text that only looks similar', async () => {
    await saved('alpha.spoken-of')
    await saved('alpha.speaks', { public: true, accessLevel: 'public' })
    const said = ['alpha.spoken-of.t', 'alpha.spoken-of.to-come', 'alpha.spoken-of-too.t']
    await alpha.owner.saveTrigger({ fullname: said[0]!, body: trigger(said[0]!) })
    const speaker = await alpha.owner.createTemplate({
      fullname: 'alpha.speaks',
      body: template('alpha.speaks', { rules: rules(...said) }),
    })
    const listener = (name: string, stream: string) =>
      trigger(`alpha.speaks.${name}`, {
        triggerSpec: null,
        backend: { type: 'sdk', trigger: stream, values: { t: said[0] } },
      })
    for (const body of [listener('hears', said[0]!), listener('elsewhere', 'alpha.spoken-of.events')])
      await alpha.owner.saveTrigger({ fullname: body.fullname, body })
    const tag = (await alpha.owner.whole.getTrigger({ fullname: 'alpha.speaks.hears' })).headers.get('etag') ?? ''

    const { transfer } = await accepted('alpha.spoken-of')
    expect(transfer.writes).toMatchObject({ triggers: 1, templates: 1, listeners: 1 })
    const view = await alpha.owner.getTemplate({ fullname: 'alpha.speaks', id: speaker.id })
    expect(view.rules.map((rule) => rule.trigger)).toEqual(['beta.spoken-of.t', 'beta.spoken-of.to-come', said[2]])
    const hears = await alpha.owner.getTrigger({ fullname: 'alpha.speaks.hears' })
    expect(hears.backend).toEqual({ type: 'sdk', trigger: 'beta.spoken-of.t', values: { t: said[0] } })
    const elsewhere = await alpha.owner.getTrigger({ fullname: 'alpha.speaks.elsewhere' })
    expect(elsewhere.backend.trigger).toBe('alpha.spoken-of.events')
    const late = alpha.owner.deleteTrigger({ fullname: 'alpha.speaks.hears', ifMatch: tag })
    await rejects(late, { code: 'precondition_failed' })
  })

  test('pictures move too: the meta shows the new URL, and the old URL still works', async () => {
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await saved('alpha.seen')
    const body = { filename: 'i.png', contentType: 'image/png', data: pixel, target: 'icon' } as const
    const { url, fileName } = await alpha.owner.uploadProjectImage({ fullname: 'alpha.seen', body })
    const cover = 'https://example.org/api/projects/alpha.seen/images/x.png'
    await saved('alpha.seen', { meta: { title: 'Seen', description: '', icon: url, avatar: url, cover } })
    await accepted('alpha.seen')
    const { meta } = await beta.owner.getProject({ fullname: 'beta.seen' })
    const moved = `/api/projects/beta.seen/images/${fileName}`
    expect(meta).toMatchObject({ icon: moved, avatar: moved, cover })
    for (const fullname of ['beta.seen', 'alpha.seen'])
      expect((await house.nobody.getProjectImage({ fullname, asset: fileName })).length).toBeGreaterThan(0)
  })

  test('access links stay with the project and open it under its new name', async () => {
    await saved('alpha.linked', { visibility: 'private_link' })
    const { token } = await alpha.owner.createAccessLink({ fullname: 'alpha.linked', body: {} })
    const request = await asked('alpha.linked')
    expect(request.counts.accessLinks).toBe(1)
    await beta.owner.acceptTransfer({ id: request.id })
    expect((await alpha.stranger.openAccessLink({ token })).fullname).toBe('beta.linked')
  })

  test('setup tokens that the former owners know no longer work for the moved resources', async () => {
    await saved('alpha.keys')
    const blueprint = 'common.delivery.telegram'
    const fullname = 'alpha.keys-chat'
    const body = resource(fullname, { blueprint, project: 'alpha.keys' })
    const { token = '' } = await alpha.owner.saveResource({ fullname, body })
    await house.nobody.submitExternalResource({ token, body: { transform: { title: 'Room', chatId: 1 } } })
    const { id } = await alpha.owner.createSetupSession({ fullname })
    await accepted('alpha.keys')
    await rejects(house.nobody.getExternalResource({ token }), { code: 'not_found' })
    const moved = await beta.owner.getResource({ fullname: 'beta.keys-chat' })
    expect(moved).toMatchObject({ ready: true, destinationSummary: { title: 'Room' } })
    expect(moved.token).not.toBe(token)
    const session = await beta.owner.getSetupSession({ fullname: 'beta.keys-chat', id })
    expect(session.status).toBe('cancelled')
  })

  test('after a transfer and its reverse, every name resolves to the project', async () => {
    await furnished('alpha.wanders')
    await accepted('alpha.wanders')
    const back = await beta.owner.createTransferRequest({
      fullname: 'beta.wanders',
      body: { targetWorkspace: 'alpha' },
    })
    await alpha.owner.acceptTransfer({ id: back.id })
    for (const fullname of ['alpha.wanders', 'beta.wanders'])
      expect((await alpha.user.getProject({ fullname })).fullname).toBe('alpha.wanders')
    for (const fullname of ['alpha.wanders.b', 'beta.wanders.b'])
      expect((await alpha.user.getTrigger({ fullname })).fullname).toBe('alpha.wanders.b')
    await alpha.owner.deleteProject({ fullname: 'alpha.wanders' })
    await rejects(alpha.owner.getProject({ fullname: 'alpha.wanders' }), { code: 'not_found' })
  })

  test('the old name is free for a new project, which replaces the alias', async () => {
    await furnished('alpha.reborn')
    await accepted('alpha.reborn')
    const fresh = await saved('alpha.reborn')
    expect((await alpha.owner.getProject({ fullname: 'alpha.reborn' })).id).toBe(fresh.id)
    await beta.owner.deleteProject({ fullname: 'beta.reborn' })
    const { id } = await asked('alpha.reborn')
    await beta.owner.acceptTransfer({ id })
    expect((await beta.owner.getProject({ fullname: 'alpha.reborn' })).id).toBe(fresh.id)
  })

  test('an old name that another transfer reuses no longer resolves to the first project', async () => {
    await saved('alpha.handed')
    await accepted('alpha.handed')
    await beta.owner.saveProject({ fullname: 'beta.taker', body: project('beta.taker') })
    const body = { targetWorkspace: 'alpha', targetName: 'handed' }
    const { id } = await beta.owner.createTransferRequest({ fullname: 'beta.taker', body })
    await alpha.owner.acceptTransfer({ id })
    await alpha.owner.deleteProject({ fullname: 'alpha.handed' })
    await rejects(beta.owner.getProject({ fullname: 'alpha.handed' }), { code: 'not_found' })
    expect((await beta.owner.getProject({ fullname: 'beta.handed' })).fullname).toBe('beta.handed')
  })

  test('a changed plan or a new conflict leaves the request pending', async () => {
    const { id } = await offered('alpha.drifts')
    await alpha.owner.saveTrigger({ fullname: 'alpha.drifts.t', body: trigger('alpha.drifts.t') })
    const { planHash } = await planned('alpha.drifts')
    await rejects(beta.owner.acceptTransfer({ id }), { code: 'plan_changed', status: 409, details: { planHash } })
    await alpha.owner.deleteTrigger({ fullname: 'alpha.drifts.t' })
    await beta.owner.saveProject({ fullname: 'beta.drifts', body: project('beta.drifts') })
    const conflicting = await rejects(beta.owner.acceptTransfer({ id }), { code: 'transfer_conflicts', status: 409 })
    expect(conflicting.details?.conflicts).toMatchObject([{ code: 'target_project_exists', entity: 'beta.drifts' }])
    expect(await statusOf(id)).toBe('pending')
    await beta.owner.deleteProject({ fullname: 'beta.drifts' })
    expect((await beta.owner.acceptTransfer({ id })).request.status).toBe('accepted')
  })

  test.each([undefined, 'key-of-a-failing-accept'])(
    'when applying fails, the request is failed and the project unchanged (key: %s)',
    async (idempotencyKey) => {
      const name = idempotencyKey ? 'broken-keyed' : 'broken'
      const { hook, template: own } = await furnished(`alpha.${name}`)
      const { id } = await asked(`alpha.${name}`)
      await saved('alpha.squatter')
      await run(
        house.databaseUrl,
        `insert into trigger_drafts (id, fullname, project_id, definition, saved_by, saved_at)
         select 'stray-${name}', 'beta.${name}.later', id, '', '', now() from projects where fullname = 'alpha.squatter'`,
      )
      const failed = { code: 'transfer_failed', status: 409, details: { status: 'failed' } } as const
      await rejects(beta.owner.acceptTransfer({ id, idempotencyKey }), failed)
      const row = (await alpha.owner.listTransferRequests()).find((request) => request.id === id)
      expect(row).toMatchObject({ status: 'failed', failureReason: expect.stringContaining('could not be applied') })
      expect(row?.appliedAt).toBeUndefined()
      expect((await alpha.owner.getProject({ fullname: `alpha.${name}` })).workspace).toBe('alpha')
      expect((await alpha.owner.getTrigger({ fullname: `alpha.${name}.b` })).project).toBe(`alpha.${name}`)
      expect((await alpha.owner.getResource({ fullname: `alpha.${hook}` })).workspace).toBe('alpha')
      const { rules } = await alpha.owner.getTemplate({ fullname: `alpha.${name}`, id: own })
      expect(rules[0]?.trigger).toBe(`alpha.${name}.b`)
      await rejects(beta.owner.getProject({ fullname: `beta.${name}` }), { code: 'not_found' })
    },
  )

  test('a repeat with the same Idempotency-Key gets the same reply and applies once', async () => {
    const { id } = await offered('alpha.repeated')
    const accept = () => beta.owner.acceptTransfer({ id, idempotencyKey: 'accept-once' })
    const [one, other] = await Promise.all([accept(), accept()])
    expect(one).toEqual(other)
    expect(await accept()).toEqual(one)
  })
})

describe('concurrently', () => {
  /** The code of a refused call, or `ok`. */
  async function together(...calls: Promise<unknown>[]): Promise<string[]> {
    const outcomes = await Promise.allSettled(calls)
    return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'ok' : outcome.reason.code))
  }
  const rounds = [1, 2, 3]

  test.each(rounds)('of two accepts one is applied (round %i)', async (round) => {
    await furnished(`alpha.twice-${round}`)
    const { id } = await asked(`alpha.twice-${round}`)
    const accept = () => beta.owner.acceptTransfer({ id })
    expect((await together(accept(), accept())).sort()).toEqual(['ok', 'request_not_pending'])
    expect((await beta.owner.getProject({ fullname: `alpha.twice-${round}` })).fullname).toBe(`beta.twice-${round}`)
  })

  test.each(rounds)('an accept and a cancel: one of them wins (round %i)', async (round) => {
    const { id } = await offered(`alpha.torn-${round}`)
    const outcome = await together(beta.owner.acceptTransfer({ id }), alpha.owner.cancelTransfer({ id }))
    expect([...outcome].sort()).toEqual(['ok', 'request_not_pending'])
    const isMoved = outcome[0] === 'ok'
    expect(await statusOf(id)).toBe(isMoved ? 'accepted' : 'cancelled')
    const holder = isMoved ? beta.owner : alpha.owner
    const { workspace } = await holder.getProject({ fullname: `alpha.torn-${round}` })
    expect(workspace).toBe(isMoved ? 'beta' : 'alpha')
  })

  test.each(rounds)('an accept and a new trigger: no trigger stays under the old name (round %i)', async (round) => {
    const fullname = `alpha.busy-${round}`
    const { id } = await offered(fullname)
    const save = alpha.owner.saveTrigger({ fullname: `${fullname}.t`, body: trigger(`${fullname}.t`) })
    const [accept, saving] = await together(beta.owner.acceptTransfer({ id }), save)
    const expected = accept === 'ok' ? ['not_found', 'forbidden'] : ['ok']
    expect(['ok', 'plan_changed']).toContain(accept)
    expect(expected).toContain(saving)
  })

  test.each(rounds)(
    'an accept and a save of the project: both succeed, or only the first (round %i)',
    async (round) => {
      const fullname = `alpha.edited-${round}`
      const { id } = await offered(fullname)
      const [accept, save] = await together(beta.owner.acceptTransfer({ id }), saved(fullname))
      expect(accept).toBe('ok')
      expect(['ok', 'not_found']).toContain(save)
      expect((await beta.owner.getProject({ fullname: `beta.edited-${round}` })).workspace).toBe('beta')
    },
  )

  test.each(rounds)(
    'an accept and a deletion: the project is moved or deleted, never in part (round %i)',
    async (round) => {
      const fullname = `alpha.doomed-${round}`
      const { id } = await offered(fullname)
      const outcome = await together(beta.owner.acceptTransfer({ id }), alpha.owner.deleteProject({ fullname }))
      expect([
        ['ok', 'not_found'],
        ['request_not_pending', 'ok'],
      ]).toContainEqual(outcome)
      expect(await statusOf(id)).toBe(outcome[0] === 'ok' ? 'accepted' : 'cancelled')
    },
  )

  test.each(rounds)('an accept and a new project of the target name: one gets the name (round %i)', async (round) => {
    const fullname = `beta.sought-${round}`
    const { id } = await offered(`alpha.sought-${round}`)
    const take = beta.owner.saveProject({ fullname, body: project(fullname) })
    const [accept, taking] = await together(beta.owner.acceptTransfer({ id }), take)
    expect(['ok', 'transfer_conflicts']).toContain(accept)
    expect(taking).toBe('ok')
  })
})
