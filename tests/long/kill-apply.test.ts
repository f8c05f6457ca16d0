import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@tocsin/sdk'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, takeDatabase } from '../harness/database.ts'
import { until } from '../harness/following.ts'
import { addressList, project, trigger } from '../harness/index.ts'
import { killHard, type Running, startProcess } from '../harness/process.ts'

const token = 'kill-apply-token-of-more-than-32-characters'
let folder: string
let database: TestDatabase
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin-kill-apply-'))
  database = await takeDatabase()
})
afterAll(async () => {
  await database?.giveBack()
  rmSync(folder, { recursive: true, force: true })
})

const start = () => startProcess(folder, { DATABASE_URL: database.url, ADMIN_TOKEN: token })
const clientOf = ({ url }: Running) => createClient({ baseUrl: url, token, retries: 0 })

test('a service that is killed at the end of an apply leaves nothing of it, and the next apply does all', async () => {
  let running = await start()
  const body = {
    stack: 'killed',
    entities: [
      { kind: 'project' as const, payload: project('admin.p') },
      { kind: 'trigger' as const, payload: trigger('admin.p.t') },
      { kind: 'address-list' as const, payload: addressList('admin.list') },
    ],
  }
  const { planHash } = await clientOf(running).planStack({ fullname: 'admin', body })
  const holder = new pg.Client(database.url)
  await holder.connect()
  // The apply has saved every entity when it comes to this table, its last one before the commit.
  await holder.query('begin; lock table stack_entities in exclusive mode')
  const apply = { fullname: 'admin', body: { ...body, expectedPlanHash: planHash } }
  const lost = clientOf(running)
    .applyStack(apply)
    .then(() => 'answered')
    .catch(() => 'lost')
  const waiting = async () =>
    (await holder.query(`select 1 from pg_locks where relation = 'stack_entities'::regclass and not granted`)).rowCount
  await until(waiting, (count) => count === 1, 60_000)
  await killHard(running)
  expect(await lost).toBe('lost')
  await holder.query('rollback')
  await holder.end()

  running = await start()
  const client = clientOf(running)
  const again = await client.planStack({ fullname: 'admin', body })
  expect(again.changes.map(({ action }) => action)).toEqual(['create', 'create', 'create'])
  expect(again.planHash).toBe(planHash)
  await client.applyStack(apply)
  const done = await client.planStack({ fullname: 'admin', body })
  expect(done.changes.map(({ action }) => action)).toEqual(['none', 'none', 'none'])
  await killHard(running)
}, 240_000)
