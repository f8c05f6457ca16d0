import { AlertStatus, type Severity } from '@tocsin/contract'
import { type RawBuilder, sql } from 'kysely'
import { equalTo } from '../core/first-rows.ts'

/**
 * Which alerts a page shows. An account sees all alerts of the workspaces that it leads as an owner or admin, and its own
 * alerts in all others.
 *
 * An index of `alerts` ends in (workspace_id, status, seq), so all alerts of one workspace and one status are in order
 * there. The statement merges the statuses of a range in this order and stops after `limit` rows, then merges the ranges. Its
 * cost is ranges × (limit + statuses), however many alerts there are. The ranges are:
 *
 * - for the alerts of led workspaces: one for each workspace;
 * - for own alerts in other workspaces: one for each workspace. If the list is filtered by trigger or project: one for each
 *   subscription of the account, trigger and workspace;
 * - for the alerts of one subscription: one for each trigger and workspace.
 *
 * The alerts of deleted triggers have one range for each project instead.
 *
 * With a severity of `warning` or `critical` PostgreSQL uses indexes that hold only such alerts, in the same ranges. Most
 * alerts have the severity `info`, so its page is read from the ranges of all alerts and leaves out the others.
 */
export type AlertFilter = {
  workspaceId?: string
  projectId?: string
  triggerId?: string
  subscriptionId?: string
  status?: AlertStatus
  severity?: Severity
}
type Wanted = {
  filter: AlertFilter
  /** On a row `x` of `alerts`: where the page begins. */
  from: RawBuilder<unknown> | undefined
  order: 'oldest' | 'newest'
  limit: number
}
type Account = string | RawBuilder<unknown>
type Sql = RawBuilder<unknown>
/** A subquery with the ids of the first alerts that the account sees. */
export function firstAlertIds(accountId: Account, wanted: Wanted): RawBuilder<string> {
  return sql<string>`(${firstAlerts(accountId, wanted, sql`id`)})`
}

/**
 * A subquery with the places (ctid) of the first alerts that the account sees. By its place PostgreSQL reads a row without
 * another search in an index. A statement sees one state of the table, so the places are valid to its end.
 */
export function firstAlertPlaces(accountId: Account, wanted: Wanted): RawBuilder<unknown> {
  return sql`(${firstAlerts(accountId, wanted, sql`ctid`)})`
}

function firstAlerts(accountId: Account, wanted: Wanted, column: Sql): Sql {
  const { filter, order, limit } = wanted
  const { subscriptionId, triggerId, projectId, workspaceId } = filter
  const isOfLeaves = subscriptionId !== undefined || triggerId !== undefined || projectId !== undefined
  const parts = [
    ...(subscriptionId === undefined ? [ledAlerts(wanted, column)] : []),
    isOfLeaves ? leafAlerts(accountId, wanted, column) : ownAlerts(accountId, wanted, column),
  ]
  return sql`with recursive led as materialized (select m.workspace_id from members m
      where m.account_id = ${accountId} and m.level in ('owner', 'admin') ${only('m.workspace_id', workspaceId)}),
    own (workspace_id) as (${ownWorkspaces(accountId, workspaceId)})
    ${isOfLeaves ? sql`, leaves (last, key, project_id, workspace_id) as (${leaves(accountId, filter)})` : sql``}
    select merged.place from (${sql.join(parts, sql` union all `)}) merged
    order by ${bySeq(order)} limit ${sql.lit(limit)}`
}

/** All alerts of the workspaces that the account leads. */
function ledAlerts(wanted: Wanted, column: Sql): Sql {
  const { triggerId, projectId } = wanted.filter
  const isOfProject = sql`where (select t.project_id from triggers t where t.id = ${triggerId}) = ${projectId}`
  // All alerts of a trigger belong to its project: PostgreSQL checks that once instead of on every row.
  const isChecked = triggerId !== undefined && projectId !== undefined
  return sql`select found.* from led ${firstOfRange(wanted, column, [
    sql`x.workspace_id = led.workspace_id`,
    ...equalTo({ trigger_id: triggerId, project_id: isChecked ? undefined : projectId }),
  ])} ${isChecked ? isOfProject : sql``}`
}

/** The account's own alerts in workspaces that it does not lead. */
function ownAlerts(accountId: Account, wanted: Wanted, column: Sql): Sql {
  return sql`select found.* from own ${firstOfRange(wanted, column, [
    sql`x.workspace_id = own.workspace_id`,
    sql`x.account_id = ${accountId}`,
  ])} where ${isNotLed('own')}`
}

/**
 * Alerts by leaf. A leaf is what one subscription, one trigger and one workspace have in common, or one project instead of the
 * trigger if that was deleted. So all alerts of a leaf belong to one project.
 */
function leafAlerts(accountId: Account, wanted: Wanted, column: Sql): Sql {
  const { subscriptionId, projectId, workspaceId } = wanted.filter
  const isOwn = sql`exists (select from subscriptions s where s.id = ${subscriptionId} and s.account_id = ${accountId})`
  const isVisible = subscriptionId === undefined ? isNotLed('leaves') : sql`(not ${isNotLed('leaves')} or ${isOwn})`
  return sql`select found.* from leaves ${firstOfRange(wanted, column, [sql`${leafKey('x')} = leaves.key`])}
    where ${isVisible} ${only('leaves.workspace_id', workspaceId)} ${only('leaves.project_id', projectId)}`
}

/**
 * The first alerts of a range. Each status is in order in the index, so PostgreSQL merges the statuses and stops after the
 * first rows.
 */
function firstOfRange({ filter, from, order, limit }: Wanted, column: Sql, range: readonly Sql[]): Sql {
  const first = sql`order by ${bySeq(order)} limit ${sql.lit(limit)}`
  const ofStatus = (status: AlertStatus) => {
    const conditions = [
      ...range,
      // A subquery, so that PostgreSQL does not take the index of all alerts that wait, or that are collected.
      sql`x.status = (select ${sql.lit(status)})`,
      ...ofSeverity(filter),
      ...(from === undefined ? [] : [from]),
    ]
    return sql`(select x.${column} as place, x.seq from alerts x where ${sql.join(conditions, sql` and `)} ${first})`
  }
  const all = sql.join((filter.status ? [filter.status] : AlertStatus.options).map(ofStatus), sql` union all `)
  return sql`cross join lateral (select * from (${all}) of_each ${first}) found`
}

/** A literal, so that PostgreSQL can prove that an index of serious alerts holds all rows. */
function ofSeverity({ severity }: AlertFilter): Sql[] {
  return severity === undefined ? [] : [sql`x.severity = ${sql.lit(severity)}`]
}

/**
 * The workspaces in which the account has alerts of its own; it may have left some. Each step finds the next one in the
 * index (account_id, workspace_id, …) and skips all further alerts of the last.
 */
function ownWorkspaces(accountId: Account, workspaceId: string | undefined): Sql {
  if (workspaceId !== undefined) return sql`select ${workspaceId}::text`
  const next = (after: Sql) => sql`(select y.workspace_id from alerts y
    where y.account_id = ${accountId} ${after} order by y.workspace_id limit 1)`
  return sql`${next(sql``)} union all
    select step.workspace_id from own cross join lateral ${next(sql`and y.workspace_id > own.workspace_id`)} step`
}

/**
 * The leaves of the subscription; else of all own subscriptions, if the account has alerts in a workspace that it does not
 * lead. Each step finds the next leaf in the index. The keys of a subscription are between its id with a space and its id with
 * the next character.
 */
function leaves(accountId: Account, { subscriptionId, triggerId }: AlertFilter): Sql {
  const hasOwn = sql`exists (select from own where ${isNotLed('own')})`
  const owners =
    subscriptionId === undefined
      ? sql`select s.id from subscriptions s where s.account_id = ${accountId} and ${hasOwn}
          union all select ${accountId}::text where ${hasOwn}`
      : sql`select ${subscriptionId}::text`
  const prefix = triggerId === undefined ? sql`o.id` : sql`o.id || ' ' || ${triggerId}`
  const next = (after: Sql, end: Sql) => sql`(select ${leafKey('y')} as key, y.project_id, y.workspace_id from alerts y
    where ${leafKey('y')} > ${after} and ${leafKey('y')} < ${end} order by ${leafKey('y')} limit 1)`
  return sql`select keys.last, step.* from (select ${prefix} || ' ', ${prefix} || '!' from (${owners}) o (id)) keys (first, last)
      cross join lateral ${next(sql`keys.first`, sql`keys.last`)} step union all
    select leaves.last, step.* from leaves cross join lateral ${next(sql`leaves.key`, sql`leaves.last`)} step`
}

/** The expression of the index `alerts_by_leaf`. The alerts of deleted subscriptions begin with the id of their account. */
function leafKey(row: 'x' | 'y'): Sql {
  const column = (name: string) => sql.ref(`${row}.${name}`)
  return sql`((coalesce(${column('subscription_id')}, ${column('account_id')}) || ' '
    || coalesce(${column('trigger_id')}, ${column('project_id')}, '') || ' ' || ${column('workspace_id')}) collate "C")`
}

function isNotLed(row: 'own' | 'leaves' | 'x'): Sql {
  return sql`${sql.ref(`${row}.workspace_id`)} not in (select workspace_id from led)`
}

function only(column: string, value: string | undefined): Sql {
  return value === undefined ? sql`` : sql`and ${sql.ref(column)} = ${value}`
}

function bySeq(order: Wanted['order']): Sql {
  return order === 'newest' ? sql`seq desc` : sql`seq`
}
