import { digestMessage } from '../../../engine/message/index.ts'
import type { CollectedRow } from '../../../store/alerts/alert-writes.ts'
import type { StoredPolicy } from '../../../store/alerts/policy-states.ts'
import type { Store } from '../../../store/index.ts'
import type { NewJob } from '../../../store/jobs/jobs.ts'
import { digestId } from '../../jobs/ids.ts'
import type { PolicyJob } from '../../jobs/job.ts'
import type { Listener, LiveTrigger } from '../../listeners/listener.ts'
import type { DraftAlert } from '../fan-out/candidate.ts'
import { findUndone, readMonitor, type StoredDigest, type StoredMonitor } from './memory.ts'
import { marksOf, passTime, takeBackMonitor } from './monitor.ts'
import { deliveryName, durationMs, policyLock } from './names.ts'

/** What a moment that a policy waited for brings. */
export type Woken = {
  alerts: { alert: DraftAlert; deliveryKey: string | null }[]
  /** Alerts that went out in another. */
  digested: { id: string; collected: string[] }[]
  /** As it is from now on; null: nothing is waited for any more. */
  next: StoredPolicy | null
  jobs: NewJob[]
}
export type Ear = { trigger: LiveTrigger; listener: Listener }

const collectedMax = 1_000
/** A subscription that is paused, or whose source is down, is looked at again after so long. */
const absentMs = 60_000

/**
 * Inside the transaction that records it. A moment that was waited for and is no longer of use does nothing: something
 * else happened first.
 */
export async function wake(
  store: Store,
  name: PolicyJob,
  earOf: (triggerId: string) => Ear | undefined,
  now: Date,
): Promise<Woken | undefined> {
  await store.alertWrites.lockKeys([policyLock(name)])
  const [row] = await store.policyStates.findAll([name])
  if (!row) return undefined
  const kept = row.state as StoredMonitor | StoredDigest
  const ear = earOf(kept.triggerId)
  if (kept.kind === 'digest') return ear ? wakeDigest(store, row, ear, now) : later(row, now)
  return ear ? wakeMonitor(store, row, ear, now) : nothing
}

const nothing: Woken = { alerts: [], digested: [], next: null, jobs: [] }

function later(row: StoredPolicy, now: Date): Woken {
  return { ...nothing, ...again(row, new Date(now.getTime() + absentMs)) }
}

async function wakeMonitor(store: Store, row: StoredPolicy, { listener }: Ear, now: Date): Promise<Woken | undefined> {
  const kept = readMonitor(row)
  if (!kept || listener.policy?.type !== 'monitor') return nothing
  const state = takeBackMonitor(kept.state, await findUndone(store, marksOf(kept.state)))
  const { now: phase } = state
  // The warm-up that was waited for is over, or another has begun, which has a moment of its own.
  if (phase.phase !== 'warmup' || phase.seed.alert.id !== kept.due?.seedId || kept.due.at > now) return undefined
  const lengths = { forMs: durationMs(listener.policy.for), cooldownMs: durationMs(listener.policy.cooldown) }
  const step = passTime(state, phase.sinceMs + lengths.forMs, lengths, null)
  const alerts = await notDelivered(store, listener, step.fired)
  const stored: StoredMonitor = { kind: 'monitor', triggerId: listener.triggerId, monitor: step.state }
  return { ...nothing, alerts, next: { ...row, state: stored, dueAt: null } }
}

async function notDelivered(store: Store, listener: Listener, fired: Woken['alerts']): Promise<Woken['alerts']> {
  const names = fired.flatMap(({ deliveryKey }) => (deliveryKey === null ? [] : [deliveryName(listener, deliveryKey)]))
  if (names.length > 0) await store.alertWrites.lockKeys([`delivery ${listener.key}`])
  const delivered = new Map((await store.alertWrites.listDelivered(names)).map((one) => [one.key, one.id]))
  return fired.filter(({ alert, deliveryKey }) => {
    const made = deliveryKey === null ? undefined : delivered.get(deliveryKey)
    return made === undefined || made === alert.id
  })
}

/** When its time has come, or when it is full. A policy that is no digest any more waits for nothing. */
async function wakeDigest(store: Store, row: StoredPolicy, ear: Ear, now: Date): Promise<Woken> {
  const { policy } = ear.listener
  const most = (policy?.type === 'digest' ? policy.max : undefined) ?? collectedMax
  const isDue = policy?.type !== 'digest' || row.dueAt === null || row.dueAt <= now
  const waiting = await store.alertWrites.listCollected(row, collectedMax)
  const rounds = Math[isDue ? 'ceil' : 'floor'](waiting.length / most)
  const groups = Array.from({ length: rounds }, (_, at) => waiting.slice(at * most, (at + 1) * most))
  const made = groups.map((group) => digestOf(ear, group, now))
  const woken: Woken = {
    alerts: made.map((alert) => ({ alert, deliveryKey: null })),
    digested: made.map(({ id }, at) => ({ id, collected: (groups[at] ?? []).map((one) => one.id) })),
    next: null,
    jobs: [],
  }
  if (waiting.length === collectedMax) return { ...woken, ...again(row, now) }
  if (waiting.length === rounds * most) return woken
  return { ...woken, ...(rounds > 0 ? anew(row, ear, now) : { next: row }) }
}

/** There may be more than was looked at. */
function again(row: StoredPolicy, dueAt: Date): Pick<Woken, 'next' | 'jobs'> {
  const { subscriptionId, ruleId, key } = row
  return { next: { ...row, dueAt }, jobs: [{ data: { subscriptionId, ruleId, key }, startAfter: dueAt }] }
}

/** What is left begins a period of its own. */
function anew(row: StoredPolicy, { listener }: Ear, now: Date): Pick<Woken, 'next' | 'jobs'> {
  const everyMs = listener.policy?.type === 'digest' ? durationMs(listener.policy.every) : 0
  return again(row, new Date(now.getTime() + everyMs))
}

function digestOf({ trigger, listener }: Ear, collected: readonly CollectedRow[], now: Date): DraftAlert {
  const ids = collected.map(({ id }) => id)
  const messages = collected.map(({ message }) => message)
  return {
    id: digestId(listener.subscriptionId, listener.ruleId, ids),
    kind: 'digest',
    subscription_id: listener.subscriptionId,
    rule_id: listener.ruleId,
    account_id: listener.accountId,
    workspace_id: listener.workspaceId,
    project_id: listener.projectId,
    trigger_id: trigger.id,
    project: trigger.project,
    trigger: trigger.fullname,
    source: null,
    block_number: null,
    block_hash: null,
    incarnation: null,
    item_at: now.toISOString(),
    message: digestMessage(trigger.title, messages),
    trace: { item: null, inputs: listener.inputs, providers: {}, activated: true, raw: null, human: null, digest: ids },
  }
}
