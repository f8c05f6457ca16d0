import { escapeHtml } from '../../../engine/destinations/html.ts'
import { newToken } from '../../../store/core/secret-box.ts'
import { emailKey } from '../../../store/identity/accounts.ts'
import type { AddressProof } from '../ownership/verify-address.ts'
import { type MailDeps, sendTo, type VerifyJob } from './mail-job.ts'

const linkMs = 24 * 3_600_000

/** Sends the link that proves the address of an account, to the address that it has now. */
export async function sendVerifyMail(deps: MailDeps, job: VerifyJob): Promise<void> {
  const { store, publicUrl } = deps
  const account = await store.accounts.find(job.accountId)
  if (!account || account.email_verified_at !== null) return
  const token = newToken('email')
  const proof: AddressProof = { accountId: account.id, emailKey: emailKey(account.email) }
  await store.challenges.add('e-mail', token, proof, new Date(deps.clock().getTime() + linkMs))
  await sendTo(deps, account.email, letterOf(`${publicUrl()}/verify-email#${token}`))
}

function letterOf(url: string) {
  const what = 'Somebody who is signed in asked to show that this address belongs to their account.'
  const otherwise = 'If it was not you, do nothing. Somebody else may have signed up with your address.'
  return {
    subject: 'Confirm your e-mail address',
    text: `${what}\n\nIf it was you, open this link within a day, in the browser where you are signed in:\n${url}\n\n${otherwise}\n`,
    html: `<p>${what}</p><p><a href="${escapeHtml(url)}">Confirm the address within a day</a></p><p>${otherwise}</p>`,
  }
}
