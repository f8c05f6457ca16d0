import type { Store } from '../../store/index.ts'
import type { ClaimedJob } from '../../store/jobs/job.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { PolicyJob } from '../jobs/job.ts'
import type { Listener } from '../listeners/listener.ts'
import { type Passed, type Woken, wake } from './policies/index.ts'
import { record } from './record.ts'

/** The moment that a policy waited for: what it brings and the settling of the job are one commit. */
export async function keepMoment(deps: RuntimeDeps, claimed: ClaimedJob<PolicyJob>): Promise<void> {
  const at = deps.clock()
  const { subscriptionId, ruleId } = claimed.data
  const earOf = (triggerId: string) => {
    const trigger = deps.listeners.trigger(triggerId)
    const listener = trigger?.listeners.get(`${subscriptionId}:${ruleId}`)
    return trigger && listener && { trigger, listener }
  }
  await deps.listeners.refresh()
  await deps.crashPoint('policy.beforeCommit')
  await deps.store.tx(async (store) => {
    const woken = await wake(store, claimed.data, earOf, at)
    if (woken) await keep(store, claimed.data, woken, (triggerId) => earOf(triggerId)?.listener, at)
    if (!(await store.jobs.finish(claimed))) throw new Error('the claim has lapsed')
  })
  await deps.crashPoint('policy.afterCommit')
}

async function keep(
  store: Store,
  name: PolicyJob,
  woken: Woken,
  listenerOf: (triggerId: string) => Listener | undefined,
  at: Date,
): Promise<void> {
  const passed = woken.alerts.flatMap(({ alert, deliveryKey }): Passed[] => {
    const listener = listenerOf(alert.trigger_id)
    return listener ? [{ listener, alert, policyKey: null, deliveryKey, isCollected: false }] : []
  })
  if (passed.length > 0) await recordHeld(store, name, passed, at)
  for (const { id, collected } of woken.digested) await store.alertWrites.setDigested(collected, id, at)
  if (woken.next) await store.policyStates.saveAll([woken.next], at)
  else await store.policyStates.removeAll([name])
  await store.jobs.add('policy', woken.jobs)
}

/** Who is gone or paused since a moment ago is looked at again: the job is not settled. */
async function recordHeld(
  store: Store,
  { subscriptionId }: PolicyJob,
  passed: readonly Passed[],
  at: Date,
): Promise<void> {
  const resources = passed.flatMap(({ listener }) => listener.resources.map(({ id }) => id))
  const triggers = passed.map(({ alert }) => alert.trigger_id)
  const held = await store.alertWrites.hold({ subscriptions: [subscriptionId], triggers, resources, blocks: [] })
  if (!held.subscriptions.has(subscriptionId) || triggers.some((id) => !held.triggers.has(id)))
    throw new Error('the subscription or its trigger has just changed')
  await record(store, passed, held, at)
}
