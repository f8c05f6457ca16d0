import { randomUUID } from 'node:crypto'
import type { CompiledQuery, Kysely } from 'kysely'
import type { JobQueue } from '../jobs/job-queue.ts'
import type { SecretBox } from './secret-box.ts'
import type { Tables } from './tables.ts'

/** The dependencies of every table file: a connection or transaction, the secret box and the job queue. */
export type Base = {
  db: Kysely<Tables>
  box: SecretBox
  jobQueue: JobQueue
  run: RunCompiled
}

/**
 * Runs a compiled query, inside the transaction if there is one, without Kysely's cost per query. `itemOf` makes the result of
 * each row when the row arrives, so that the rows of a long page are not all kept until the last one is there.
 */
export type RunCompiled = <Row, Item>(query: CompiledQuery<Row>, itemOf: (row: Row) => Item) => Promise<Item[]>

/** One page of a list. `after` is the cursor that the page before returned. */
export type PageQuery = { limit: number; after?: string | undefined }

export function newId(): string {
  return randomUUID()
}

export function json(value: unknown): string {
  return JSON.stringify(value)
}

/** The caller queries one row more than `limit`, which shows whether another page follows. */
export function pageOf<Row>(rows: Row[], limit: number, keyOf: (row: Row) => string): { rows: Row[]; next?: string } {
  const kept = rows.slice(0, limit)
  const last = kept.at(-1)
  return rows.length > limit && last ? { rows: kept, next: keyOf(last) } : { rows: kept }
}

/** The name of the violated unique constraint, so that a lost race becomes a coded error. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' ? constraint : undefined
}
