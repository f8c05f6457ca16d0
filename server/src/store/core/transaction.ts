import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

const attemptsMax = 4

/** Repeats the work when PostgreSQL gave way to another transaction: nothing of the lost attempt remains. */
export async function runInTransaction<T>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === attemptsMax || !gaveWay(error)) throw error
    }
  }
}

export async function runInSavepoint<T>(trx: Transaction<Tables>, work: () => Promise<T>): Promise<T> {
  await sql`savepoint nested`.execute(trx)
  try {
    const result = await work()
    await sql`release savepoint nested`.execute(trx)
    return result
  } catch (error) {
    await sql`rollback to savepoint nested`.execute(trx)
    // Rolling back keeps the savepoint; left there, it would be the one that an outer work of the same name returns to.
    await sql`release savepoint nested`.execute(trx)
    throw error
  }
}

/** Serialisation failure or deadlock: whoever catches errors inside a transaction lets these pass. */
export function gaveWay(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === '40001' || code === '40P01'
}
