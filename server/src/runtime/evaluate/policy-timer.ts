import type { Store } from '../../store/index.ts'
import type { ClaimedJob } from '../../store/jobs/job.ts'
import type { RuntimeDeps } from '../deps.ts'
import type { BeginJob, DueStatesJob, PolicyJob, RetractedJob } from '../jobs/job.ts'
import type { Listener } from '../listeners/live-trigger.ts'
import { type AlertToRecord, beginAbsences, fireDueStates, fireTimer, type TimerResult } from './policies/index.ts'
import { type AddedAlert, noteAlerts, recordAlerts, shownContents } from './record-alerts.ts'

/** Fires a policy's timer: its alerts, the next policy state and the end of the job are one commit. */
export async function firePolicyTimer(
  deps: RuntimeDeps,
  claimed: ClaimedJob<PolicyJob | DueStatesJob | BeginJob | RetractedJob>,
): Promise<void> {
  const at = deps.clock()
  const { data } = claimed
  await deps.listeners.refresh()
  await deps.crashPoint('policy.beforeCommit')
  const added = await deps.store.tx(async (store) => {
    const added = await fire(deps, store, data, at)
    if (!(await store.jobs.finish(claimed))) throw new Error('the claim has expired')
    return added
  })
  noteAlerts(deps, added, [], at)
  await deps.crashPoint('policy.afterCommit')
}

/** Returns the alerts that were added. */
async function fire(
  deps: RuntimeDeps,
  store: Store,
  data: PolicyJob | DueStatesJob | BeginJob | RetractedJob,
  at: Date,
): Promise<AddedAlert[]> {
  if ('dueMs' in data) return fireDue(deps, store, new Date(Math.max(at.getTime(), data.dueMs)))
  if ('retractedOf' in data) return fireRetracted(deps, store, data, at)
  if (!('beginSubscription' in data)) return fireOne(deps, store, data, at)
  await beginAbsences(store, boundListeners(deps, data.beginSubscription), at)
  return []
}

async function fireOne({ listeners }: RuntimeDeps, store: Store, name: PolicyJob, at: Date): Promise<AddedAlert[]> {
  const findListener = (triggerId: string) => findBound(listeners, name, triggerId)
  const result = await fireTimer(store, name, findListener, at)
  return result ? writeResult(store, name, result, (triggerId) => findListener(triggerId)?.listener, at) : []
}

/** The states take undone blocks back when they are read. Without this, a silence that goes on would not be told again. */
async function fireRetracted(
  deps: RuntimeDeps,
  store: Store,
  { retractedOf }: RetractedJob,
  at: Date,
): Promise<AddedAlert[]> {
  await store.policyStates.wake(retractedOf, at)
  return fireDue(deps, store, at)
}

/** The clock of this process may be behind the one that started the job, so the caller passes the later time. */
async function fireDue({ listeners, engine }: RuntimeDeps, store: Store, at: Date): Promise<AddedAlert[]> {
  const publicUrl = engine.publicUrl()
  const find = (name: PolicyJob, triggerId: string) => findBound(listeners, name, triggerId)
  const { alerts, repeats, shown, locked, hasMore } = await fireDueStates(store, find, { now: at, publicUrl })
  const { added } = await recordAlerts(store, alerts, locked, at)
  await store.alertWrites.showNewest(shownContents(shown), at)
  await store.jobs.wakeLanes(await store.deliveries.addRepeats(repeats, at))
  if (hasMore) await store.jobs.add('policy', [{ data: { dueMs: at.getTime() } satisfies DueStatesJob }])
  return added
}

function findBound(listeners: RuntimeDeps['listeners'], { subscriptionId, ruleId }: PolicyJob, triggerId: string) {
  const trigger = listeners.trigger(triggerId)
  const listener = trigger?.listeners.get(`${subscriptionId}:${ruleId}`)
  return trigger && listener && { trigger, listener }
}

function boundListeners({ listeners }: RuntimeDeps, subscriptionId: string) {
  return listeners.listenersOf(subscriptionId).flatMap((listener) => {
    const trigger = listeners.trigger(listener.triggerId)
    return trigger ? { trigger, listener } : []
  })
}

async function writeResult(
  store: Store,
  name: PolicyJob,
  result: TimerResult,
  listenerOf: (triggerId: string) => Listener | undefined,
  at: Date,
): Promise<AddedAlert[]> {
  const alerts = result.alerts.flatMap(({ alert, deliveryKey }): AlertToRecord[] => {
    const listener = listenerOf(alert.trigger_id)
    return listener ? [{ listener, alert, policyKey: null, deliveryKey, isCollected: false, backfill: null }] : []
  })
  const added = alerts.length > 0 ? await lockAndRecord(store, name, alerts, at) : []
  if (result.next) await store.policyStates.saveAll([result.next], at)
  else await store.policyStates.removeAll([name])
  await store.jobs.add('policy', result.jobs)
  return added
}

/** Throws if the subscription or trigger was removed or paused meanwhile: then the job stays queued and fires again. */
async function lockAndRecord(
  store: Store,
  { subscriptionId }: PolicyJob,
  alerts: readonly AlertToRecord[],
  at: Date,
): Promise<AddedAlert[]> {
  const resources = alerts.flatMap(({ listener }) => listener.resources.map(({ id }) => id))
  const triggers = alerts.map(({ alert }) => alert.trigger_id)
  const locked = await store.alertWrites.lockRows({ subscriptions: [subscriptionId], triggers, resources, blocks: [] })
  if (!locked.subscriptions.has(subscriptionId) || triggers.some((id) => !locked.triggers.has(id)))
    throw new Error('the subscription or its trigger has just changed')
  return (await recordAlerts(store, alerts, locked, at)).added
}
