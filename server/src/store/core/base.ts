import { randomUUID } from 'node:crypto'
import type { CompiledQuery, Kysely } from 'kysely'
import type { JobQueue } from '../jobs/job-queue.ts'
import type { SecretBox } from './secret-box.ts'
import type { Tables } from './tables.ts'

/** What every table file works with: a connection or transaction, and the box for secrets. */
export type Base = {
  db: Kysely<Tables>
  box: SecretBox
  jobQueue: JobQueue
  /** Runs a query that is compiled already, by the shortest way that keeps it inside the transaction, if there is one. */
  run<Row>(query: CompiledQuery<Row>): Promise<Row[]>
}

/** One page of a list: rows in order, and where the next page starts if there is one. */
export type PageQuery = { limit: number; after?: string | undefined }

export function newId(): string {
  return randomUUID()
}

export function json(value: unknown): string {
  return JSON.stringify(value)
}

/** Takes one row more than asked for, so that the caller knows whether more follows. */
export function pageOf<Row>(rows: Row[], limit: number, keyOf: (row: Row) => string): { rows: Row[]; next?: string } {
  const kept = rows.slice(0, limit)
  const last = kept.at(-1)
  return rows.length > limit && last ? { rows: kept, next: keyOf(last) } : { rows: kept }
}

/** PostgreSQL's name for a broken unique constraint, so that a race can become a sentence. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' ? constraint : undefined
}
