import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { lookUntil, patienceMs } from '../../../../../tests/harness/look-until.ts'
import { run, withDatabase } from '../../../../../tests/setup/postgres.ts'
import { migrate } from '../migrate.ts'
import { openPool } from '../pool.ts'
import { quietMs } from './end-stale-sessions.ts'

let name: string
let url: string
let sessions: { client: pg.Client; isEnded: boolean }[]

beforeEach(async () => {
  name = `sessions_${randomBytes(4).toString('hex')}`
  await run(inject('postgresUrl'), `create database ${name}`)
  url = withDatabase(inject('postgresUrl'), name)
  sessions = []
  await migrate(url, '0015-list-orders')
})
afterEach(async () => {
  await run(inject('postgresUrl'), `drop database ${name} with (force)`)
})

/** A session like those of version 0.1, whose name is empty, after this statement. */
async function open(statement: string, applicationName = '') {
  const client = new pg.Client({ connectionString: url, application_name: applicationName })
  const session = { client, isEnded: false }
  client.on('error', () => {})
  client.on('end', () => {
    session.isEnded = true
  })
  await client.connect()
  await client.query(statement)
  sessions.push(session)
  return session
}
const ended = () => sessions.map(({ isEnded }) => isEnded)
const untilEnded = async (wanted: boolean[]) => {
  const { seen } = await lookUntil(ended, (seen) => String(seen) === String(wanted), patienceMs)
  expect(seen).toEqual(wanted)
}

test('a migration ends idle sessions of version 0.1, and no others', async () => {
  await open('select 1')
  await open('begin')
  await open('listen news')
  await open('select 1', 'psql')
  const pool = openPool(url, 1)
  const readPid = async () => (await pool.query('select pg_backend_pid() as pid')).rows[0]
  const pid = await readPid()
  const migrated = migrate(url)
  await untilEnded([true, false, false, false])
  expect(await readPid()).toEqual(pid)
  // A busy session is ended when its transaction is over.
  await sessions[1]?.client.query('commit')
  await migrated
  await untilEnded([true, true, false, false])
  await pool.end()
})

test('a migration ends a session of version 0.1 that never rests', async () => {
  const session = await open('select 1')
  const queryUntilRefused = async (): Promise<void> => {
    for (;;) await session.client.query('select 1')
  }
  const refused = queryUntilRefused().catch(() => 'refused')
  await migrate(url)
  expect(await refused).toBe('refused')
  await untilEnded([true])
})

test('a start without a migration ends sessions that are older than the last one, and no newer ones', async () => {
  await migrate(url)
  await open('select 1')
  await migrate(url)
  expect(ended()).toEqual([false])
  await pause(2 * quietMs)
  // Like a session that stayed because the migrating process died.
  await run(url, "update kysely_migration set timestamp = '9999-01-01T00:00:00Z'")
  await migrate(url)
  await untilEnded([true])
})

test('a migration gives way to a transaction that uses the tables, and both succeed', async () => {
  const { client } = await open('begin; select * from triggers')
  const migrated = migrate(url)
  const isWaiting = async () =>
    (await client.query("select 1 from pg_locks where not granted and mode = 'AccessExclusiveLock'")).rowCount === 1
  await lookUntil(isWaiting, Boolean, patienceMs)
  // This order of locks would be a deadlock if the migration waited.
  await client.query('select * from accounts')
  await client.query('commit')
  await migrated
})
