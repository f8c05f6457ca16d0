import type { ClaimedJob } from '../../../store/jobs/job.ts'
import type { MailDeps, MailJob } from './mail-job.ts'
import { sendNoticeMail } from './notice-mail.ts'
import { sendResetMail } from './reset-mail.ts'
import { sendVerifyMail } from './verify-mail.ts'

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
