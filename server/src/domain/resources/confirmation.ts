import { randomUUID } from 'node:crypto'
import { within } from '../../engine/base/deadline.ts'
import { escapeHtml } from '../../engine/destinations/html.ts'
import type { ResourceRow } from '../../store/alerts/resources.ts'
import type { Store } from '../../store/index.ts'
import { done } from '../answers.ts'
import type { Context, Handler } from '../handler.ts'
import { notFound, Refusal } from '../refusal.ts'
import { addressIn } from './readiness.ts'
import { confirmationNotSent, confirmationPostponed } from './remarks.ts'

/**
 * Nobody gets alerts by e-mail before they agreed: a link goes to the address, and whoever opens it there confirms.
 * The link is signed, names the resource and its address, and is good for nothing else.
 */

const lifetimeMs = 3 * 24 * 3_600_000
const sendingMs = 10_000
/** Confirmation mails go to people who did not ask for them, so there are few. */
const freeMails = { perAddress: 3, perAccount: 20 }

type Sending = Pick<Context<'saveResource'>, 'account' | 'attempts' | 'engine' | 'now' | 'settings' | 'store'>

/** Sends the link, outside any transaction. Answers the remark of a resource whose mail was not sent. */
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

export const confirmEmail: Handler<'confirmEmail'> = async ({ params, store, now }) => {
  await confirmByToken(store, params.token, now)
  return done
}

/** Opening the link again changes nothing: it does not switch on a resource that was switched off since. */
export async function confirmByToken(store: Store, token: string, now: Date): Promise<void> {
  const [id = '', expiresMs, mark] = store.signatures.open('confirm e-mail', token)?.split('~') ?? []
  if (mark === undefined) throw notFound('This link is not one of ours.')
  if (Number(expiresMs) <= now.getTime())
    throw new Refusal('link_expired', 'This link has expired. Ask whoever sends the alerts for another one.')
  await store.tx(async (store) => {
    const row = await store.resources.lock({ id })
    if (!row || addressMark(store, addressIn(store.resources.openData(row) ?? null)) !== mark)
      throw notFound('No alerts are to be sent to this address any more.')
    if (!row.confirmed_at) await store.resources.setReadiness(id, { remark: null, confirmedAt: now }, now)
  })
}

/** Nothing that people can choose stands in the mail but the name of a workspace: it cannot carry their message. */
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
