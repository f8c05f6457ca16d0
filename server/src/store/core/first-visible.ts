import { type RawBuilder, sql } from 'kysely'

type Query = {
  /** On a row `x` of the table. */
  conditions: readonly RawBuilder<unknown>[]
  limit: number
  /** If the conditions name this workspace, PostgreSQL need not read the others. */
  workspaceId?: string | undefined
}

/**
 * The ids of the oldest subscriptions that an account may see: its own, and those of each workspace of which it is an owner
 * or admin. PostgreSQL reads each of these sets from an index that has it in order. `first-alerts.ts` does it for alerts.
 */
export function firstVisibleIds(accountId: string, { conditions, limit, workspaceId }: Query): RawBuilder<string> {
  const first = (owner: RawBuilder<unknown>) => sql`select x.id from subscriptions x
    where ${sql.join([owner, ...conditions], sql` and `)} order by x.seq limit ${sql.lit(limit)}`
  return sql<string>`((${first(sql`x.account_id = ${accountId}`)})
    union select led.id from members m cross join lateral (${first(sql`x.workspace_id = m.workspace_id`)}) led
    where m.account_id = ${accountId} and m.level in ('owner', 'admin')
      ${workspaceId === undefined ? sql`` : sql`and m.workspace_id = ${workspaceId}`})`
}

/** A condition for each of the fields that are given. */
export function equalTo(fields: Record<string, string | undefined>): RawBuilder<unknown>[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : sql`${sql.ref(`x.${name}`)} = ${value}`,
  )
}
