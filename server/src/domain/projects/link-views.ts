import type { AccessLinkRow } from '../../store/identity/access-links.ts'
import type { ReadableProject } from '../../store/projects/projects.ts'

export type LinkState = 'active' | 'revoked' | 'expired' | 'exhausted'

/** Revoked comes before expired, and expired before exhausted. */
export function linkState(row: AccessLinkRow, now: Date): LinkState {
  if (row.revoked_at) return 'revoked'
  if (row.expires_at && row.expires_at <= now) return 'expired'
  if (row.max_usages !== null && row.usages >= row.max_usages) return 'exhausted'
  return 'active'
}

export function accessLinkView(
  row: AccessLinkRow,
  token: string,
  project: ReadableProject,
  { now, publicUrl }: { now: Date; publicUrl: string },
) {
  return {
    id: row.id,
    token,
    // The URL of the console's page, which asks the visitor to sign in. Browsers do not send the part after "#", so no
    // log holds the token.
    url: `${publicUrl.replace(/\/$/, '')}/open#${token}`,
    project: project.fullname,
    workspace: project.workspace,
    state: linkState(row, now),
    ...(row.max_usages !== null && { maxUsages: row.max_usages }),
    usages: row.usages,
    ...(row.expires_at && { expiresAt: row.expires_at.toISOString() }),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
