import { escapeHtml } from '../../../engine/destinations/html.ts'
import { newToken } from '../../../store/core/secret-box.ts'
import { type MailDeps, type ResetJob, sendTo } from './mail-job.ts'

/** Sends the link that sets a new password. */

const linkMs = 30 * 60_000

/** If the process dies after it sent the mail, the job sends another link. Both links work until one is used. */
export async function sendResetMail(deps: MailDeps, job: ResetJob): Promise<void> {
  const { store, publicUrl } = deps
  const account = await store.accounts.findByEmail(job.email)
  if (!account) return
  const token = newToken('reset')
  const now = deps.clock()
  await store.passwordResets.add(account, token, new Date(now.getTime() + linkMs), now)
  try {
    await sendTo(deps, account.email, letterOf(`${publicUrl()}/reset-password#${token}`))
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
  }
}
