import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeDatabase } from '../../../../tests/harness/database.ts'
import { openPool } from '../core/pool.ts'
import { makeSecretBox } from '../core/secret-box.ts'
import { nameStatements } from '../core/statements.ts'
import type { Tables } from '../core/tables.ts'
import { listenersTable } from './listeners.ts'

const newCount = 5_000
let db: Kysely<Tables>
let giveBack: () => Promise<void>

beforeAll(async () => {
  const database = await takeDatabase()
  giveBack = database.giveBack
  db = new Kysely({ dialect: new PostgresDialect({ pool: nameStatements(openPool(database.url, 1)) }) })
  await sql`insert into accounts (id, email, email_key, name, created_at, updated_at)
    values ('a', 'a@b.c', 'a@b.c', 'Ann', now(), now())`.execute(db)
  await sql`insert into workspaces (id, fullname, invite, invite_hash, tags, labels, meta, created_at, updated_at)
    values ('w', 'acme', '', '', '[]', '{}', '{}', now(), now())`.execute(db)
  await sql`insert into members (id, workspace_id, account_id, level, created_at, updated_at)
    values ('m', 'w', 'a', 'owner', now(), now())`.execute(db)
  await sql`insert into projects (id, workspace_id, name, fullname, access_level, visibility, tags, labels, meta, created_at, updated_at)
    values ('p', 'w', 'p', 'acme.p', 'private', 'personal', '[]', '{}', '{}', now(), now())`.execute(db)
  await addSubscriptions(0, 1)
})
afterAll(async () => {
  await db.destroy()
  await giveBack()
})

test('reading many new subscriptions reads each of their rows once, also if the statement was planned for few', async () => {
  const table = (trx: Kysely<Tables>) => listenersTable({ db: trx, box: makeSecretBox(Buffer.alloc(32)) })
  // It is planned for small tables, as PostgreSQL counted them, and PostgreSQL keeps the plan of a named statement after five runs.
  await sql`analyze subscriptions, subscription_resources, resources`.execute(db)
  for (let run = 0; run < 6; run++) expect(await table(db).find(['s0'])).toHaveLength(1)
  await addSubscriptions(1, newCount)
  const ids = Array.from({ length: newCount }, (_, n) => `s${n + 1}`)
  await db.transaction().execute(async (trx) => {
    const before = await countRead(trx)
    const found = await table(trx).find(ids)
    expect(found.map(({ resources }) => JSON.parse(resources).length)).toEqual(ids.map(() => 1))
    expect((await countRead(trx)) - before).toBeLessThanOrEqual(4 * newCount)
  })
})

/** The rows of the three large tables that this transaction has read. */
async function countRead(trx: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count
    from pg_stat_xact_user_tables where relname in ('subscriptions', 'subscription_resources', 'resources')`.execute(
    trx,
  )
  return rows[0]?.count ?? 0
}

async function addSubscriptions(from: number, count: number): Promise<void> {
  const numbers = sql`generate_series(${from}::int, ${from + count - 1}::int) as n`
  await sql`insert into resources (id, workspace_id, name, fullname, blueprint, ready, data, tags, labels, meta, created_at, updated_at)
    select 'r' || n, 'w', 'r' || n, 'acme.r' || n, 'b', true, ''::bytea, '[]', '{}', '{}', now(), now() from ${numbers}`.execute(
    db,
  )
  await sql`insert into subscriptions (id, account_id, workspace_id, project_id, meta, created_at, updated_at)
    select 's' || n, 'a', 'w', 'p', '{}', now(), now() from ${numbers}`.execute(db)
  await sql`insert into subscription_resources (subscription_id, resource_id, position)
    select 's' || n, 'r' || n, 0 from ${numbers}`.execute(db)
}
