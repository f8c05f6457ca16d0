import type { AlertStatus, Level } from '@tocsin/contract'
import { type Kysely, type Selectable, sql } from 'kysely'
import { type Base, type PageQuery, pageOf } from './base.ts'
import type { AlertsTable, DeliveriesTable, Tables } from './tables.ts'

/** An alert as its subscriber, or an owner or admin of the subscription's workspace, sees it; without its trace. */
export type AlertRow = Omit<Selectable<AlertsTable>, 'trace'> & {
  workspace: string
  level: Level | null
  has_deliveries: boolean
}
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
      const { workspaceId = '', projectId = '', triggerId = '', subscriptionId = '', status } = filter
      const rows = await visible(db, accountId)
        .$if(workspaceId !== '', (query) => query.where('a.workspace_id', '=', workspaceId))
        .$if(projectId !== '', (query) => query.where('a.project_id', '=', projectId))
        .$if(triggerId !== '', (query) => query.where('a.trigger_id', '=', triggerId))
        .$if(subscriptionId !== '', (query) => query.where('a.subscription_id', '=', subscriptionId))
        .$if(status !== undefined, (query) => query.where('a.status', '=', status ?? 'pending'))
        .$if(page.after !== undefined, (query) => query.where('a.seq', '<', page.after ?? ''))
        .orderBy('a.seq', 'desc')
        .limit(page.limit + 1)
        .execute()
      return pageOf<AlertRow>(rows, page.limit, (row) => row.seq)
    },
    listDeliveries(alertId: string): Promise<DeliveryRow[]> {
      return db.selectFrom('deliveries').selectAll().where('alert_id', '=', alertId).orderBy('seq').execute()
    },
    /** Where the feed of an account ends now. */
    async lastSeq(accountId: string): Promise<string> {
      const row = await visible(db, accountId)
        .clearSelect()
        .select(sql<string>`coalesce(max(a.seq), 0)`.as('seq'))
        .execute()
      return row[0]?.seq ?? '0'
    },
    listSince(accountId: string, seq: string, limit: number): Promise<AlertRow[]> {
      return visible(db, accountId).where('a.seq', '>', seq).orderBy('a.seq').limit(limit).execute()
    },
    /** Of these, what was changed since. */
    async listChanged(accountId: string, ids: readonly string[], since: Date): Promise<AlertRow[]> {
      if (ids.length === 0) return []
      return visible(db, accountId)
        .where('a.id', '=', sql<string>`any(${ids})`)
        .where('a.updated_at', '>', since)
        .execute()
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
  'a.status',
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
  'a.updated_at',
] as const

/** The one place that says who sees an alert: whom it was made for, and the owners and admins of his workspace. */
function visible(db: Kysely<Tables>, accountId: string) {
  return db
    .selectFrom('alerts as a')
    .innerJoin('workspaces as w', 'w.id', 'a.workspace_id')
    .leftJoin('members as m', (join) =>
      join.onRef('m.workspace_id', '=', 'a.workspace_id').on('m.account_id', '=', accountId),
    )
    .select(columns)
    .select(['w.fullname as workspace', 'm.level'])
    .select(sql<boolean>`exists (select from deliveries d where d.alert_id = a.id)`.as('has_deliveries'))
    .where((where) => where.or([sql<boolean>`a.account_id = ${accountId}`, where('m.level', 'in', ['owner', 'admin'])]))
}
