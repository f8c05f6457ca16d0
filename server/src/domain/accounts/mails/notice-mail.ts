import { escapeHtml } from '../../../engine/destinations/html.ts'
import { Refusal } from '../../refusal.ts'
import { type MailDeps, type NoticeEvent, type NoticeJob, sendTo } from './mail-job.ts'

/**
 * Tells the owner of an account that something was added that opens it, or that it was used from a new place. Nothing in the
 * mail was written by a person, so a stranger who signs up with an address cannot send its owner a text.
 */

const what: Record<NoticeEvent, string> = {
  'token added': 'An access token was added to your account',
  'wallet linked': 'A wallet was linked to your account',
  'passkey added': 'A passkey was added to your account',
  'identity linked': 'A sign-in at your identity provider was linked to your account',
  'authenticator app added': 'An authenticator app was added to your account',
  'new place': 'Your account was signed in to from a new place',
  'token at a new place': 'An access token of your account was used from a new place',
}

/** Enough for a person who sets an account up, and few for a mailbox whose owner did not sign up. */
const freeMails = 20

export async function sendNoticeMail(deps: MailDeps, job: NoticeJob): Promise<void> {
  const account = await deps.store.accounts.find(job.accountId)
  if (!account || account.email_key.endsWith('.invalid') || isTooMany(deps, account.email_key)) return
  await sendTo(deps, account.email, letterOf(job, deps.publicUrl()))
}

function isTooMany({ attempts, clock }: MailDeps, mailbox: string): boolean {
  try {
    attempts.begin([{ name: `notices to ${mailbox}`, freeAttempts: freeMails }], clock())
    return false
  } catch (error) {
    if (error instanceof Refusal) return true
    throw error
  }
}

function letterOf({ event, from, with: program, requestedAtMs }: NoticeJob, url: string) {
  const facts = [
    `Service: ${new URL(url).host}`,
    `Time: ${new Date(requestedAtMs).toUTCString()}`,
    ...(from === '' ? [] : [`IP address: ${from}`, `Browser or program: ${program}`]),
  ]
  const otherwise = 'If it was not you, set a new password, choose to end all access tokens, and look at your account:'
  const [reset, account] = [`${url}/forgot-password`, `${url}/account`]
  return {
    subject: what[event],
    text: `${what[event]}.\n\n${facts.join('\n')}\n\nIf it was you, do nothing. ${otherwise}\n${reset}\n${account}\n`,
    html: `<p>${what[event]}.</p><p>${facts.map(escapeHtml).join('<br>')}</p><p>If it was you, do nothing. ${otherwise} <a href="${escapeHtml(reset)}">new password</a>, <a href="${escapeHtml(account)}">account</a>.</p>`,
  }
}
