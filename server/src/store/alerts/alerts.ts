import type { AlertStatus, Level } from '@tocsin/contract'
import { type Kysely, type Selectable, sql } from 'kysely'
import { type Base, type PageQuery, pageOf } from '../core/base.ts'
import { firstSeen, sameAs } from '../core/first-seen.ts'
import type { AlertsTable, DeliveriesTable, Tables } from '../core/tables.ts'
import { isWaiting } from './deliveries.ts'

/** An alert as its subscriber, or an owner or admin of the subscription's workspace, sees it; without its trace. */
export type AlertRow = Omit<Selectable<AlertsTable>, 'trace'> & {
  workspace: string
  level: Level | null
  has_deliveries: boolean
  retry_error: string | null
}
/** Without the level of an account. */
export type PlainAlertRow = Omit<AlertRow, 'level'>
export type TracedAlertRow = AlertRow & Pick<Selectable<AlertsTable>, 'trace'>
export type DeliveryRow = Selectable<DeliveriesTable>
export type AlertFilter = {
  workspaceId?: string
  projectId?: string
  triggerId?: string
  subscriptionId?: string
  status?: AlertStatus
}

export function alertsTable({ db }: Base) {
  return {
    find(id: string, accountId: string): Promise<TracedAlertRow | undefined> {
      return visible(db, accountId).select('a.trace').where('a.id', '=', id).executeTakeFirst()
    },
    /** Newest first. A cursor is the last row's `seq`. */
    async list(accountId: string, filter: AlertFilter, page: PageQuery) {
      const rows = await newest(db, accountId, { ...filter, before: page.after }, page.limit + 1)
      return pageOf<AlertRow>(rows, page.limit, (row) => row.seq)
    },
    listDeliveries(alertId: string): Promise<DeliveryRow[]> {
      return db.selectFrom('deliveries').selectAll().where('alert_id', '=', alertId).orderBy('seq').execute()
    },
    /** Where the feed of an account ends now. */
    async lastSeq(accountId: string): Promise<string> {
      const [row] = await newest(db, accountId, {}, 1)
      return row?.seq ?? '0'
    },
    /** Oldest first, whoever sees them: the caller asks that. */
    async listByIds(ids: readonly string[]): Promise<PlainAlertRow[]> {
      if (ids.length === 0) return []
      return described(db).where('a.id', '=', sql<string>`any(${ids})`).orderBy('a.seq').execute()
    },
    /** Of these, what was changed after the time beside its id; whoever sees them. */
    async listChanged(known: readonly { id: string; at: Date }[]): Promise<PlainAlertRow[]> {
      if (known.length === 0) return []
      const [ids, times] = [known.map(({ id }) => id), known.map(({ at }) => at.toISOString())]
      const since = sql<boolean>`${updatedAt} > (select k.at from unnest(${ids}::text[], ${times}::timestamptz[]) k(id, at) where k.id = a.id)`
      return described(db).where('a.id', '=', sql<string>`any(${ids})`).where(since).orderBy('a.seq').execute()
    },
  }
}

const columns = [
  'a.id',
  'a.seq',
  'a.kind',
  'a.subscription_id',
  'a.rule_id',
  'a.account_id',
  'a.workspace_id',
  'a.project_id',
  'a.trigger_id',
  'a.project',
  'a.trigger',
  'a.reason',
  'a.source',
  'a.block_number',
  'a.block_hash',
  'a.incarnation',
  'a.policy_key',
  'a.delivery_key',
  'a.digest_id',
  'a.item_at',
  'a.message',
  'a.created_at',
] as const

/**
 * An alert that arrives at the first attempt is not written again, which would cost as much as making it. Where it says
 * that it waits, its deliveries are asked.
 */
const currentStatus = sql<AlertStatus>`case when a.status = 'pending' and not told.waits then 'delivered' else a.status end`
const updatedAt = sql<Date>`case when a.status = 'pending' then greatest(a.updated_at, told.at) else a.updated_at end`

/** Why the last attempt of a delivery failed that will be tried again; one of them where several wait. */
const retryError = sql<string | null>`max(d.attempts->-1->>'error') filter (
  where d.status = 'pending' and d.kind = 'alert' and d.attempts_count > 0)`

function hasStatus(status: AlertStatus) {
  // The few that wait are found by their own index.
  if (status === 'pending')
    return sql<boolean>`x.status = 'pending' and x.id in (
      select alert_id from deliveries where kind = 'alert' and status = 'pending')`
  if (status === 'delivered')
    return sql<boolean>`(x.status = 'delivered' or x.status = 'pending' and not ${isWaiting('x')})`
  return sql<boolean>`x.status = ${status}`
}

type Wanted = AlertFilter & { before?: string | undefined }

async function newest(db: Kysely<Tables>, accountId: string, wanted: Wanted, limit: number): Promise<AlertRow[]> {
  const { workspaceId, projectId, triggerId, subscriptionId, status, before } = wanted
  const conditions = [
    ...sameAs({
      workspace_id: workspaceId,
      project_id: projectId,
      trigger_id: triggerId,
      subscription_id: subscriptionId,
    }),
    ...(status === undefined ? [] : [hasStatus(status)]),
    ...(before === undefined ? [] : [sql`x.seq < ${before}`]),
  ]
  const found = firstSeen('alerts', accountId, { conditions, order: 'newest', limit, workspaceId })
  return visible(db, accountId).where('a.id', 'in', found).orderBy('a.seq', 'desc').limit(limit).execute()
}

/** Who sees an alert: whom it was made for, and the owners and admins of his workspace. `alert-feed.ts` says the same for many. */
function visible(db: Kysely<Tables>, accountId: string) {
  return described(db)
    .leftJoin('members as m', (join) =>
      join.onRef('m.workspace_id', '=', 'a.workspace_id').on('m.account_id', '=', accountId),
    )
    .select('m.level')
    .where((where) => where.or([sql<boolean>`a.account_id = ${accountId}`, where('m.level', 'in', ['owner', 'admin'])]))
}

function described(db: Kysely<Tables>) {
  return db
    .selectFrom('alerts as a')
    .innerJoin('workspaces as w', 'w.id', 'a.workspace_id')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('deliveries as d')
          .select(sql<boolean>`count(*) > 0`.as('has_any'))
          .select(sql<boolean>`coalesce(bool_or(d.status = 'pending' and d.kind = 'alert'), false)`.as('waits'))
          .select(sql<Date | null>`max(d.updated_at)`.as('at'))
          .select(retryError.as('error'))
          .whereRef('d.alert_id', '=', 'a.id')
          .as('told'),
      (join) => join.onTrue(),
    )
    .select(columns)
    .select([currentStatus.as('status'), updatedAt.as('updated_at')])
    .select(['w.fullname as workspace', 'told.has_any as has_deliveries', 'told.error as retry_error'])
}
