import type { Store } from '../../store/index.ts'
import { isTransferKey, type MemberTransferRow, type TransferRow } from '../../store/projects/transfers.ts'
import { requireLevel, requireRank } from '../access.ts'
import { Page, requireCursor } from '../answers.ts'
import { type Actor, recordChange } from '../audit.ts'
import type { Account, Handler } from '../handler.ts'
import { notFound, Refusal } from '../refusal.ts'

export type Side = 'source' | 'target'

/** Members of either workspace see the request. Only an owner of the given side may decide it. */
export async function requireRequest(
  store: Store,
  account: Account,
  id: string,
  side: Side,
): Promise<MemberTransferRow> {
  const found = await store.transfers.findForMember(id, account.id)
  if (!found) throw notFound('There is no transfer request with this id that you may see.')
  requireRank(side === 'source' ? found.source_level : found.target_level, 'owner')
  return found
}

export function requirePending(request: MemberTransferRow): void {
  if (request.status !== 'pending') throw notPending(request.status)
}

export function notPending(status: MemberTransferRow['status']): Refusal {
  return new Refusal('request_not_pending', `This transfer request is ${status}.`, { status })
}

export const listTransferRequests: Handler<'listTransferRequests'> = async ({ account, query, store, now }) => {
  await store.transferEndings.sweepExpired(now)
  const workspace =
    query.workspace === undefined ? undefined : await requireLevel(store, account, query.workspace, 'admin')
  const { rows, next } = await store.transfers.listForManager(
    account.id,
    { workspaceId: workspace?.id, direction: query.direction, status: query.status },
    { limit: query.limit, after: requireCursor(query.cursor, isTransferKey) },
  )
  return new Page(rows.map(requestView), next)
}

export function requestView(row: TransferRow) {
  return {
    id: row.id,
    project: row.project,
    sourceWorkspace: row.source_workspace,
    targetWorkspace: row.target_workspace,
    targetName: row.target_name,
    targetFullname: row.target_fullname,
    status: row.status,
    planHash: row.plan_hash,
    counts: row.counts,
    requestedBy: row.requested_by,
    ...(row.decided_by !== null && { decidedBy: row.decided_by }),
    ...(row.decided_at && { decidedAt: row.decided_at.toISOString() }),
    ...(row.applied_at && { appliedAt: row.applied_at.toISOString() }),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.failure_reason !== null && { failureReason: row.failure_reason }),
    expiresAt: row.expires_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

type TransferAction = 'transfer.request' | 'transfer.accept' | 'transfer.reject' | 'transfer.cancel'

/** A transfer concerns two workspaces, so both logs have it, unless one was deleted. */
export async function recordTransfer(store: Store, actor: Actor, action: TransferAction, row: TransferRow) {
  const { source_workspace_id: source, target_workspace_id: target, project: fullname } = row
  for (const workspaceId of [source, target])
    if (workspaceId !== null) await recordChange(store, actor, { action, workspaceId, fullname })
}

export const rejectTransfer: Handler<'rejectTransfer'> = async ({ params, body, store, ...actor }) => {
  const decision = { id: params.id, side: 'target', status: 'rejected', reason: body.reason } as const
  return requestView(await decide(store, actor, decision))
}

export const cancelTransfer: Handler<'cancelTransfer'> = async ({ params, body, store, ...actor }) => {
  const decision = { id: params.id, side: 'source', status: 'cancelled', reason: body.reason } as const
  return requestView(await decide(store, actor, decision))
}

type Decision = { id: string; side: Side; status: 'rejected' | 'cancelled'; reason: string | undefined }

async function decide(store: Store, actor: Actor, decision: Decision): Promise<TransferRow> {
  const { account, now } = actor
  const { id, side, status, reason } = decision
  await store.transferEndings.sweepExpired(now)
  return store.tx(async (store) => {
    await store.transfers.lock(id)
    requirePending(await requireRequest(store, account, id, side))
    const row = await store.transfers.decide(id, { status, decidedBy: account.id, reason }, now)
    await recordTransfer(store, actor, status === 'rejected' ? 'transfer.reject' : 'transfer.cancel', row)
    return row
  })
}
