import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { sweep } from '../server/src/sweeper.ts'
import { addAlert } from './harness/alerts.ts'
import { harness, project, subscription, trigger } from './harness/index.ts'
import { readsOf, rowsReadBy, watchStatements } from './harness/plans.ts'
import { run } from './setup/postgres.ts'

const dayMs = 86_400_000

test('old alerts are deleted in several steps, and alerts that are still to be delivered stay', async () => {
  const { house, ann, id } = await subscribedHouse()
  const now = house.clock.now()
  const add = (daysAgo: number, status: string) =>
    addAlert(house.databaseUrl, {
      subscriptionId: id,
      trigger: 'acme.app.t',
      at: new Date(now.getTime() - daysAgo * dayMs),
      status,
    })
  const [delivered, pending, young] = [await add(11, 'delivered'), await add(11, 'pending'), await add(9, 'failed')]
  await copyMany(house.databaseUrl, id)
  await sweep(house.service.store, { alertsDays: 10, logsDays: 10, auditDays: 10 }, now)
  const left = await ann.listAlerts()
  expect(left.map((alert) => alert.id).sort()).toEqual([pending, young].sort())
  const { rows } = await house.database.query('select distinct alert_id from deliveries')
  expect(rows.map((row) => row.alert_id)).not.toContain(delivered)
  expect(rows.length).toBeLessThanOrEqual(left.length)
  await house.close()
})

test('deletion reads few rows while PostgreSQL has counted few', async () => {
  const sent = watchStatements()
  const { house, id } = await subscribedHouse()
  const now = house.clock.now()
  const at = new Date(now.getTime() - 11 * dayMs)
  const given = { subscriptionId: id, trigger: 'acme.app.t', at }
  for (const status of ['delivered', 'pending']) await addAlert(house.databaseUrl, { ...given, status })
  for (const table of ['alerts', 'deliveries']) await run(house.databaseUrl, `vacuum analyze ${table}`)
  await copyMany(house.databaseUrl, id)
  const { retention } = house.service.store
  const [drop] = (await sent.during(() => retention.dropAlerts(now))).filter(({ text }) =>
    text.includes('from "alerts"'),
  )
  const database = await house.database.connect()
  const reads = await readsOf(
    database,
    drop ?? expect.fail('no statement'),
    ['alerts', 'deliveries'],
    'force_custom_plan',
  )
  expect(rowsReadBy(reads)).toBeLessThan(20_000)
  database.release()
  await house.close()
  sent.restore()
})

test('values of policies end after a week and with their subscription, and of many every second old one is dropped', async () => {
  const { house, ann, id } = await subscribedHouse()
  const { store } = house.service
  const now = house.clock.now()
  const add = (key: string, count: number, recordedAt: Date) => {
    const values = Array.from({ length: count }, (_, at) => ({
      value: String(at),
      at: new Date(at),
      slot: new Date(at),
    }))
    const name = { subscriptionId: id, ruleId: '', key }
    return store.policyValues.addAll(
      values.map((value) => ({ ...name, ...value, bound: '5', until: null, block: null })),
      recordedAt,
    )
  }
  const valuesOf = async (key: string) =>
    (await store.policyValues.list({ subscriptionId: id, ruleId: '', key })).map(({ value }) => Number(value))
  await add('old', 3, new Date(now.getTime() - 8 * dayMs))
  await add('few', 500, now)
  await add('many', 600, now)
  await add('many', 1, now)
  await sweep(store, { alertsDays: 90, logsDays: 10, auditDays: 10 }, now)
  expect(await valuesOf('old')).toEqual([])
  expect(await valuesOf('few')).toHaveLength(500)
  const many = await valuesOf('many')
  expect(many).toEqual(Array.from({ length: 600 }, (_, at) => at).filter((at) => at >= 250 || at % 2 === 0))
  await ann.deleteSubscription({ id })
  expect(await valuesOf('many')).toEqual([])
  await house.close()
})

async function subscribedHouse() {
  const house = await harness()
  const ann = await house.person('ann')
  await ann.saveWorkspace({ fullname: 'acme', body: { fullname: 'acme' } })
  await ann.saveProject({ fullname: 'acme.app', body: project('acme.app') })
  await ann.saveTrigger({ fullname: 'acme.app.t', body: trigger('acme.app.t') })
  const { id } = await ann.createSubscription({ body: subscription('acme.app.t') })
  return { house, ann, id }
}

/** Enough delivered alerts for three deletion steps. */
async function copyMany(databaseUrl: string, subscriptionId: string): Promise<void> {
  await run(
    databaseUrl,
    `insert into alerts (id, subscription_id, account_id, workspace_id, project, trigger, status, item_at, message, trace,
       created_at, updated_at)
     select '${randomUUID()}' || n, a.subscription_id, a.account_id, a.workspace_id, a.project, a.trigger, a.status,
       a.item_at, a.message, a.trace, a.created_at, a.updated_at
     from generate_series(1, 2500) n, alerts a where a.subscription_id = '${subscriptionId}' and a.status = 'delivered'`,
  )
  await run(
    databaseUrl,
    `insert into deliveries (id, alert_id, resource, blueprint, status, due_at, created_at, updated_at)
     select 'copy' || id, id, 'acme.hook', 'common.delivery.webhook', 'delivered', created_at, created_at, created_at
     from alerts where status = 'delivered'`,
  )
}
