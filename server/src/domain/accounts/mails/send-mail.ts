import { escapeHtml } from '../../../engine/destinations/html.ts'
import { newToken } from '../../../store/core/secret-box.ts'
import { emailKey } from '../../../store/identity/accounts.ts'
import type { ClaimedJob } from '../../../store/jobs/job.ts'
import { Refusal } from '../../refusal.ts'
import { resetLinkMs } from '../operator.ts'
import type { AddressProof } from '../ownership/verify-address.ts'
import {
  type MailDeps,
  type MailJob,
  type NoticeEvent,
  type NoticeJob,
  type ResetJob,
  sendTo,
  type VerifyJob,
} from './mail-job.ts'

/** After this time the person has asked again or given up. */
const waitMaxMs = 30 * 60_000

/** Sends a mail about an account, from the queue `mail`. The queue repeats a job that failed. */
export async function sendAccountMail(deps: MailDeps, job: ClaimedJob<MailJob>): Promise<void> {
  const { data } = job
  if (deps.clock().getTime() - data.requestedAtMs < waitMaxMs) await send(deps, data)
  await deps.store.jobs.finish(job)
}

function send(deps: MailDeps, data: MailJob): Promise<void> {
  if (data.kind === 'reset') return sendResetMail(deps, data)
  if (data.kind === 'verify') return sendVerifyMail(deps, data)
  return sendNoticeMail(deps, data)
}

const proofLinkMs = 24 * 3_600_000

/** Sends the link that proves the address of an account, to the address that it has now. */
async function sendVerifyMail(deps: MailDeps, job: VerifyJob): Promise<void> {
  const { store, publicUrl } = deps
  const account = await store.accounts.find(job.accountId)
  if (!account || account.email_verified_at !== null) return
  const token = newToken('email')
  const proof: AddressProof = { accountId: account.id, emailKey: emailKey(account.email) }
  await store.challenges.add('e-mail', token, proof, new Date(deps.clock().getTime() + proofLinkMs))
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

/** Sends the link that sets a new password. If the process dies after it sent the mail, the job sends another link. Both links work until one is used. */
async function sendResetMail(deps: MailDeps, job: ResetJob): Promise<void> {
  const { store, publicUrl } = deps
  const account = await store.accounts.findByEmail(job.email)
  if (!account) return
  const token = newToken('reset')
  const now = deps.clock()
  await store.passwordResets.add(account, token, new Date(now.getTime() + resetLinkMs), now)
  try {
    await sendTo(deps, account.email, resetLetter(`${publicUrl()}/reset-password#${token}`))
  } catch (error) {
    // The queue sends another link later.
    await store.passwordResets.take(token)
    throw error
  }
}

/** The token is in the fragment, which browsers do not send to servers. */
function resetLetter(url: string) {
  const what = 'Somebody asked for a new password for your account.'
  const otherwise = 'If it was not you, do nothing: your password stays as it is.'
  const safeUrl = escapeHtml(url)
  return {
    subject: 'Set a new password',
    text: `${what}\n\nTo set it, open this link within 30 minutes. It works once:\n${url}\n\n${otherwise}\n`,
    html: `<p>${what}</p><p><a href="${safeUrl}">Set a new password within 30 minutes</a></p><p>${otherwise}</p>`,
  }
}

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

async function sendNoticeMail(deps: MailDeps, job: NoticeJob): Promise<void> {
  const account = await deps.store.accounts.find(job.accountId)
  if (!account || account.email_key.endsWith('.invalid') || isTooMany(deps, account.email_key)) return
  await sendTo(deps, account.email, noticeLetter(job, deps.publicUrl()))
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

function noticeLetter({ event, from, with: program, requestedAtMs }: NoticeJob, url: string) {
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
