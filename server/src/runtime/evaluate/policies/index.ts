/** When a match becomes a delivery: filter, throttle, monitor, digest, and how often each subscription is told. */

import type { StoredPolicy } from '../../../store/alerts/policy-states.ts'
import type { Store } from '../../../store/index.ts'
import type { NewJob } from '../../../store/jobs/jobs.ts'
import { jobId } from '../../jobs/ids.ts'
import type { PolicyJob } from '../../jobs/job.ts'
import type { Listener } from '../../listeners/listener.ts'
import type { Candidate, DraftAlert } from '../fan-out/candidate.ts'
import { type Memory, remember, type Seed, type StoredDigest, type StoredMonitor } from './memory.ts'
import { stepMonitor } from './monitor.ts'
import { deliveryName, digestKey, durationMs, nameOf, policyName } from './names.ts'

export { policyLock } from './names.ts'
export { type Woken, wake } from './wake.ts'

/** An alert that goes out, or waits for its digest. */
export type Passed = {
  listener: Listener
  alert: DraftAlert
  policyKey: string | null
  deliveryKey: string | null
  isCollected: boolean
}
export type Judged = { passed: Passed[]; states: StoredPolicy[]; jobs: NewJob[] }

/** Inside the transaction that records what passes: it holds the locks of all keys until then. */
export async function judge(store: Store, candidates: readonly Candidate[], now: Date): Promise<Judged> {
  const memory = await remember(store, candidates)
  const judged: Judged = { passed: [], states: [], jobs: [] }
  const touched = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const type = candidate.listener.policy?.type
    if (type === 'monitor') {
      touched.set(nameOf(policyName(candidate)), candidate)
      judged.passed.push(...monitored(candidate, memory))
    } else if (type === 'digest') collect(candidate, memory, judged, now)
    else judged.passed.push(...filtered(candidate, memory))
  }
  for (const candidate of touched.values()) keepMonitor(candidate, memory, judged, now)
  return judged
}

function filtered(candidate: Candidate, memory: Memory): Passed[] {
  const { listener, alert, itemAtMs, deliveryKey } = candidate
  if (!alert) return []
  const name = nameOf(policyName(candidate))
  const throttle = listener.policy?.type === 'throttle' ? memory.throttles.get(name) : undefined
  if (throttle && !throttle.mayPass(itemAtMs, alert.id)) return []
  if (!mayDeliver(listener, deliveryKey, alert.id, memory)) return []
  throttle?.pass(itemAtMs, alert.id)
  return [{ listener, alert, policyKey: throttle ? candidate.policyKey : null, deliveryKey, isCollected: false }]
}

function monitored(candidate: Candidate, memory: Memory): Passed[] {
  const { listener, alert, itemAtMs, deliveryKey, block } = candidate
  const { policy } = listener
  const name = nameOf(policyName(candidate))
  const kept = memory.monitors.get(name)
  if (policy?.type !== 'monitor' || !kept) return []
  const lengths = { forMs: durationMs(policy.for), cooldownMs: durationMs(policy.cooldown) }
  const seed: Seed | null = alert && { alert, deliveryKey }
  const step = stepMonitor(kept.state, { atMs: itemAtMs, seed, mark: block }, lengths)
  kept.state = step.state
  return step.fired
    .filter((fired) => mayDeliver(listener, fired.deliveryKey, fired.alert.id, memory))
    .map((fired) => ({ listener, ...fired, policyKey: null, isCollected: false }))
}

/** Once, or once for each key: what an alert that still stands was made for is not told again. */
function mayDeliver(listener: Listener, key: string | null, id: string, memory: Memory): boolean {
  if (key === null) return true
  const name = nameOf(deliveryName(listener, key))
  const made = memory.delivered.get(name)
  if (made !== undefined && made !== id) return false
  memory.delivered.set(name, id)
  return true
}

/** The clock on the wall wakes a warm-up that no further item ends: as long after it began here as it is to last. */
function keepMonitor(candidate: Candidate, memory: Memory, judged: Judged, now: Date): void {
  const { listener } = candidate
  const name = policyName(candidate)
  const kept = memory.monitors.get(nameOf(name))
  if (!kept || listener.policy?.type !== 'monitor') return
  const { now: phase } = kept.state
  const seedId = phase.phase === 'warmup' ? phase.seed.alert.id : undefined
  const isNew = seedId !== undefined && seedId !== kept.due?.seedId
  const dueAt = isNew ? new Date(now.getTime() + durationMs(listener.policy.for)) : (kept.due?.at ?? null)
  const state: StoredMonitor = { kind: 'monitor', triggerId: listener.triggerId, monitor: kept.state }
  judged.states.push({ ...name, state, dueAt: seedId === undefined ? null : dueAt })
  const data: PolicyJob = name
  if (isNew && dueAt) judged.jobs.push({ id: jobId('monitor', nameOf(name), seedId), data, startAfter: dueAt })
}

/** The first since the last digest opens the period; one that fills it is not waited with. */
function collect(candidate: Candidate, memory: Memory, judged: Judged, now: Date): void {
  const { listener, alert, deliveryKey } = candidate
  const digest = memory.digests.get(listener.key)
  if (!alert || listener.policy?.type !== 'digest' || !digest) return
  if (!mayDeliver(listener, deliveryKey, alert.id, memory)) return
  judged.passed.push({ listener, alert, policyKey: null, deliveryKey, isCollected: true })
  digest.count++
  const name = deliveryName(listener, digestKey)
  const data: PolicyJob = name
  if (!digest.isOpen) {
    const dueAt = new Date(now.getTime() + durationMs(listener.policy.every))
    const state: StoredDigest = { kind: 'digest', triggerId: listener.triggerId }
    judged.states.push({ ...name, state, dueAt })
    judged.jobs.push({ id: jobId('digest', nameOf(name), dueAt.getTime(), alert.id), data, startAfter: dueAt })
    digest.isOpen = true
  }
  if (digest.count === listener.policy.max) judged.jobs.push({ id: jobId('digest full', nameOf(name), alert.id), data })
}
