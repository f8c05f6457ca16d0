import { randomUUID } from 'node:crypto'
import type { Mailer } from '../../../engine/destinations/mail.ts'
import type { Store } from '../../../store/index.ts'
import type { Attempts } from '../../attempts.ts'
import type { Context } from '../../handler.ts'
import { clientKind } from '../ownership/place.ts'

/** What the queue `mail` holds. */
export type ResetJob = { kind: 'reset'; email: string; requestedAtMs: number }
export type VerifyJob = { kind: 'verify'; accountId: string; requestedAtMs: number }
/** What the owner of an account is told of. `from` is an IP address, `with` a kind of browser or program. */
export type NoticeJob = {
  kind: 'notice'
  accountId: string
  event: NoticeEvent
  from: string
  with: string
  requestedAtMs: number
}
export type NoticeEvent =
  | 'token added'
  | 'wallet linked'
  | 'passkey added'
  | 'identity linked'
  | 'authenticator app added'
  | 'new place'
  | 'token at a new place'
export type MailJob = ResetJob | VerifyJob | NoticeJob
export type MailDeps = { store: Store; mail: Mailer; attempts: Attempts; publicUrl(): string; clock(): Date }

type Letter = { subject: string; text: string; html: string }

export async function sendTo({ mail }: MailDeps, to: string, letter: Letter): Promise<void> {
  const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }
  await mail.send({ to, messageId: `<${randomUUID()}@${mail.host}>`, ...letter, headers })
}

export type Telling = Pick<Context<'signIn'>, 'engine' | 'caller' | 'now'> & { store: Store }

/** Queues a mail to the owner of an account, inside the caller's transaction. Without a mail server nobody is told. */
export async function tellOwner({ engine, store, caller, now }: Telling, accountId: string, event: NoticeEvent) {
  if (!engine.channels.mail) return
  const place = { from: caller.ip, with: clientKind(caller.userAgent) }
  const data: NoticeJob = { kind: 'notice', accountId, event, ...place, requestedAtMs: now.getTime() }
  await store.jobs.add('mail', [{ data }])
}
