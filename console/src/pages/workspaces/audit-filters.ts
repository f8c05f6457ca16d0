import { type AuditAction, auditActions } from '@tocsin/contract'

/** The filters of the audit log. They are in the URL, so that a link shows the same entries. */
export type AuditFilters = { actor?: string; action?: AuditAction; before?: string }

export function readAuditFilters(search: Record<string, unknown>): AuditFilters {
  const { actor, before } = search
  const action = auditActions.find((each) => each === search.action)
  return {
    ...(typeof actor === 'string' && { actor }),
    ...(action !== undefined && { action }),
    ...(typeof before === 'string' && !Number.isNaN(Date.parse(before)) && { before }),
  }
}
