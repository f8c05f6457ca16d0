/**
 * Policies decide which candidates become alerts, and when: throttle, monitor, digest, the policies with states (`states/`),
 * and the delivery mode (once, once for each key).
 */

import type { ChangedPolicy, StoredPolicy } from '../../../store/alerts/policy-states.ts'
import type { NewPolicyValue } from '../../../store/alerts/policy-values.ts'
import type { Store } from '../../../store/index.ts'
import type { NewJob } from '../../../store/jobs/jobs.ts'
import type { Listener } from '../../listeners/live-trigger.ts'
import type { Candidate } from '../fan-out/candidate.ts'
import type { AlertToRecord } from './alert-to-record.ts'
import { openDigest } from './digest.ts'
import { type LoadedPolicies, loadPolicies } from './load-policies.ts'
import { monitorWrites, passCandidate } from './monitor.ts'
import { deliveryName, nameOf, policyName } from './names.ts'
import { applyStates } from './states/index.ts'
import { throttleWrites } from './throttle.ts'

export type { AlertToRecord } from './alert-to-record.ts'
export { fireTimer, type TimerResult } from './fire-timer.ts'
export { policyLock } from './names.ts'
export { beginAbsences, fireDueStates } from './states/fire-due.ts'

/** `changed` are states of keys that were read without a lock. */
export type PolicyResult = {
  alerts: AlertToRecord[]
  states: StoredPolicy[]
  changed: ChangedPolicy[]
  values: NewPolicyValue[]
  jobs: NewJob[]
}

/** Runs in the transaction that records the alerts, which holds the locks of all keys until its commit. */
export async function applyPolicies(
  store: Store,
  candidates: readonly Candidate[],
  now: Date,
  publicUrl = '',
): Promise<PolicyResult> {
  const loaded = await loadPolicies(store, candidates)
  const mayDeliverNow = (listener: Listener, key: string | null, id: string) => mayDeliver(listener, key, id, loaded)
  const result: PolicyResult = {
    states: [],
    ...(await applyStates(store, candidates, mayDeliverNow, { now, publicUrl })),
  }
  const monitors = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const type = candidate.listener.policy?.type
    if (type === 'monitor') {
      monitors.set(nameOf(policyName(candidate)), candidate)
      result.alerts.push(...applyMonitor(candidate, loaded))
    } else if (type === 'digest') collect(candidate, loaded, result, now)
    else {
      const alert = applyThrottle(candidate, loaded)
      if (alert) result.alerts.push(alert)
    }
  }
  for (const candidate of monitors.values()) {
    const { states, jobs } = monitorWrites(candidate, loaded.monitors, now)
    result.states.push(...states)
    result.jobs.push(...jobs)
  }
  result.states.push(...throttleWrites(loaded.throttles))
  return result
}

/** Also handles listeners without a policy: then only the delivery mode decides. */
function applyThrottle(candidate: Candidate, loaded: LoadedPolicies): AlertToRecord | undefined {
  const { listener, alert, itemAtMs, deliveryKey } = candidate
  if (!alert) return undefined
  const isThrottled = listener.policy?.type === 'throttle'
  const throttle = isThrottled ? loaded.throttles.get(nameOf(policyName(candidate)))?.throttle : undefined
  const mayPass = throttle?.mayPass(itemAtMs, alert.id) ?? true
  if (mayPass && !mayDeliver(listener, deliveryKey, alert.id, loaded)) return undefined
  if (!mayPass) {
    throttle?.suppress(itemAtMs, candidate.block)
    return undefined
  }
  const decided = throttle?.pass(itemAtMs, alert.id, candidate.block)
  const told = decided && candidate.withPolicy ? candidate.withPolicy(decided) : alert
  const policyKey = throttle ? candidate.policyKey : null
  return { listener, alert: told, policyKey, deliveryKey, isCollected: false, backfill: candidate.backfill }
}

function applyMonitor(candidate: Candidate, loaded: LoadedPolicies): AlertToRecord[] {
  const { listener, backfill } = candidate
  return passCandidate(candidate, loaded.monitors)
    .filter((fired) => mayDeliver(listener, fired.deliveryKey, fired.alert.id, loaded))
    .map((fired) => ({ listener, ...fired, policyKey: null, isCollected: false, backfill }))
}

/** With the mode once, or once for each key, a key gets no second alert while its first one is not retracted. */
function mayDeliver(listener: Listener, key: string | null, id: string, loaded: LoadedPolicies): boolean {
  if (key === null) return true
  const name = nameOf(deliveryName(listener, key))
  const deliveredId = loaded.delivered.get(name)
  if (deliveredId !== undefined && deliveredId !== id) return false
  loaded.delivered.set(name, id)
  return true
}

/** Records the alert for its digest. One of a history that is not delivered is only listed. */
function collect(candidate: Candidate, loaded: LoadedPolicies, result: PolicyResult, now: Date): void {
  const { listener, alert, deliveryKey, backfill } = candidate
  if (!alert || !mayDeliver(listener, deliveryKey, alert.id, loaded)) return
  const isCollected = backfill?.delivers ?? true
  result.alerts.push({ listener, alert, policyKey: null, deliveryKey, isCollected, backfill })
  if (!isCollected) return
  const { states, jobs } = openDigest(candidate, loaded.digests, now)
  result.states.push(...states)
  result.jobs.push(...jobs)
}
