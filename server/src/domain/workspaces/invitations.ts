import { newToken } from '../../store/core/secret-box.ts'
import type { InvitationRow } from '../../store/identity/invitations.ts'
import { requireLevel } from '../access.ts'
import { done, Page, requireAnyMatch } from '../answers.ts'
import { recordChange } from '../audit.ts'
import type { Context, Handler } from '../handler.ts'
import { invalidPayload, notFound, Refusal } from '../refusal.ts'
import { sendInvitation } from './invitation-mail.ts'
import { requireMayTouch } from './owners.ts'

const lifetimeMs = 7 * 24 * 3_600_000

export const listInvitations: Handler<'listInvitations'> = async ({ account, params, query, store, now }) => {
  const workspace = await requireLevel(store, account, params.fullname, 'admin')
  const { rows, next } = await store.invitations.list(workspace.id, { limit: query.limit, after: query.cursor })
  return new Page(
    rows.map((row) => invitationView(row, workspace.fullname, now)),
    next,
  )
}

/** The link is in the mail alone. If the mail cannot be sent, the invitation and its audit entry are removed again. */
export const createInvitation: Handler<'createInvitation'> = async (context) => {
  const { params, store, now } = context
  const token = newToken('invite')
  const { row, entryId } = await store.tx((store) => addInvitation({ ...context, store }, token))
  try {
    await sendInvitation(context, row, token)
  } catch (error) {
    await store.tx(async (store) => {
      await store.invitations.remove(row.id)
      await store.audit.remove(entryId)
    })
    throw error
  }
  return invitationView(row, params.fullname, now)
}

export const deleteInvitation: Handler<'deleteInvitation'> = async (context) => {
  const { account, params, preconditions, now } = context
  return context.store.tx(async (store) => {
    const { id: workspaceId } = await requireLevel(store, account, params.fullname, 'admin')
    requireAnyMatch(preconditions)
    const row = await store.invitations.revoke(workspaceId, params.id, now)
    if (!row) throw notFound('There is no such invitation that can still be used.')
    await recordChange(store, context, { action: 'invitation.revoke', workspaceId, fullname: row.email })
    return done
  })
}

type Added = { row: InvitationRow; entryId: string }

async function addInvitation(context: Context<'createInvitation'>, token: string): Promise<Added> {
  const { account, params, body, store, engine, now } = context
  const { id: workspaceId, level } = await requireLevel(store, account, params.fullname, 'admin')
  requireMayTouch(level, body.level)
  if (!engine.channels.mail) throw new Refusal('feature_unavailable', 'E-mail is off. The operator must set SMTP_URL.')
  const expiresAt = body.expiresAt === undefined ? new Date(now.getTime() + lifetimeMs) : new Date(body.expiresAt)
  if (expiresAt <= now) throw invalidPayload([{ path: 'expiresAt', message: 'must be in the future' }])
  const invitation = { workspaceId, email: body.email, level: body.level, token, invitedBy: account, expiresAt }
  const row = await store.invitations.add(invitation, now)
  const change = {
    action: 'invitation.create',
    workspaceId,
    fullname: row.email,
    paths: ['level', 'expiresAt'],
  } as const
  return { row, entryId: await recordChange(store, context, change) }
}

function invitationView(row: InvitationRow, workspace: string, now: Date) {
  return {
    id: row.id,
    workspace,
    email: row.email,
    level: row.level,
    state: invitationState(row, now),
    expiresAt: row.expires_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    invitedBy: { id: row.invited_by, name: row.invited_by_name },
  }
}

export function invitationState(row: InvitationRow, now: Date): 'pending' | 'accepted' | 'expired' | 'revoked' {
  if (row.accepted_at) return 'accepted'
  if (row.revoked_at) return 'revoked'
  return row.expires_at <= now ? 'expired' : 'pending'
}
