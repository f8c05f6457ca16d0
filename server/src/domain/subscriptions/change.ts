import { done, requireMatch } from '../answers.ts'
import { recordChange } from '../audit.ts'
import type { Context, Handler } from '../handler.ts'
import { beginAbsence } from './begin-absence.ts'
import { holdOwnSubscription, requireSubscription } from './find.ts'
import { taggedSubscription } from './views.ts'

export const pauseSubscription: Handler<'pauseSubscription'> = (context) => setPaused(context, true)

/** Matches during a pause make no alerts, also not later. */
export const resumeSubscription: Handler<'resumeSubscription'> = (context) => setPaused(context, false)

export const deleteSubscription: Handler<'deleteSubscription'> = async ({
  account,
  ip,
  params,
  preconditions,
  store,
  now,
}) =>
  store.tx(async (store) => {
    const row = await holdOwnSubscription(store, account, params.id)
    requireMatch(preconditions, row)
    await store.subscriptions.remove(row.id)
    const { workspace_id: workspaceId, id: fullname } = row
    await recordChange(store, { account, ip, now }, { action: 'subscription.delete', workspaceId, fullname })
    return done
  })

function setPaused(context: Context<'pauseSubscription'> | Context<'resumeSubscription'>, paused: boolean) {
  const { account, params, now } = context
  return context.store.tx(async (store) => {
    const row = await holdOwnSubscription(store, account, params.id)
    const workspaceId = await store.subscriptions.setPaused(row.id, paused, now)
    if (workspaceId !== undefined) {
      const action = paused ? 'subscription.pause' : 'subscription.resume'
      await recordChange(store, context, { action, workspaceId, fullname: row.id, paths: ['paused'] })
      if (!paused) await store.histories.resume(row.id, now)
    }
    if (!paused) await beginAbsence(store, row.id, { policy: row.policy, templateId: row.template_id })
    const changed = await requireSubscription(store, account, row.id)
    return taggedSubscription({ store, account, settings: context.settings }, changed)
  })
}
