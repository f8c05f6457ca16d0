import type { Store } from '../../store/index.ts'
import { done } from '../answers.ts'
import type { Handler } from '../handler.ts'
import { notFound } from '../refusal.ts'

/** The link in an alert pauses the subscription, without an account. Only the subscription's account can resume it. */
export const unsubscribe: Handler<'unsubscribe'> = async ({ params, store, now }) => {
  await pauseByToken(store, params.token, now)
  return done
}

export async function pauseByToken(store: Store, token: string, now: Date): Promise<void> {
  const id = store.signatures.open('unsubscribe', token)
  if (id === undefined) throw notFound('This link is not valid.')
  await store.subscriptions.setPaused(id, true, now)
}
