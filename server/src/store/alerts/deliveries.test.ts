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
  const firsts = Array.from({ length: pendingCount }, (_, n) => ({ id: `pending ${n}`, attempt }))
  const first = await rowsRead(async (deliveries) => {
    expect(await deliveries.recordFirstSuccesses(firsts, at)).toBe(true)
  })
  const results = firsts.map(({ id }) => {
    const rest = { attempts: [attempt], attemptsCount: 1, dueAt: at, sent: null, mayHaveArrived: false }
    return { id, status: 'delivered' as const, ...rest }
  })
  const other = await rowsRead((deliveries) => deliveries.recordResults(results, at))
  expect({ first, other }).toEqual({ first: pendingCount, other: pendingCount })
})

/** How many deliveries PostgreSQL reads for this work. What the work changes is taken back. */
async function rowsRead(work: (deliveries: ReturnType<typeof deliveriesTable>) => Promise<void>): Promise<number> {
  let read = 0
  const undo = new Error('undo')
  const run = async (trx: Transaction<Tables>) => {
    const before = await countRead(trx)
    await work(deliveriesTable({ db: trx }))
    read = (await countRead(trx)) - before
    throw undo
  }
  await expect(db.transaction().execute(run)).rejects.toBe(undo)
  return read
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
