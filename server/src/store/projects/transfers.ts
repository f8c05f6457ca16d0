import type { Level } from '@tocsin/contract'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { type Base, json, newId, type PageQuery, pageOf } from '../core/base.ts'
import type { TransferCounts, TransfersTable } from '../core/tables.ts'

export type TransferRow = Selectable<TransfersTable>
/** A request as one account sees it, with the account's level in both workspaces. */
export type MemberTransferRow = TransferRow & { source_level: Level | null; target_level: Level | null }
export type TransferFilter = {
  workspaceId?: string | undefined
  direction?: 'incoming' | 'outgoing' | undefined
  status?: TransferRow['status'] | undefined
}
export type TransferFields = {
  projectId: string
  project: string
  sourceWorkspaceId: string
  sourceWorkspace: string
  targetWorkspaceId: string
  targetWorkspace: string
  targetName: string
  targetFullname: string
  planHash: string
  counts: TransferCounts
  requestedBy: string
  expiresAt: Date
}
export type Decision = {
  status: Exclude<TransferRow['status'], 'pending'>
  decidedBy: string
  reason?: string | undefined
  failureReason?: string | undefined
}

export function transfersTable({ db }: Base) {
  return {
    /** Only for members of one of the two workspaces. */
    findForMember(id: string, accountId: string): Promise<MemberTransferRow | undefined> {
      return db
        .selectFrom('transfers as t')
        .leftJoin('members as s', (join) =>
          join.onRef('s.workspace_id', '=', 't.source_workspace_id').on('s.account_id', '=', accountId),
        )
        .leftJoin('members as g', (join) =>
          join.onRef('g.workspace_id', '=', 't.target_workspace_id').on('g.account_id', '=', accountId),
        )
        .selectAll('t')
        .select(['s.level as source_level', 'g.level as target_level'])
        .where('t.id', '=', id)
        .where((where) => where.or([where('s.level', 'is not', null), where('g.level', 'is not', null)]))
        .executeTakeFirst()
    },
    /** Locks the row until the transaction ends, so that of two concurrent decisions the second sees the first. */
    async lock(id: string): Promise<void> {
      await db.selectFrom('transfers').select('id').where('id', '=', id).forUpdate().execute()
    },
    /** The requests of the workspaces that the account manages, newest first. */
    async listForManager(accountId: string, filter: TransferFilter, page: PageQuery) {
      const rows = await db
        .selectFrom('transfers')
        .selectAll()
        .where('id', '=', anyOfFirstTransfers(accountId, filter, page))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return pageOf<TransferRow>(rows, page.limit, (row) => `${row.created_at.toISOString()}_${row.id}`)
    },
    /** Adds nothing when a request for the project is pending. */
    add(transfer: TransferFields, at: Date): Promise<TransferRow | undefined> {
      return db
        .insertInto('transfers')
        .values({
          id: newId(),
          project_id: transfer.projectId,
          project: transfer.project,
          source_workspace_id: transfer.sourceWorkspaceId,
          source_workspace: transfer.sourceWorkspace,
          target_workspace_id: transfer.targetWorkspaceId,
          target_workspace: transfer.targetWorkspace,
          target_name: transfer.targetName,
          target_fullname: transfer.targetFullname,
          status: 'pending',
          plan_hash: transfer.planHash,
          counts: json(transfer.counts),
          requested_by: transfer.requestedBy,
          expires_at: transfer.expiresAt,
          created_at: at,
          updated_at: at,
        })
        .onConflict((conflict) => conflict.column('project_id').where(sql<boolean>`status = 'pending'`).doNothing())
        .returningAll()
        .executeTakeFirst()
    },
    /** Makes the requests of one account wait for each other, so that the limits count every one. */
    async lockRequester(accountId: string): Promise<void> {
      await db.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
    },
    /** The times of the account's latest requests, newest first. */
    async listTimes(accountId: string, since: Date, limit: number): Promise<Date[]> {
      const rows = await db
        .selectFrom('transfers')
        .select('created_at')
        .where('requested_by', '=', accountId)
        .where('created_at', '>', since)
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => row.created_at)
    },
    decide(id: string, decision: Decision, at: Date): Promise<TransferRow> {
      return db
        .updateTable('transfers')
        .set({
          status: decision.status,
          decided_by: decision.decidedBy,
          decided_at: at,
          applied_at: decision.status === 'accepted' ? at : null,
          reason: decision.reason ?? null,
          failure_reason: decision.failureReason ?? null,
          updated_at: at,
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
    },
  }
}

const statuses: readonly TransferRow['status'][] = ['pending', 'accepted', 'rejected', 'cancelled', 'expired', 'failed']

/**
 * The ids of a page. The requests from a workspace, and those to it, are in order in an index for each status; PostgreSQL
 * reads the first of each and merges them.
 */
function anyOfFirstTransfers(accountId: string, filter: TransferFilter, page: PageQuery): RawBuilder<string> {
  const after = parseKey(page.after)
  const wanted = filter.status === undefined ? statuses : [filter.status]
  const first = (workspace: 'source_workspace_id' | 'target_workspace_id') => sql`select found.id, found.created_at
    from members m cross join (values ${sql.join(wanted.map((status) => sql`(${sql.lit(status)})`))}) k (status)
    cross join lateral (select x.id, x.created_at from transfers x
      where ${sql.ref(`x.${workspace}`)} = m.workspace_id and x.status = k.status
        ${after ? sql`and (x.created_at, x.id) < (${after.createdAt}, ${after.id})` : sql``}
      order by x.created_at desc, x.id desc limit ${sql.lit(page.limit + 1)}) found
    where m.account_id = ${accountId} and m.level in ('owner', 'admin')
      ${filter.workspaceId === undefined ? sql`` : sql`and m.workspace_id = ${filter.workspaceId}`}`
  const sets = [
    ...(filter.direction === 'outgoing' ? [] : [first('target_workspace_id')]),
    ...(filter.direction === 'incoming' ? [] : [first('source_workspace_id')]),
  ]
  return sql<string>`any(array(select f.id from (${sql.join(sets, sql` union `)}) f (id, created_at)
    order by f.created_at desc, f.id desc limit ${sql.lit(page.limit + 1)}))`
}

const keyShape = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)_([0-9a-f-]{36})$/

/** True for a key that a page of requests can end with. */
export function isTransferKey(key: string): boolean {
  return parseKey(key) !== undefined
}

function parseKey(key: string | undefined): { createdAt: Date; id: string } | undefined {
  const [, time, id] = keyShape.exec(key ?? '') ?? []
  if (time === undefined || id === undefined || Number.isNaN(Date.parse(time))) return undefined
  return { createdAt: new Date(time), id }
}
