import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  customSource,
  type Harness,
  harness,
  type Person,
  project,
  rejects,
  resource,
  subscription,
  template,
  trigger,
} from './harness/index.ts'
import { run } from './setup/postgres.ts'

let house: Harness
let owner: Person
beforeAll(async () => {
  const seconds = { RATE_WORKSPACE_TEST_SECONDS_PER_MINUTE: '1' }
  const bytes = { LIMIT_PICTURE_BYTES_PER_WORKSPACE: '100', LIMIT_STORED_BYTES_PER_WORKSPACE: '20000' }
  house = await harness({
    LIMIT_SUBSCRIPTIONS_PER_WORKSPACE: '2',
    LIMIT_TRIGGERS_PER_WORKSPACE: '2',
    ...bytes,
    ...seconds,
  })
  owner = await house.person('owner')
  for (const workspace of ['acme', 'other']) {
    await owner.saveWorkspace({ fullname: workspace, body: { fullname: workspace } })
    await owner.saveProject({ fullname: `${workspace}.p`, body: project(`${workspace}.p`) })
  }
})
afterAll(() => house.close())
const full = (call: Promise<unknown>, details: { limit: number; used: number }) =>
  rejects(call, { code: 'limit_reached', status: 403, details })
const save = (fullname: string) => owner.saveTrigger({ fullname, body: trigger(fullname) })
const draft = (fullname: string) => owner.saveTriggerDraft({ fullname, body: trigger(fullname) })

test('the quotas of a workspace limit its triggers and drafts of new triggers; existing ones can be changed', async () => {
  await save('acme.p.a')
  await draft('acme.p.b')
  await full(save('acme.p.c'), { limit: 2, used: 2 })
  await full(draft('acme.p.c'), { limit: 2, used: 2 })
  await save('acme.p.a')
  await draft('acme.p.a')
  await save('acme.p.b')
  const entities = ['acme.p.b', 'acme.p.c'].map((name) => ({ kind: 'trigger' as const, payload: trigger(name) }))
  const { issues } = await owner.planStack({ fullname: 'acme', body: { stack: 'full', entities } })
  const message = 'The operator allows 2 triggers and drafts for a workspace, and this one has 2.'
  expect(issues).toEqual([{ kind: 'trigger', fullname: 'acme.p.c', path: '', message }])
  await save('other.p.a')
})

test('the quotas of a workspace limit its subscriptions, also concurrent ones', async () => {
  const body = subscription('other.p.a', { workspace: 'other', project: 'other.p' })
  const made = await Promise.allSettled(Array.from({ length: 20 }).map(() => owner.createSubscription({ body })))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  await full(owner.createSubscription({ body }), { limit: 2, used: 2 })
  const [one] = await owner.listSubscriptions()
  await owner.deleteSubscription({ id: one?.id ?? '' })
  await owner.createSubscription({ body })
})

test('the quotas of a workspace limit the bytes of its pictures', async () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const body = { filename: 'dot.png', contentType: 'image/png' as const, data: png }
  const { size } = await owner.uploadAvatar({ fullname: 'acme', body })
  const upload = owner.uploadProjectImage({ fullname: 'acme.p', body: { ...body, target: 'icon' } })
  await full(upload, { limit: 100, used: size })
})

test('the quotas of a workspace limit the time of its tests; tests without its project, or by strangers, do not count', async () => {
  const guest = await house.person('guest')
  await owner.saveProject({ fullname: 'other.open', body: project('other.open', { accessLevel: 'public' }) })
  // Each script is a new one: a script that ran too long several times is refused without running.
  let scripts = 0
  const preview = (person: Person, named?: string) =>
    person.previewTrigger({
      body: { providers: [], transform: `for (;;) {} // ${scripts++}`, input: {}, project: named },
    })
  const previewOften = async () => {
    for (let count = 0; count < 200; count++) await preview(owner, 'other.open')
  }
  const refused = await rejects(previewOften(), { code: 'rate_limited', status: 429 })
  expect(refused.message).toContain('The tests of this workspace have taken 1 s in a minute')
  expect(await preview(owner)).toMatchObject({ valid: false })
  expect(await preview(guest, 'other.open')).toMatchObject({ valid: false })
})

test('the quotas of a workspace limit the bytes that it stores in total; existing records stay readable', async () => {
  await owner.saveWorkspace({ fullname: 'big', body: { fullname: 'big' } })
  await owner.saveProject({ fullname: 'big.p', body: project('big.p') })
  const big = { workspace: 'big', project: 'big.p' }
  const script = (bytes: number) => `return 1 // ${randomBytes(bytes / 2).toString('hex')}`
  const saveScript = (bytes: number) =>
    owner.saveTrigger({ fullname: 'big.p.t', body: trigger('big.p.t', { transform: script(bytes) }) })
  // Each save is kept as a version, so the second one takes more.
  await saveScript(4_000)
  await saveScript(4_000)
  await rejects(saveScript(24_000), { code: 'limit_reached', status: 403 })

  const subscribed = await owner.createSubscription({ body: subscription('big.p.t', big) })
  const made = await owner.createTemplate({ fullname: 'big.p', body: template('big.p') })
  const calls: Record<string, () => Promise<unknown>> = {
    project: () => owner.saveProject({ fullname: 'big.p', body: project('big.p') }),
    trigger: () => saveScript(100),
    draft: () => owner.saveTriggerDraft({ fullname: 'big.p.t', body: trigger('big.p.t') }),
    patch: () => owner.patchTrigger({ fullname: 'big.p.t', body: { set: { 'meta.title': 'T' } } }),
    patches: () => owner.patchTriggers({ body: { items: [{ fullname: 'big.p.t', set: { 'meta.title': 'U' } }] } }),
    template: () => owner.createTemplate({ fullname: 'big.p', body: template('big.p') }),
    'changed template': () => owner.saveTemplate({ fullname: 'big.p', id: made.id, body: template('big.p') }),
    subscription: () => owner.createSubscription({ body: subscription('big.p.t', big) }),
    'changed subscription': () => owner.saveSubscription({ id: subscribed.id, body: subscription('big.p.t', big) }),
    resource: () => owner.saveResource({ fullname: 'big.hook', body: resource('big.hook') }),
    source: () => owner.saveCustomSource({ fullname: 'big.evm', body: customSource('big.evm') }),
    secret: () => owner.saveProjectSecret({ fullname: 'big.p', name: 'key', body: { value: 'value' } }),
  }
  await run(
    house.databaseUrl,
    `insert into images (id, workspace_id, file_name, content_type, bytes, created_at)
      select 'filler', id, 'filler', 'image/png', decode(repeat('00', 20000), 'hex'), now() from workspaces where fullname = 'big'`,
  )
  for (const call of Object.values(calls)) await rejects(call(), { code: 'limit_reached', status: 403 })
  expect(await owner.getTrigger({ fullname: 'big.p.t' })).toMatchObject({ fullname: 'big.p.t' })
  await run(house.databaseUrl, "delete from images where id = 'filler'")
  for (const call of Object.values(calls)) await call()
})
