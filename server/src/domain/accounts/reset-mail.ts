import { randomUUID } from 'node:crypto'
import { escapeHtml } from '../../engine/destinations/html.ts'
import type { Mailer } from '../../engine/destinations/mail.ts'
import { newToken } from '../../store/core/secret-box.ts'
import type { Store } from '../../store/index.ts'
import type { ClaimedJob } from '../../store/jobs/job.ts'

/** Sends the link that sets a new password, from the queue `mail`. */

export type MailJob = { kind: 'reset'; email: string; requestedAtMs: number }
export type MailDeps = { store: Store; mail: Mailer; publicUrl(): string; clock(): Date }

const linkMs = 30 * 60_000
/** After this time the person has asked again or given up. */
const waitMaxMs = 30 * 60_000

/** If the process dies after it sent the mail, the job sends another link. Both links work until one is used. */
export async function sendResetMail(deps: MailDeps, job: ClaimedJob<MailJob>): Promise<void> {
  const { store, clock } = deps
  const now = clock()
  const { email, requestedAtMs } = job.data
  const account = await store.accounts.findByEmail(email)
  if (account && now.getTime() - requestedAtMs < waitMaxMs) await sendLink(deps, account, now)
  await store.jobs.finish(job)
}

async function sendLink(deps: MailDeps, account: { id: string; email: string }, now: Date): Promise<void> {
  const { store, mail, publicUrl } = deps
  const token = newToken('reset')
  await store.passwordResets.add(account.id, token, new Date(now.getTime() + linkMs), now)
  const letter = letterOf(`${publicUrl()}/reset-password#${token}`)
  try {
    await mail.send({ to: account.email, messageId: `<${randomUUID()}@${mail.host}>`, ...letter })
  } catch (error) {
    // The queue sends another link later.
    await store.passwordResets.take(token)
    throw error
  }
}

/** The token is in the fragment, which browsers do not send to servers. */
function letterOf(url: string) {
  const what = 'Somebody asked for a new password for your account.'
  const otherwise = 'If it was not you, do nothing: your password stays as it is.'
  const safeUrl = escapeHtml(url)
  return {
    subject: 'Set a new password',
    text: `${what}\n\nTo set it, open this link within 30 minutes. It works once:\n${url}\n\n${otherwise}\n`,
    html: `<p>${what}</p><p><a href="${safeUrl}">Set a new password within 30 minutes</a></p><p>${otherwise}</p>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  }
}
