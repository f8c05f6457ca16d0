import { type Kysely, sql, type Transaction } from 'kysely'
import { isStalePlan } from './statements.ts'
import type { Tables } from './tables.ts'

const attemptsMax = 4

/** Repeats the work when PostgreSQL aborted it for a reason that a repeat does not meet again. The aborted attempt leaves nothing. */
export async function runInTransaction<T>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === attemptsMax || !isRepeatable(error)) throw error
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
    // A rollback keeps the savepoint. It has to be released, or an outer savepoint of the same name could not be reached.
    await sql`release savepoint nested`.execute(trx)
    throw error
  }
}

/**
 * True for a serialisation failure, a deadlock, or a statement that has to be prepared again. Code that catches errors inside a
 * transaction must rethrow these.
 */
export function isRepeatable(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === '40001' || code === '40P01' || isStalePlan(error)
}
