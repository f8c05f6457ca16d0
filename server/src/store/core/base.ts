import { randomUUID } from 'node:crypto'
import { weighs } from '@tocsin/contract'
import type { Kysely } from 'kysely'
import type { SecretBox } from './secret-box.ts'
import type { Tables } from './tables.ts'

/** The dependencies of every table file: a connection or transaction, and the secret box. */
export type Base = {
  db: Kysely<Tables>
  box: SecretBox
}

/** One page of a list. `after` is the cursor that the page before returned. */
export type PageQuery = { limit: number; after?: string | undefined }

export function newId(): string {
  return randomUUID()
}

export function json(value: unknown): string {
  return JSON.stringify(value)
}

export type RowPage<Row> = { rows: Row[]; next?: string }

/** A page ends early when its rows weigh so much, because an answer has at most 8 MB. It has at least one row. */
const pageBytesMax = 4 * 1024 * 1024

/** The caller queries one row more than `limit`, which shows whether another page follows. */
export function pageOf<Row>(rows: Row[], limit: number, keyOf: (row: Row) => string): RowPage<Row> {
  const kept = rows.slice(0, firstWithin(rows, limit))
  const last = kept.at(-1)
  return rows.length > kept.length && last ? { rows: kept, next: keyOf(last) } : { rows: kept }
}

function firstWithin(rows: readonly unknown[], limit: number): number {
  let left = pageBytesMax
  let count = 0
  for (const row of rows.slice(0, limit)) {
    left -= weighs(row, left)
    if (left < 0 && count > 0) return count
    count++
  }
  return count
}

/** Rows that may be large are read in portions, so that a page of them never takes much memory. */
const portionRows = 200

/** Reads one page of rows that may be large. `read` takes a page and queries one row more than its limit. */
export async function readPage<Row>(
  { limit, after }: PageQuery,
  keyOf: (row: Row) => string,
  read: (page: PageQuery) => Promise<Row[]>,
): Promise<RowPage<Row>> {
  const rows: Row[] = []
  for (let from = after; ; ) {
    const portion = Math.min(portionRows, limit - rows.length)
    const found = await read({ limit: portion, after: from })
    rows.push(...found)
    const page = pageOf(rows, limit, keyOf)
    if (found.length <= portion || page.rows.length < rows.length) return page
    from = keyOf(rows.at(-1) as Row)
  }
}

/** The name of the violated unique constraint, so that a lost race becomes a coded error. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' ? constraint : undefined
}
