import { type RawBuilder, sql } from 'kysely'
import { all, anyOfFirst, firstOfMember, firstPublic, isAfter, isBelow, type NamedList } from '../core/first-rows.ts'

type Sql = RawBuilder<unknown>
type Scope = 'all' | 'marketplace' | 'backend'

const isPublic = sql`x.access_level <> 'private'`
const isEditable = sql`m.level in ('owner', 'admin')`

/** The first projects that an account may read. `projects.ts` decides who may read which project. */
export function anyOfFirstProjects(accountId: string, list: NamedList, scope: Scope) {
  if (scope === 'backend') return anyOfFirst([firstOfMember('projects', accountId, list, [isEditable])], list.limit)
  const sets = [firstPublic('projects', isPublic, list)]
  if (scope === 'all') {
    const ofWorkspace = list.workspace === undefined ? [] : [isBelow('x', sql`${list.workspace}`)]
    sets.push(firstOfMember('projects', accountId, list))
    sets.push(sql`select x.id, x.fullname from ${openedProjects(accountId)}
      where ${all([sql`true`, ...isAfter('x', list.after), ...ofWorkspace])}`)
  }
  return anyOfFirst(sets, list.limit)
}

/** The first triggers that an account may read, of one project or of all. */
export function anyOfFirstTriggers(accountId: string, list: NamedList & { projectId?: string | undefined }) {
  const { limit, projectId } = list
  if (projectId !== undefined)
    return anyOfFirst([ofEach(sql`(select * from projects where id = ${projectId}) x`, list)], limit)
  const sets = [
    firstOfMember('triggers', accountId, list),
    ofEach(publicProjects(list), list),
    ofEach(openedProjects(accountId), list),
  ]
  return anyOfFirst(sets, limit)
}

/** The first triggers of each project `x`. */
function ofEach(projects: Sql, { limit, after, workspace }: NamedList): Sql {
  const ofWorkspace = workspace === undefined ? [] : [isBelow('y', sql`${workspace}`)]
  return sql`select found.id, found.fullname from ${projects} cross join lateral (select y.id, y.fullname from triggers y
    where ${all([isBelow('y', sql`x.fullname`), ...isAfter('y', after), ...ofWorkspace])}
    order by y.fullname limit ${sql.lit(limit + 1)}) found`
}

/**
 * The first public projects with a trigger of this page. Triggers are in the order of their project's name with a dot, so a
 * page needs no more projects than it has triggers.
 */
function publicProjects({ limit, after, workspace }: NamedList): Sql {
  const key = sql`(x.fullname || '.')`
  const hasTriggers = sql`exists (select from triggers y where ${all([isBelow('y', sql`x.fullname`), ...isAfter('y', after)])})`
  const from = after === undefined ? [] : [sql`${key} >= ${`${after.split('.').slice(0, 2).join('.')}.`}`]
  const ofWorkspace = workspace === undefined ? [] : [sql`${key} > ${`${workspace}.`} and ${key} < ${`${workspace}/`}`]
  return sql`(select x.fullname from projects x where ${all([isPublic, hasTriggers, ...from, ...ofWorkspace])}
    order by ${key} limit ${sql.lit(limit + 1)}) x`
}

/** The private projects that an account opened by a link which is not revoked, as `x`. */
function openedProjects(accountId: string): Sql {
  return sql`(select p.id, p.fullname from access_link_openings o join access_links l on l.id = o.link_id
    join projects p on p.id = l.project_id
    where o.account_id = ${accountId} and l.revoked_at is null and p.visibility = 'private_link') x`
}
