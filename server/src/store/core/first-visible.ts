import { type RawBuilder, sql } from 'kysely'

type RowQuery = {
  /** Conditions on a row `x` of the table. */
  conditions: readonly RawBuilder<unknown>[]
  order: 'oldest' | 'newest'
  limit: number
  /** When the conditions require this workspace, the query skips the account's other workspaces. */
  workspaceId?: string | undefined
}

/**
 * The ids of the first rows that an account may see: its own rows, and the rows of each workspace where it is an owner or
 * admin. Each part reads an ordered index and stops at the limit, so the cost does not grow with the table.
 */
export function firstVisibleIds(
  table: 'alerts' | 'subscriptions',
  accountId: string | RawBuilder<unknown>,
  query: RowQuery,
): RawBuilder<string> {
  const { conditions, order, limit, workspaceId } = query
  const rowsOf = (owner: RawBuilder<unknown>) => sql`select x.id from ${sql.table(table)} x
    where ${sql.join([owner, ...conditions], sql` and `)}
    order by x.seq ${order === 'newest' ? sql`desc` : sql`asc`} limit ${sql.lit(limit)}`
  return sql<string>`((${rowsOf(sql`x.account_id = ${accountId}`)})
    union select own.id from members m cross join lateral (${rowsOf(sql`x.workspace_id = m.workspace_id`)}) own
    where m.account_id = ${accountId} and m.level in ('owner', 'admin')
      ${workspaceId === undefined ? sql`` : sql`and m.workspace_id = ${workspaceId}`})`
}

/** One equality condition for each field that has a value. */
export function equalTo(fields: Record<string, string | undefined>): RawBuilder<unknown>[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : sql`${sql.ref(`x.${name}`)} = ${value}`,
  )
}
