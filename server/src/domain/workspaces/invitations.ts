import { randomUUID } from 'node:crypto'
import { within } from '../../engine/base/deadline.ts'
import { escapeHtml } from '../../engine/destinations/html.ts'
import { newToken } from '../../store/core/secret-box.ts'
import { emailKey } from '../../store/identity/accounts.ts'
import type { InvitationRow } from '../../store/identity/invitations.ts'
import { requireLevel } from '../access.ts'
import { done, Page, requireAnyMatch } from '../answers.ts'
import { recordChange } from '../audit.ts'
import type { Context, Handler } from '../handler.ts'
import { invalidPayload, notFound, Refusal } from '../refusal.ts'
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

const sendingMs = 10_000
/** An invitation goes to a person who did not ask for it, so only a few are sent. */
const freeMails = { perAddress: 3, perAccount: 20 }

type Sending = Pick<Context<'createInvitation'>, 'account' | 'attempts' | 'engine' | 'now' | 'params' | 'settings'>

/** Sends the link, outside any transaction. Throws a refusal if the mail cannot be sent. */
async function sendInvitation(sending: Sending, row: InvitationRow, token: string): Promise<void> {
  const { account, attempts, engine, now, params, settings } = sending
  const { mail } = engine.channels
  if (!mail) throw new Refusal('feature_unavailable')
  attempts.begin([{ name: `mail to ${emailKey(row.email)}`, freeAttempts: freeMails.perAddress }], now)
  attempts.begin([{ name: `mails of ${account.id}`, freeAttempts: freeMails.perAccount }], now)
  // The token is in the fragment, which browsers do not send, so no server logs it.
  const url = `${settings.publicUrl}/join/${params.fullname}#${token}`
  const letter = { to: row.email, messageId: `<${randomUUID()}@${mail.host}>`, ...letterOf(params.fullname, row, url) }
  try {
    await within(mail.send(letter), sendingMs, () => new Error('The SMTP server is too slow.'))
  } catch {
    throw new Refusal('upstream_failed', 'The e-mail could not be sent. Try again later.')
  }
}

/** The only text that a user can choose is the name of the workspace, so the mail cannot carry a message. */
function letterOf(workspace: string, { level, expires_at: expiresAt }: InvitationRow, url: string) {
  const what = `You are invited to the workspace "${workspace}" with the role ${level}.`
  const until = expiresAt.toUTCString()
  const how = 'Sign in or create an account with this e-mail address, then join.'
  const otherwise = 'If you did not expect this, do nothing.'
  return {
    subject: `Invitation to the workspace ${workspace}`,
    text: `${what}\n\nOpen this link before ${until}:\n${url}\n\n${how} ${otherwise}\n`,
    html: `<p>${escapeHtml(what)}</p><p><a href="${escapeHtml(url)}">Join before ${until}</a></p><p>${how} ${otherwise}</p>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  }
}
