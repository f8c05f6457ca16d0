import type { Store } from '../../store/index.ts'
import { done } from '../answers.ts'
import { type LinkHolder, recordChange } from '../audit.ts'
import type { Handler } from '../handler.ts'
import { notFound } from '../refusal.ts'

/** The link in an alert pauses the subscription, without an account. Only the subscription's account can resume it. */
export const unsubscribe: Handler<'unsubscribe'> = async ({ params, store, ip, now }) => {
  await pauseByToken(store, params.token, { ip, now })
  return done
}

export async function pauseByToken(store: Store, token: string, holder: LinkHolder): Promise<void> {
  const id = store.signatures.open('unsubscribe', token)
  if (id === undefined) throw notFound('This link is not valid.')
  await store.tx(async (store) => {
    const workspaceId = await store.subscriptions.setPaused(id, true, holder.now)
    if (workspaceId === undefined) return
    const change = { action: 'subscription.pause', workspaceId, fullname: id, paths: ['paused'] } as const
    await recordChange(store, holder, change)
  })
}
