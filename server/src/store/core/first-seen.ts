import { type RawBuilder, sql } from 'kysely'

type Asked = {
  /** On a row `x` of the table. */
  conditions: readonly RawBuilder<unknown>[]
  order: 'oldest' | 'newest'
  limit: number
  /** Where the conditions ask for this one, the others need not be looked through. */
  workspaceId?: string | undefined
}

/**
 * The ids of the first rows that an account sees: its own, and those of each workspace of which it is an owner or admin.
 * Each by an index that has them in order: of the others, which may be millions, none is looked at.
 */
export function firstSeen(
  table: 'alerts' | 'subscriptions',
  accountId: string | RawBuilder<unknown>,
  asked: Asked,
): RawBuilder<string> {
  const { conditions, order, limit, workspaceId } = asked
  const whose = (owner: RawBuilder<unknown>) => sql`select x.id from ${sql.table(table)} x
    where ${sql.join([owner, ...conditions], sql` and `)}
    order by x.seq ${order === 'newest' ? sql`desc` : sql`asc`} limit ${sql.lit(limit)}`
  return sql<string>`((${whose(sql`x.account_id = ${accountId}`)})
    union select own.id from members m cross join lateral (${whose(sql`x.workspace_id = m.workspace_id`)}) own
    where m.account_id = ${accountId} and m.level in ('owner', 'admin')
      ${workspaceId === undefined ? sql`` : sql`and m.workspace_id = ${workspaceId}`})`
}

/** A condition for each of the fields that are given. */
export function sameAs(fields: Record<string, string | undefined>): RawBuilder<unknown>[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : sql`${sql.ref(`x.${name}`)} = ${value}`,
  )
}
