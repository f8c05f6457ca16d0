import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeDatabase } from '../../../../tests/harness/database.ts'
import { openPool } from '../core/pool.ts'
import type { Tables } from '../core/tables.ts'
import { deliveriesTable } from './deliveries.ts'

const at = new Date('2030-01-01T00:00:00.000Z')
const [deliveredCount, pendingCount] = [3_000, 300]
let db: Kysely<Tables>
let giveBack: () => Promise<void>

beforeAll(async () => {
  const database = await takeDatabase()
  giveBack = database.giveBack
  db = new Kysely({ dialect: new PostgresDialect({ pool: openPool(database.url, 1) }) })
  await addDeliveries('delivered', deliveredCount)
  // PostgreSQL counts the deliveries while all of them have arrived, as they have most of the time.
  await sql`analyze deliveries`.execute(db)
  await addDeliveries('pending', pendingCount)
})
afterAll(async () => {
  await db.destroy()
  await giveBack()
})

test('recording deliveries reads these deliveries and no others', async () => {
  const attempt = { at: at.toISOString(), ok: true, durationMs: 5 }
  const results = Array.from({ length: pendingCount }, (_, n) => {
    const rest = { attempts: [attempt], attemptsCount: 1, dueAt: at, sent: null, mayHaveArrived: false }
    return { id: `pending ${n}`, status: 'delivered' as const, ...rest }
  })
  expect(await rowsRead((deliveries) => deliveries.recordResults(results, at))).toBe(pendingCount)
})

test('retractions are added in the order of their deliveries, whatever order PostgreSQL reads them in', async () => {
  const numbers = Array.from({ length: 20 }, (_, n) => n)
  const added = await undone(async (trx) => {
    await sql`insert into workspaces (id, fullname, invite, invite_hash, tags, labels, meta, created_at, updated_at)
      values ('w', 'w', '', '', '[]', '{}', '{}', now(), now())`.execute(trx)
    await sql`insert into resources (id, workspace_id, name, fullname, blueprint, ready, data, tags, labels, meta, created_at, updated_at)
      values ('r', 'w', 'r', 'w.r', 'b', true, ''::bytea, '[]', '{}', '{}', now(), now())`.execute(trx)
    // An update moves a row to the end of the table, so reading the table from its beginning gives another order.
    for (const n of [...numbers].reverse())
      await sql`update deliveries set resource_id = 'r' where id = ${`delivered ${n}`}`.execute(trx)
    await sql`set local enable_indexscan = off`.execute(trx)
    await sql`set local enable_bitmapscan = off`.execute(trx)
    await deliveriesTable({ db: trx }).addRetractions(
      numbers.map((n) => `delivered ${n}`),
      at,
    )
    return trx.selectFrom('deliveries').select('alert_id').where('kind', '=', 'retraction').orderBy('seq').execute()
  })
  expect(added).toEqual(numbers.map((n) => ({ alert_id: `alert ${n}` })))
})

/** How many deliveries PostgreSQL reads for this work. */
function rowsRead(work: (deliveries: ReturnType<typeof deliveriesTable>) => Promise<void>): Promise<number> {
  return undone(async (trx) => {
    const before = await countRead(trx)
    await work(deliveriesTable({ db: trx }))
    return (await countRead(trx)) - before
  })
}

/** The result of work whose changes are taken back. */
async function undone<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T> {
  const done: T[] = []
  const undo = new Error('undo')
  const run = async (trx: Transaction<Tables>) => {
    done.push(await work(trx))
    throw undo
  }
  await expect(db.transaction().execute(run)).rejects.toBe(undo)
  const [result] = done
  if (result === undefined) throw new Error('the work gave no result')
  return result
}

async function countRead(trx: Transaction<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count
    from pg_stat_xact_user_tables where relname = 'deliveries'`.execute(trx)
  return rows[0]?.count ?? 0
}

async function addDeliveries(status: string, count: number): Promise<void> {
  await sql`insert into deliveries (id, alert_id, resource, blueprint, status, due_at, created_at, updated_at)
    select ${status}::text || ' ' || n, 'alert ' || n, 'w.r', 'b', ${status}, ${at}::timestamptz, ${at}, ${at}
    from generate_series(0, ${count}::int - 1) as n`.execute(db)
}
