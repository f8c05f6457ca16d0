import type { Store } from '../../../store/index.ts'
import type { Context } from '../../handler.ts'
import { clientKind } from '../ownership/place.ts'
import type { NoticeEvent, NoticeJob } from './mail-job.ts'

export type Telling = Pick<Context<'signIn'>, 'engine' | 'caller' | 'now'> & { store: Store }

/** Queues a mail to the owner of an account, inside the caller's transaction. Without a mail server nobody is told. */
export async function tellOwner({ engine, store, caller, now }: Telling, accountId: string, event: NoticeEvent) {
  if (!engine.channels.mail) return
  const place = { from: caller.ip, with: clientKind(caller.userAgent) }
  const data: NoticeJob = { kind: 'notice', accountId, event, ...place, requestedAtMs: now.getTime() }
  await store.jobs.add('mail', [{ data }])
}
