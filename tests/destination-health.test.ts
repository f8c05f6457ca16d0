import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweep } from '../server/src/sweeper.ts'
import { type Receiver, startReceiver } from './harness/deliveries.ts'
import { query, until } from './harness/following.ts'
import { houseWithHook } from './harness/house-with-hook.ts'
import { type Harness, type Person, rejects, resource, subscription, trigger } from './harness/index.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A whole service with a webhook that fails and is repaired: counts, health and the summary of the workspace. */
let house: Harness
let ann: Person
let receiver: Receiver
let subscriptionId: string

beforeAll(async () => {
  ;({ house, ann, receiver } = await houseWithHook({
    project: { accessLevel: 'public' },
    hook: { meta: { title: 'Ops hook' } },
  }))
  receiver.answer = () => ({ status: 500 })
  const triggerSpec = { type: 'timer', interval: '1h' } as const
  await ann.saveTrigger({ fullname: 'acme.p.t', body: trigger('acme.p.t', { triggerSpec }) })
  const body = subscription('acme.p.t', { resources: ['acme.hook'] })
  subscriptionId = (await ann.createSubscription({ body })).id
  await until(
    () => query(house, 'select 1 from timers'),
    (rows) => rows.length === 1,
  )
})
afterAll(async () => {
  await house.close()
  receiver.close()
})

const fullname = 'acme'
const health = async () => (await ann.getResource({ fullname: 'acme.hook' })).health
const currentHour = () => new Date(Math.floor(house.clock.now().getTime() / hourMs) * hourMs).toISOString()

test('a failed attempt is counted for workspace, trigger, subscription and resource, and the other hours are zero', async () => {
  house.clock.advance(hourMs)
  const counts = await until(
    () => ann.getWorkspaceCounts({ fullname }),
    ({ total }) => total.recorded === 1 && total.failedAttempts > 0,
  )
  expect(counts.range).toBe('24h')
  expect(counts.hours).toHaveLength(24)
  expect(counts.hours.at(-1)).toMatchObject({ hour: currentHour(), recorded: 1, delivered: 0, failed: 0 })
  expect(counts.hours.slice(0, -1).every(({ recorded }) => recorded === 0)).toBe(true)
  const others = [
    await ann.getTriggerCounts({ fullname: 'acme.p.t', query: { range: '7d' } }),
    await ann.getSubscriptionCounts({ id: subscriptionId, query: { range: '30d' } }),
  ]
  expect(others.map(({ hours }) => hours.length)).toEqual([7 * 24, 30 * 24])
  for (const { total } of others) expect(total).toMatchObject({ recorded: 1, delivered: 0 })
  const { total } = await ann.getResourceCounts({ fullname: 'acme.hook' })
  expect(total).toMatchObject({ recorded: 0, delivered: 0 })
  expect(total.failedAttempts).toBeGreaterThan(0)
})

test('a failing resource says since when, why, what was answered, what waits and when it is tried again', async () => {
  const lastError = expect.stringContaining('answered 500')
  expect(await health()).toMatchObject({
    state: 'failing',
    failingSince: expect.any(String),
    lastError,
    lastAttempt: { ok: false, status: 500, error: lastError },
    last24h: { delivered: 0, successRate: 0 },
    queue: 1,
    nextAttemptAt: expect.any(String),
  })
  const [listed] = await ann.listResources({ query: { workspace: 'acme' } })
  expect(listed?.health).toMatchObject({ state: 'failing', queue: 1 })
  // Every member sees the health of a resource, but not every alert.
  for (const field of ['request', 'response']) expect(listed?.health?.lastAttempt).not.toHaveProperty(field)
})

test('the summary names the failing resource, without its URL', async () => {
  const summary = await ann.getWorkspaceSummary({ fullname })
  expect(summary.failingResources).toEqual({
    count: 1,
    list: [
      {
        fullname: 'acme.hook',
        title: 'Ops hook',
        blueprint: 'common.delivery.webhook',
        state: 'failing',
        failingSince: expect.any(String),
        lastError: expect.stringContaining('answered 500'),
      },
    ],
  })
  expect(JSON.stringify(summary)).not.toContain('/hook')
})

test('the runs of a trigger have their time, their outcome and their provider calls, and are for developers', async () => {
  const { range, total, hours, last } = await until(
    () => ann.getTriggerRuns({ fullname: 'acme.p.t' }),
    (runs) => runs.total.runs === 1,
  )
  expect({ range, total }).toMatchObject({ range: '24h', total: { runs: 1, fired: 1, failed: 0, providerCalls: 0 } })
  expect(total.durationMs).toBe(total.slowestMs)
  expect(hours).toHaveLength(24)
  expect(hours.at(-1)).toEqual({ hour: currentHour(), ...total })
  expect(last).toMatchObject([{ outcome: 'fired', durationMs: total.durationMs, at: expect.any(String) }])
  const bob = await house.person('bob')
  await rejects(bob.getTriggerRuns({ fullname: 'acme.p.t' }), { code: 'forbidden' })
  await rejects(house.nobody.getTriggerRuns({ fullname: 'acme.p.t' }), { code: 'unauthenticated' })
  await rejects(ann.getTriggerRuns({ fullname: 'acme.p.none' }), { code: 'not_found' })
})

test('the counts of a public trigger are for members of its workspace', async () => {
  const bob = await house.person('bob')
  expect(await bob.getTrigger({ fullname: 'acme.p.t' })).toMatchObject({ fullname: 'acme.p.t' })
  await rejects(bob.getTriggerCounts({ fullname: 'acme.p.t' }), { code: 'forbidden' })
})

test('after the repair the delivery arrives, and health, counts and summary say so', async () => {
  receiver.answer = () => ({ status: 204 })
  house.clock.advance(15_000)
  await until(health, (now) => now?.state === 'working' && now.last24h?.delivered === 1)
  const now = await health()
  expect(now).toMatchObject({ queue: 0, lastAttempt: { ok: true, status: 204 } })
  const { failedAttempts = 0, successRate } = now?.last24h ?? {}
  expect(successRate).toBeCloseTo(1 / (1 + failedAttempts))
  expect((await ann.getWorkspaceSummary({ fullname })).failingResources).toEqual({ count: 0, list: [] })
  expect((await ann.getTriggerCounts({ fullname: 'acme.p.t' })).total).toMatchObject({ recorded: 1, delivered: 1 })
})

test('a resend sends what failed since a time once, to one resource or to all, and a dry run only counts what it would send', async () => {
  const since = new Date(house.clock.now().getTime() - dayMs).toISOString()
  const resend = (body = {}) => ann.resendFailed({ fullname, body: { since, ...body } })
  expect(await resend()).toEqual({ alerts: 0, deliveries: 0, isComplete: true })
  await query(house, "update deliveries set status = 'dead'")
  await query(house, "update alerts set status = 'failed'")
  expect(await resend({ dryRun: true })).toEqual({ alerts: 1, deliveries: 1, isComplete: true })
  expect(await resend({ since: house.clock.now().toISOString() })).toMatchObject({ alerts: 0, deliveries: 0 })
  await ann.saveResource({ fullname: 'acme.other', body: resource('acme.other', { data: { url: receiver.url } }) })
  expect(await resend({ resource: 'acme.other' })).toMatchObject({ alerts: 0, deliveries: 0 })
  await rejects(resend({ resource: 'acme.none' }), { code: 'not_found' })
  const before = receiver.received.length
  expect(await resend({ resource: 'acme.hook' })).toEqual({ alerts: 1, deliveries: 1, isComplete: true })
  expect(await resend()).toMatchObject({ alerts: 0, deliveries: 0 })
  // Only the call that sent something is in the audit log.
  expect(await ann.listAudit({ fullname, query: { action: 'alert.resend' } })).toHaveLength(1)
  const [alert] = await until(
    () => ann.listAlerts({ query: { workspace: 'acme' } }),
    ([first]) => first?.status === 'delivered',
  )
  expect(receiver.received.slice(before).map(({ headers }) => headers['webhook-id'])).toEqual([alert?.id])
})

test('a resend leaves out alerts that have nothing to send again', async () => {
  const since = new Date(house.clock.now().getTime() - dayMs).toISOString()
  const resend = (body = {}) => ann.resendFailed({ fullname, body: { since, ...body } })
  await query(house, "update alerts set status = 'failed'")
  // The first delivery failed for good, the second one arrived.
  expect(await resend({ resource: 'acme.hook' })).toEqual({ alerts: 0, deliveries: 0, isComplete: true })
  await query(house, "update deliveries set resource_id = null, status = 'dead'")
  expect(await resend()).toEqual({ alerts: 0, deliveries: 0, isComplete: true })
  await query(house, "update alerts set status = 'delivered'")
})

test('a resend that reaches its limit says that more may be left', async () => {
  // A resource that is off sends nothing, so the deliveries stay.
  await query(house, "update resources set ready = false where fullname = 'acme.other'")
  const columns =
    'subscription_id, account_id, workspace_id, project, trigger, item_at, message, trace, created_at, updated_at'
  await query(
    house,
    `insert into alerts (id, status, ${columns}) select 'many' || n, 'pending', ${columns}
     from (select * from alerts limit 1) a, generate_series(1, 1001) n`,
  )
  const { rows } = await house.database.query(
    `insert into deliveries (id, alert_id, resource_id, resource, blueprint, status, due_at, attempts_count, created_at, updated_at)
     select a.id, a.id, r.id, r.fullname, r.blueprint, 'pending', $1::timestamptz + interval '1 day', 1, $1, $1
     from alerts a, resources r where a.id like 'many%' and r.fullname = 'acme.other' returning 1`,
    [house.clock.now()],
  )
  expect(rows).toHaveLength(1001)
  const body = { since: new Date(house.clock.now().getTime() - hourMs).toISOString(), resource: 'acme.other' }
  const expected = { alerts: 0, deliveries: 1000, isComplete: false }
  expect(await ann.resendFailed({ fullname, body: { ...body, dryRun: true } })).toEqual(expected)
  expect(await ann.resendFailed({ fullname, body })).toEqual(expected)
  await query(house, "delete from alerts where id like 'many%'")
})

test('a resend sends deliveries that wait for a retry at once, whatever pause the receiver asked for', async () => {
  receiver.answer = () => ({ status: 503, headers: { 'retry-after': '7200' } })
  house.clock.advance(hourMs)
  const failing = await until(health, (now) => now?.state === 'failing' && now.queue === 1)
  receiver.answer = () => ({ status: 204 })
  // The alert was recorded before its destination began to fail.
  const since = failing?.failingSince ?? ''
  // A dry run changes nothing: not even the pause ends.
  const expected = { alerts: 0, deliveries: 1, isComplete: true }
  for (const dryRun of [true, true, false])
    expect(await ann.resendFailed({ fullname, body: { since, dryRun } })).toEqual(expected)
  await until(health, (now) => now?.state === 'working' && now.queue === 0)
})

test('another resource is told when deliveries fail and when they work again, and admins see both alerts', async () => {
  const told = await startReceiver()
  await ann.saveResource({ fullname: 'acme.pager', body: resource('acme.pager', { data: { url: told.url } }) })
  const save = (notifyOnFailure: string | null | undefined) =>
    ann.saveResource({
      fullname: 'acme.hook',
      body: resource('acme.hook', { data: { url: receiver.url }, meta: { title: 'Ops hook' }, notifyOnFailure }),
    })
  const dan = await house.person('dan')
  const [own] = await dan.listWorkspaces()
  const far = `${own?.fullname}.hook`
  await dan.saveResource({ fullname: far, body: resource(far, { data: { url: told.url } }) })
  for (const name of ['acme.hook', 'acme.none', far])
    await rejects(save(name), { code: 'invalid_payload', details: { issues: [{ path: 'notifyOnFailure' }] } })
  expect(await save('acme.pager')).toMatchObject({ notifyOnFailure: 'acme.pager' })
  const [{ paths } = { paths: [] }] = await ann.listAudit({ fullname, query: { action: 'resource.save', limit: 1 } })
  expect(paths).toEqual(['notifyOnFailure'])
  receiver.answer = () => ({ status: 500 })
  house.clock.advance(hourMs)
  await until(
    async () => {
      house.clock.advance(60_000)
      return told.received.length
    },
    (count) => count === 1,
  )
  receiver.answer = () => ({ status: 204 })
  house.clock.advance(hourMs)
  await until(
    async () => told.received.length,
    (count) => count === 2,
  )
  const about = (await ann.listAlerts({ query: { workspace: 'acme' } })).filter((alert) => alert.resource !== undefined)
  expect(about.map(({ message, resource, severity }) => [message.title, resource, severity])).toEqual([
    ['Ops hook works again', 'acme.hook', 'info'],
    ['Ops hook is failing', 'acme.hook', 'warning'],
  ])
  await rejects(dan.getAlert({ id: about[0]?.id ?? '' }), { code: 'not_found' })
  expect(await save(undefined)).not.toHaveProperty('notifyOnFailure')
  told.close()
})

test('the summary names a firing alert until it is resolved, and a source in error', async () => {
  await query(house, "update alerts set state = 'firing' where id = (select min(id) from alerts)")
  // Thousands of alerts that fired later and are resolved do not hide it.
  const columns = `subscription_id, account_id, workspace_id, project, trigger, status, item_at, message, trace,
    created_at, updated_at`
  await query(
    house,
    `insert into alerts (id, state, resolves, ${columns})
     select part || n, case part when 'fired' then 'firing' else 'resolved' end, case part when 'resolved' then 'fired' || n end,
       ${columns} from alerts, generate_series(1, 2000) n, unnest(array['fired', 'resolved']) part where state = 'firing'`,
  )
  const firing = (await ann.getWorkspaceSummary({ fullname })).firingAlerts
  expect(firing).toMatchObject({ count: 1, list: [{ trigger: 'acme.p.t', severity: 'info' }] })
  await query(house, "delete from alerts where id ~ '^(fired|resolved)'")
  await query(
    house,
    `insert into alerts (id, subscription_id, account_id, workspace_id, project, trigger, status, state, resolves, item_at,
       message, trace, created_at, updated_at)
     select 'al_resolved', subscription_id, account_id, workspace_id, project, trigger, 'delivered', 'resolved', id, item_at,
       message, trace, created_at, updated_at from alerts where state = 'firing'`,
  )
  expect((await ann.getWorkspaceSummary({ fullname })).firingAlerts).toEqual({ count: 0, list: [] })
  const status = {
    status: 'error' as const,
    message: 'No endpoint answers.',
    updatedAt: house.clock.now().toISOString(),
  }
  await query(
    house,
    `insert into custom_sources (id, workspace_id, name, fullname, public, kind, endpoints, settings, meta, status, revision,
       created_at, updated_at)
     select 'src', id, 'node', 'acme.node', false, 'evm', '', '{}', '{"title":"Node"}', $1, 1, now(), now() from workspaces
     where fullname = 'acme'`,
    [JSON.stringify(status)],
  )
  expect((await ann.getWorkspaceSummary({ fullname })).troubledSources).toEqual({
    count: 1,
    list: [
      {
        fullname: 'acme.node',
        title: 'Node',
        status: 'error',
        message: 'No endpoint answers.',
        since: status.updatedAt,
      },
    ],
  })
  // PostgreSQL cannot read a NUL, and a node may answer one.
  await house.service.store.customSources.setStatus('src', { ...status, message: 'No\0 answer.' })
  const { list } = (await ann.getWorkspaceSummary({ fullname })).troubledSources
  expect(list).toMatchObject([{ fullname: 'acme.node', message: 'No answer.' }])
})

test('counts and runs are kept as long as alerts', async () => {
  const { store } = house.service
  await sweep(store, { alertsDays: 30, logsDays: 30, auditDays: 365 }, house.clock.now())
  expect(await query(house, 'select 1 from hourly_counts')).not.toEqual([])
  expect(await query(house, 'select 1 from hourly_runs')).not.toEqual([])
  await sweep(
    store,
    { alertsDays: 30, logsDays: 30, auditDays: 365 },
    new Date(house.clock.now().getTime() + 31 * dayMs),
  )
  expect(await query(house, 'select 1 from hourly_counts')).toEqual([])
  expect(await query(house, 'select 1 from hourly_runs')).toEqual([])
})
