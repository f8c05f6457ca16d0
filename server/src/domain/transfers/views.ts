import type { TransferRow } from '../../store/projects/transfers.ts'

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
