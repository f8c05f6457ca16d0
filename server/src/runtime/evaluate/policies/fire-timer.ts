import { periodEnd } from '../../../engine/policies/digest-period.ts'
import { lengthsOf, marksOf, passTime, undoMonitor } from '../../../engine/policies/monitor.ts'
import { decideAgainMs, hasPassed } from '../../../engine/policies/read-to.ts'
import type { StoredPolicy } from '../../../store/alerts/policy-states.ts'
import type { Store } from '../../../store/index.ts'
import type { NewJob } from '../../../store/jobs/jobs.ts'
import type { PolicyJob } from '../../jobs/job.ts'
import type { Listener } from '../../listeners/live-trigger.ts'
import type { DraftAlert } from '../fan-out/candidate.ts'
import type { BoundListener } from './alert-without-item.ts'
import { type StoredDigest, takeDigest } from './digest.ts'
import { findUndone } from './load-policies.ts'
import { loadReadTo } from './load-read-to.ts'
import { readMonitor, type StoredMonitor } from './monitor.ts'
import { deliveryName, policyLock } from './names.ts'

/** The result when a policy's timer fires. */
export type TimerResult = {
  alerts: { alert: DraftAlert; deliveryKey: string | null }[]
  /** The next policy state; null if the policy waits for nothing. */
  next: StoredPolicy | null
  jobs: NewJob[]
}
export type TimerListener = BoundListener

/** The timer of a listener that is not live (paused, or its source is down) fires again after this time. */
const notLiveRetryMs = 60_000

/**
 * Runs in the transaction that records the alerts. Returns undefined if the timer is obsolete, because an item or another
 * timer changed the policy first.
 */
export async function fireTimer(
  store: Store,
  name: PolicyJob,
  findListener: (triggerId: string) => TimerListener | undefined,
  now: Date,
): Promise<TimerResult | undefined> {
  await store.alertWrites.lockKeys([policyLock(name)])
  const [row] = await store.policyStates.findAll([name])
  if (!row) return undefined
  const stored = row.state as StoredMonitor | StoredDigest
  const found = findListener(stored.triggerId)
  // The items of a history come later than the clock says: one of them may end the warm-up.
  if (stored.kind === 'monitor' && found?.listener.history) return retryLater(row, now)
  if (stored.kind === 'digest') return found ? fireDigest(store, row, found, now) : retryLater(row, now)
  return found ? fireMonitor(store, row, found, now) : emptyResult
}

const emptyResult: TimerResult = { alerts: [], next: null, jobs: [] }

function retryLater(row: StoredPolicy, now: Date): TimerResult {
  return { ...emptyResult, ...withTimer(row, new Date(now.getTime() + notLiveRetryMs)) }
}

async function fireMonitor(
  store: Store,
  row: StoredPolicy,
  { listener, trigger }: TimerListener,
  now: Date,
): Promise<TimerResult | undefined> {
  const monitor = readMonitor(row)
  if (!monitor || listener.policy?.type !== 'monitor') return emptyResult
  const state = undoMonitor(monitor.state, await findUndone(store, marksOf(monitor.state)))
  const { now: phase } = state
  // The warm-up of this timer has ended, or another one has started, which has its own timer.
  if (phase.phase !== 'warmup' || phase.seed.alert.id !== monitor.due?.seedId || monitor.due.at > now) return undefined
  const readTo = await loadReadTo(store, [trigger], now, 'evaluate')
  const lengths = lengthsOf(listener.policy)
  const since = { atMs: phase.sinceMs, seenMs: monitor.due.at.getTime() - lengths.forMs }
  if (!hasPassed(since, lengths.forMs, readTo(trigger.id))) return decideLater(row, monitor.due.at, now)
  const step = passTime(state, phase.sinceMs + lengths.forMs, lengths, null)
  const alerts = await notDelivered(store, listener, step.fired)
  const stored: StoredMonitor = { kind: 'monitor', triggerId: listener.triggerId, monitor: step.state }
  return { ...emptyResult, alerts, next: { ...row, state: stored, dueAt: null } }
}

/** The blocks that may end the warm-up are not read yet. The row keeps its time, by which the timer of a warm-up is known. */
function decideLater(row: StoredPolicy, dueAt: Date, now: Date): TimerResult {
  const { subscriptionId, ruleId, key } = row
  const startAfter = new Date(decideAgainMs(dueAt.getTime(), now.getTime()))
  return { ...emptyResult, next: row, jobs: [{ data: { subscriptionId, ruleId, key }, startAfter }] }
}

async function notDelivered(
  store: Store,
  listener: Listener,
  fired: TimerResult['alerts'],
): Promise<TimerResult['alerts']> {
  const names = fired.flatMap(({ deliveryKey }) => (deliveryKey === null ? [] : [deliveryName(listener, deliveryKey)]))
  if (names.length > 0) await store.alertWrites.lockKeys([`delivery ${listener.key}`])
  const delivered = new Map((await store.alertWrites.listDelivered(names)).map(({ key, id }) => [key, id]))
  return fired.filter(({ alert, deliveryKey }) => {
    const deliveredId = deliveryKey === null ? undefined : delivered.get(deliveryKey)
    return deliveredId === undefined || deliveredId === alert.id
  })
}

/** Sends the digest if it is due. A listener whose policy is no longer a digest gets the rest at once. */
async function fireDigest(store: Store, row: StoredPolicy, found: TimerListener, now: Date): Promise<TimerResult> {
  const { policy, delivery } = found.listener
  const isDue = policy?.type !== 'digest' || row.dueAt === null || row.dueAt <= now
  if (!isDue) return { ...emptyResult, next: row }
  const digest = await takeDigest(store, row, found, now)
  const alerts = digest ? [{ alert: digest, deliveryKey: null }] : []
  // Alerts whose blocks are not final enough yet are collected later, and belong to the next digest.
  const hasMore = delivery.finality !== undefined && (await store.waitingAlerts.hasForDigest(row))
  return { ...emptyResult, alerts, ...(hasMore && withTimer(row, periodEnd(policy, now))) }
}

function withTimer(row: StoredPolicy, dueAt: Date): Pick<TimerResult, 'next' | 'jobs'> {
  const { subscriptionId, ruleId, key } = row
  return { next: { ...row, dueAt }, jobs: [{ data: { subscriptionId, ruleId, key }, startAfter: dueAt }] }
}
