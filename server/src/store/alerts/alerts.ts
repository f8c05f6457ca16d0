import type { AlertStatus, Level } from '@tocsin/contract'
import { type Kysely, type Selectable, sql } from 'kysely'
import { type Base, type PageQuery, pageOf } from '../core/base.ts'
import type { AlertsTable, DeliveriesTable, Tables } from '../core/tables.ts'
import { type AlertFilter, firstAlertIds } from './first-alerts.ts'

/** An alert as its subscriber, or an owner or admin of the subscription's workspace, sees it. Without the trace. */
export type AlertRow = Omit<Selectable<AlertsTable>, 'trace' | 'status' | 'finality' | 'is_collected'> & {
  status: AlertStatus
  workspace: string
  level: Level | null
  has_deliveries: boolean
  retry_error: string | null
}
/** An alert without the level of the reading account. */
export type PlainAlertRow = Omit<AlertRow, 'level'>
export type TracedAlertRow = AlertRow & Pick<Selectable<AlertsTable>, 'trace'>
export type ResolvingRow = Pick<Selectable<AlertsTable>, 'id' | 'created_at' | 'duration_ms'>
export type DeliveryRow = Selectable<DeliveriesTable>
export type { AlertFilter }

export function alertsTable({ db }: Base) {
  return {
    find(id: string, accountId: string): Promise<TracedAlertRow | undefined> {
      return visible(db, accountId).select('a.trace').where('a.id', '=', id).executeTakeFirst()
    },
    /** Newest first. A cursor is the last row's `seq`. */
    async list(accountId: string, filter: AlertFilter, page: PageQuery) {
      const rows = await listNewest(db, accountId, filter, { limit: page.limit + 1, after: page.after })
      return pageOf<AlertRow>(rows, page.limit, (row) => row.seq)
    },
    listDeliveries(alertId: string): Promise<DeliveryRow[]> {
      return db.selectFrom('deliveries').selectAll().where('alert_id', '=', alertId).orderBy('seq').execute()
    },
    /** The alert that resolved a firing one. The caller checks who may see them; both have the same readers. */
    findResolving(alertId: string): Promise<ResolvingRow | undefined> {
      return db
        .selectFrom('alerts')
        .select(['id', 'created_at', 'duration_ms'])
        .where('resolves', '=', alertId)
        .where('status', '<>', 'retracted')
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst()
    },
    /** The position of the newest alert in an account's feed. */
    async findLastSeq(accountId: string): Promise<string> {
      const [row] = await listNewest(db, accountId, {}, { limit: 1 })
      return row?.seq ?? '0'
    },
    /** Oldest first. The caller checks who may see them. */
    async listByIds(ids: readonly string[]): Promise<PlainAlertRow[]> {
      if (ids.length === 0) return []
      return alertRows(db).where('a.id', '=', sql<string>`any(${ids})`).orderBy('a.seq').execute()
    },
    /** The alerts that changed after the time beside their id. The caller checks who may see them. */
    async listChanged(known: readonly { id: string; at: Date }[]): Promise<PlainAlertRow[]> {
      if (known.length === 0) return []
      const [ids, times] = [known.map(({ id }) => id), known.map(({ at }) => at.toISOString())]
      const since = sql<boolean>`${updatedAt} > (select k.at from unnest(${ids}::text[], ${times}::timestamptz[]) k(id, at) where k.id = a.id)`
      return alertRows(db).where('a.id', '=', sql<string>`any(${ids})`).where(since).orderBy('a.seq').execute()
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
  'a.severity',
  'a.state',
  'a.resolves',
  'a.duration_ms',
  'a.reason',
  'a.source',
  'a.block_number',
  'a.block_hash',
  'a.incarnation',
  'a.policy_key',
  'a.delivery_key',
  'a.digest_id',
  'a.backfilled',
  'a.item_at',
  'a.message',
  'a.created_at',
] as const

/**
 * An alert that is delivered at the first attempt is not updated, because the update costs as much as the insert. So an
 * alert with status `pending` takes its real status from its deliveries.
 */
const currentStatus = sql<AlertStatus>`case when a.status = 'late' then 'pending'
  when a.status = 'pending' and not delivery.waits then 'delivered' else a.status end`
const updatedAt = sql<Date>`case when a.status in ('pending', 'late') then greatest(a.updated_at, delivery.at) else a.updated_at end`

/** The error of the last attempt of a delivery that will be retried; any one of them if several are pending. */
const retryError = sql<string | null>`max(d.attempts->-1->>'error') filter (
  where d.status = 'pending' and d.kind = 'alert' and d.attempts_count > 0)`

function listNewest(db: Kysely<Tables>, accountId: string, filter: AlertFilter, page: PageQuery): Promise<AlertRow[]> {
  const from = page.after === undefined ? undefined : sql`x.seq < ${page.after}`
  const ids = firstAlertIds(accountId, { filter, from, order: 'newest', limit: page.limit })
  return visible(db, accountId).where('a.id', 'in', ids).orderBy('a.seq', 'desc').execute()
}

/** An alert is visible to its subscriber and to the owners and admins of its workspace. `alert-feed.ts` applies the same rule to many. */
function visible(db: Kysely<Tables>, accountId: string) {
  return alertRows(db)
    .leftJoin('members as m', (join) =>
      join.onRef('m.workspace_id', '=', 'a.workspace_id').on('m.account_id', '=', accountId),
    )
    .select('m.level')
    .where((where) => where.or([sql<boolean>`a.account_id = ${accountId}`, where('m.level', 'in', ['owner', 'admin'])]))
}

function alertRows(db: Kysely<Tables>) {
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
          .as('delivery'),
      (join) => join.onTrue(),
    )
    .select(columns)
    .select([currentStatus.as('status'), updatedAt.as('updated_at')])
    .select(['w.fullname as workspace', 'delivery.has_any as has_deliveries', 'delivery.error as retry_error'])
}
