import { randomUUID } from 'node:crypto'
import { within } from '../../engine/base/deadline.ts'
import { escapeHtml } from '../../engine/destinations/html.ts'
import { emailKey } from '../../store/identity/accounts.ts'
import type { InvitationRow } from '../../store/identity/invitations.ts'
import type { Context } from '../handler.ts'
import { Refusal } from '../refusal.ts'

const sendingMs = 10_000
/** An invitation goes to a person who did not ask for it, so only a few are sent. */
const freeMails = { perAddress: 3, perAccount: 20 }

type Sending = Pick<Context<'createInvitation'>, 'account' | 'attempts' | 'engine' | 'now' | 'params' | 'settings'>

/** Sends the link, outside any transaction. Throws a refusal if the mail cannot be sent. */
export async function sendInvitation(sending: Sending, row: InvitationRow, token: string): Promise<void> {
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
