import { randomUUID } from 'node:crypto'
import { within } from '../../engine/base/deadline.ts'
import { escapeHtml } from '../../engine/destinations/html.ts'
import type { ResourceRow } from '../../store/alerts/resource-rows.ts'
import type { Store } from '../../store/index.ts'
import { done } from '../answers.ts'
import { type LinkHolder, recordChange } from '../audit.ts'
import type { Context, Handler } from '../handler.ts'
import { notFound, Refusal } from '../refusal.ts'
import { addressIn, confirmationNotSent, confirmationPostponed } from './readiness.ts'

/**
 * An e-mail resource is ready only after its receiver agreed. The service sends a link to the address, and opening it
 * confirms. The link is signed, names the resource and its address, and gives no other right.
 */

const lifetimeMs = 3 * 24 * 3_600_000
const sendingMs = 10_000
/** A confirmation goes to a person who did not ask for it, so only a few are sent. */
const freeMails = { perAddress: 3, perAccount: 20 }

type Sending = Pick<Context<'saveResource'>, 'account' | 'attempts' | 'engine' | 'now' | 'settings' | 'store'>

/** Sends the link, outside any transaction. Returns the remark for the resource if the e-mail was not sent. */
export async function sendConfirmation(sending: Sending, row: ResourceRow): Promise<string | undefined> {
  const { account, attempts, engine, now, settings, store } = sending
  const { mail } = engine.channels
  const data = store.resources.openData(row) ?? null
  const address = addressIn(data)
  if (!mail) return undefined
  try {
    attempts.begin([{ name: `mail to ${address}`, freeAttempts: freeMails.perAddress }], now)
    attempts.begin([{ name: `mails of ${account.id}`, freeAttempts: freeMails.perAccount }], now)
  } catch (error) {
    if (error instanceof Refusal) return confirmationPostponed
    throw error
  }
  const url = `${settings.publicUrl}/api/confirm-email/${confirmationToken(store, row.id, address, now)}`
  const letter = { to: String(data?.to), messageId: `<${randomUUID()}@${mail.host}>`, ...letterOf(row.workspace, url) }
  return within(mail.send(letter), sendingMs, () => new Error('The SMTP server is too slow.')).then(
    () => undefined,
    () => confirmationNotSent,
  )
}

export function confirmationToken(store: Store, resourceId: string, address: string, now: Date): string {
  const expiresMs = now.getTime() + lifetimeMs
  return store.signatures.sign('confirm e-mail', `${resourceId}~${expiresMs}~${addressMark(store, address)}`)
}

/** Ties a link to an address without showing the address in it. */
function addressMark(store: Store, address: string): string {
  return store.signatures.deriveSecret('confirm e-mail', address).slice(0, 22)
}

export const confirmEmail: Handler<'confirmEmail'> = async ({ params, store, ip, now }) => {
  await confirmByToken(store, params.token, { ip, now })
  return done
}

/** Idempotent: opening the link again does not switch on a resource that was switched off since. */
export async function confirmByToken(store: Store, token: string, holder: LinkHolder): Promise<void> {
  const { now } = holder
  const [id = '', expiresMs, mark] = store.signatures.open('confirm e-mail', token)?.split('~') ?? []
  if (mark === undefined) throw notFound('This link is not valid.')
  if (Number(expiresMs) <= now.getTime())
    throw new Refusal('link_expired', 'This link has expired. Ask the sender of the alerts for a new one.')
  await store.tx(async (store) => {
    const row = await store.resources.lock({ id })
    if (!row || addressMark(store, addressIn(store.resources.openData(row) ?? null)) !== mark)
      throw notFound('Alerts are no longer sent to this address.')
    if (row.confirmed_at) return
    await store.resources.setReadiness(id, { remark: null, confirmedAt: now }, now)
    const { workspace_id: workspaceId, fullname } = row
    await recordChange(store, holder, { action: 'resource.confirm', workspaceId, fullname })
  })
}

/**
 * The only text in the e-mail that a user can choose is the name of a workspace, so the e-mail cannot carry a message.
 */
function letterOf(workspace: string, url: string) {
  const what = `The workspace "${workspace}" wants to send alerts to this address.`
  const otherwise = 'If you do not want them, do nothing: you will get no alerts.'
  const [safeWhat, safeUrl] = [escapeHtml(what), escapeHtml(url)]
  return {
    subject: 'Confirm that you want alerts at this address',
    text: `${what}\n\nTo agree, open this link within three days:\n${url}\n\n${otherwise}\n`,
    html: `<p>${safeWhat}</p><p><a href="${safeUrl}">Confirm within three days</a></p><p>${otherwise}</p>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  }
}
