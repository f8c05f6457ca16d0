import { type RawBuilder, sql } from 'kysely'
import type { PageQuery } from './base.ts'

/**
 * The first rows of a list by fullname. An account sees the rows of its own workspaces and public rows. A fullname begins with
 * that of its workspace and a dot, so the rows of a workspace are one range of the unique index on `fullname`. PostgreSQL
 * reads the first rows of each range and merges them. It never reads rows that the account may not see.
 */
type Sql = RawBuilder<unknown>
type NamedTable = 'projects' | 'triggers' | 'resources' | 'custom_sources' | 'address_lists'
export type NamedList = PageQuery & {
  /** Only rows of this workspace, by its fullname. */
  workspace?: string | undefined
}

/**
 * The ids of the first rows of several sets, for `id = …`. It is an array, because PostgreSQL then looks up each id; it might
 * read the whole table to join it with a subquery.
 */
export function anyOfFirst(sets: readonly Sql[], limit: number): RawBuilder<string> {
  return sql<string>`any(array(select f.id from (${sql.join([...sets], sql` union `)}) f (id, fullname)
    order by f.fullname limit ${sql.lit(limit + 1)}))`
}

/** The first rows of each workspace that the account is a member of. The conditions are on a row `m` of members. */
export function firstOfMember(
  table: NamedTable,
  accountId: string,
  list: NamedList,
  members: readonly Sql[] = [],
): Sql {
  const { limit, after, workspace } = list
  const isWanted = [isBelow('x', sql`w.fullname`), ...isAfter('x', after)]
  const ofWorkspace = workspace === undefined ? [] : [sql`w.fullname = ${workspace}`]
  return sql`select found.id, found.fullname from members m join workspaces w on w.id = m.workspace_id
    cross join lateral (select x.id, x.fullname from ${sql.table(table)} x where ${all(isWanted)}
      order by x.fullname limit ${sql.lit(limit + 1)}) found
    where ${all([sql`m.account_id = ${accountId}`, ...ofWorkspace, ...members])}`
}

/** The first public rows. The condition on a row `x` is that of a partial index by fullname. */
export function firstPublic(table: NamedTable, isPublic: Sql, { limit, after, workspace }: NamedList): Sql {
  const ofWorkspace = workspace === undefined ? [] : [isBelow('x', sql`${workspace}`)]
  return sql`(select x.id, x.fullname from ${sql.table(table)} x where ${all([isPublic, ...isAfter('x', after), ...ofWorkspace])}
    order by x.fullname limit ${sql.lit(limit + 1)})`
}

/** True for the names that begin with this one and a dot. A slash is the character after the dot. */
export function isBelow(row: 'x' | 'y', fullname: Sql): Sql {
  const name = sql.ref(`${row}.fullname`)
  return sql`${name} > ${fullname} || '.' and ${name} < ${fullname} || '/'`
}

export function isAfter(row: 'x' | 'y', after: string | undefined): Sql[] {
  return after === undefined ? [] : [sql`${sql.ref(`${row}.fullname`)} > ${after}`]
}

export function all(conditions: readonly Sql[]): Sql {
  return sql.join([...conditions], sql` and `)
}

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
