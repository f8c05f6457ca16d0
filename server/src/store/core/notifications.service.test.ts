import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, takeDatabase } from '../../../../tests/harness/database.ts'
import { waitFor } from '../../../../tests/harness/evaluation.ts'
import { startNoticeFilter } from '../../../../tests/harness/notice-filter.ts'
import { PgNotifications } from './notifications.ts'

let database: TestDatabase
let db: pg.Client
beforeAll(async () => {
  database = await takeDatabase()
  db = new pg.Client({ connectionString: database.url })
  await db.connect()
})
afterAll(async () => {
  await db.end()
  await database.giveBack()
})

const notify = (channel: string, payload: string) => db.query('select pg_notify($1, $2)', [channel, payload])

test('a notice reaches the listeners of its channel, also those that came later', async () => {
  const notifications = new PgNotifications(database.url)
  const seen: string[] = []
  notifications.listen('first', (payload) => seen.push(`first ${payload}`))
  await waitFor(() => notifications.isUp && seen.length > 0)
  notifications.listen('second', (payload) => seen.push(`second ${payload}`))
  await waitFor(() => seen.includes('second undefined'))
  await notify('first', 'a')
  await notify('second', 'b')
  await waitFor(() => seen.length === 4)
  expect(seen).toEqual(['first undefined', 'second undefined', 'first a', 'second b'])
  await notifications.close()
})

test('after a broken connection every listener is called, because it may have missed notices', async () => {
  const proxy = await startNoticeFilter(database.url, () => false)
  const notifications = new PgNotifications(proxy.url)
  const seen: (string | undefined)[] = []
  notifications.listen('first', (payload) => seen.push(payload))
  await waitFor(() => seen.length === 1)
  proxy.cut()
  await waitFor(() => !notifications.isUp)
  await notify('first', 'missed')
  await waitFor(() => notifications.isUp && seen.length === 2)
  expect(seen).toEqual([undefined, undefined])
  await notifications.close()
  await proxy.close()
})

test('behind a proxy that passes no notices on, loops are never told that notices arrive', async () => {
  const proxy = await startNoticeFilter(database.url, () => true)
  const notifications = new PgNotifications(proxy.url, 50)
  let calls = 0
  notifications.listen('first', () => calls++)
  // The second lost probe shows that the first one ended the first connection.
  await waitFor(() => proxy.lost.length === 2)
  expect({ isUp: notifications.isUp, calls }).toEqual({ isUp: false, calls: 0 })
  await notifications.close()
  await proxy.close()
})
