import { type Policy, policyOfType } from '@tocsin/contract'
import type { Store } from '../../store/index.ts'
import { done, requireMatch } from '../answers.ts'
import { type LinkHolder, recordChange } from '../audit.ts'
import type { Context, Handler } from '../handler.ts'
import { notFound } from '../refusal.ts'
import { holdOwnSubscription, requireSubscription } from './read.ts'
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

/**
 * An absence counts from the moment a subscription is saved or resumed. The loops find the listeners of the subscription, since
 * the policy may be that of a template's rule.
 */
export async function beginAbsence(
  store: Store,
  subscriptionId: string,
  { policy, templateId }: { policy: Policy; templateId: string | null },
): Promise<void> {
  if (!policyOfType(policy?.type)?.beginsAtSave && templateId === null) return
  await store.jobs.add('policy', [{ data: { beginSubscription: subscriptionId } }])
}
