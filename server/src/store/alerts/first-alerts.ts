import { AlertStatus } from '@tocsin/contract'
import { type RawBuilder, sql } from 'kysely'
import { equalTo } from '../core/first-visible.ts'
import { isWaiting } from './deliveries.ts'

/**
 * Which alerts a page shows. An account sees all alerts of the workspaces that it leads as an owner or admin, and its own
 * alerts in all others.
 *
 * An index of `alerts` ends in (workspace_id, status, seq), so all alerts of one workspace and one status are in order
 * there. The statement reads the first `limit` rows of each such range and merges them. Its cost is
 * workspaces × statuses × limit, however many alerts there are.
 *
 * Three cases cost more. An account that does not lead a workspace and filters its own alerts there, and a subscription
 * filtered by one of its triggers: PostgreSQL reads the smaller of the two sets. And status `pending`, which grows with the
 * number of deliveries that wait.
 */
export type AlertFilter = {
  workspaceId?: string
  projectId?: string
  triggerId?: string
  subscriptionId?: string
  status?: AlertStatus
}
type Wanted = {
  filter: AlertFilter
  /** On a row `x` of `alerts`: where the page begins. */
  from: RawBuilder<unknown> | undefined
  order: 'oldest' | 'newest'
  limit: number
}

/** A subquery with the ids of the first alerts that the account sees. */
export function firstAlertIds(accountId: string | RawBuilder<unknown>, wanted: Wanted): RawBuilder<string> {
  const { filter, from, order, limit } = wanted
  const conditions = [...conditionsOf(filter), ...(from === undefined ? [] : [from])]
  const bySeq = order === 'newest' ? sql`seq desc` : sql`seq`
  const range = (owner: RawBuilder<unknown>) => sql`cross join statuses k cross join lateral (
    select x.id, x.seq from alerts x where ${sql.join([owner, sql`x.status = k.status`, ...conditions], sql` and `)}
    order by x.${bySeq} limit ${sql.lit(limit)}) found`
  return sql<string>`(
    with recursive statuses (status) as (values ${statusRows(filter.status)}),
    led as materialized (select m.workspace_id from members m
      where m.account_id = ${accountId} and m.level in ('owner', 'admin') ${onlyWorkspace(filter.workspaceId)}),
    own (workspace_id) as (${ownWorkspaces(accountId, filter.workspaceId)})
    select merged.id from (
      select found.id, found.seq from led ${range(sql`x.workspace_id = led.workspace_id`)}
      union all
      select found.id, found.seq from own ${range(sql`x.workspace_id = own.workspace_id and x.account_id = ${accountId}`)}
      where own.workspace_id not in (select workspace_id from led)) merged
    order by ${bySeq} limit ${sql.lit(limit)})`
}

function onlyWorkspace(workspaceId: string | undefined): RawBuilder<unknown> {
  return workspaceId === undefined ? sql`` : sql`and m.workspace_id = ${workspaceId}`
}

/**
 * The workspaces in which the account has alerts of its own; it may have left some. Each step finds the next one in the
 * index (account_id, workspace_id, …) and skips all further alerts of the last.
 */
function ownWorkspaces(accountId: string | RawBuilder<unknown>, workspaceId: string | undefined): RawBuilder<unknown> {
  if (workspaceId !== undefined) return sql`select ${workspaceId}::text`
  const next = (after: RawBuilder<unknown>) => sql`(select y.workspace_id from alerts y
    where y.account_id = ${accountId} ${after} order by y.workspace_id limit 1)`
  return sql`${next(sql``)} union all
    select step.workspace_id from own cross join lateral ${next(sql`and y.workspace_id > own.workspace_id`)} step`
}

/** An alert that arrived at the first attempt still says `pending` in its row. */
function statusRows(status: AlertStatus | undefined): RawBuilder<unknown> {
  const stored = status === 'delivered' ? ['delivered', 'pending'] : status ? [status] : AlertStatus.options
  return sql.join(stored.map((one) => sql`(${sql.lit(one)})`))
}

function conditionsOf(filter: AlertFilter): RawBuilder<unknown>[] {
  const { projectId, triggerId, subscriptionId, status } = filter
  const isOfProject = sql`exists (select from triggers t where t.id = ${triggerId} and t.project_id = ${projectId})`
  return [
    ...equalTo({ trigger_id: triggerId, subscription_id: subscriptionId }),
    // All alerts of a trigger belong to its project: PostgreSQL checks that once instead of on every row.
    ...(triggerId !== undefined && projectId !== undefined ? [isOfProject] : equalTo({ project_id: projectId })),
    // Few deliveries wait, and they have an index.
    ...(status === 'pending'
      ? [sql`x.id in (select alert_id from deliveries where kind = 'alert' and status = 'pending')`]
      : []),
    ...(status === 'delivered' ? [sql`(x.status = 'delivered' or not ${isWaiting('x')})`] : []),
  ]
}
