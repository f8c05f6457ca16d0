import type { Store } from '../../store/index.ts'
import { done, requireMatch } from '../answers.ts'
import type { Account, Handler } from '../handler.ts'
import { beginAbsence } from './begin-absence.ts'
import { holdOwnSubscription, requireSubscription } from './find.ts'
import { taggedSubscription } from './views.ts'

export const pauseSubscription: Handler<'pauseSubscription'> = ({ account, params, store, now }) =>
  setPaused(store, account, params.id, true, now)

/** Matches during a pause make no alerts, also not later. */
export const resumeSubscription: Handler<'resumeSubscription'> = ({ account, params, store, now }) =>
  setPaused(store, account, params.id, false, now)

export const deleteSubscription: Handler<'deleteSubscription'> = async ({ account, params, preconditions, store }) =>
  store.tx(async (store) => {
    const row = await holdOwnSubscription(store, account, params.id)
    requireMatch(preconditions, row)
    await store.subscriptions.remove(row.id)
    return done
  })

function setPaused(store: Store, account: Account, id: string, paused: boolean, now: Date) {
  return store.tx(async (store) => {
    const row = await holdOwnSubscription(store, account, id)
    await store.subscriptions.setPaused(row.id, paused, now)
    if (!paused) await beginAbsence(store, row.id, { policy: row.policy, templateId: row.template_id })
    const changed = await requireSubscription(store, account, row.id)
    return taggedSubscription(store, changed, account)
  })
}
