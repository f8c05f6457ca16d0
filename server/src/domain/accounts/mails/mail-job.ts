import { randomUUID } from 'node:crypto'
import type { Mailer } from '../../../engine/destinations/mail.ts'
import type { Store } from '../../../store/index.ts'

/** What the queue `mail` holds. */
export type ResetJob = { kind: 'reset'; email: string; requestedAtMs: number }
export type VerifyJob = { kind: 'verify'; accountId: string; requestedAtMs: number }
export type MailJob = ResetJob | VerifyJob
export type MailDeps = { store: Store; mail: Mailer; publicUrl(): string; clock(): Date }

type Letter = { subject: string; text: string; html: string }

export async function sendTo({ mail }: MailDeps, to: string, letter: Letter): Promise<void> {
  const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }
  await mail.send({ to, messageId: `<${randomUUID()}@${mail.host}>`, ...letter, headers })
}
