import { randomUUID } from 'node:crypto'
import type { Mailer } from '../../../engine/destinations/mail.ts'
import type { Store } from '../../../store/index.ts'
import type { Attempts } from '../../attempts.ts'

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
