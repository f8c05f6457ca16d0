import type { AlertPolicy, Policy } from '@tocsin/contract'
import { makeIsoFormatter } from '../../../engine/base/iso-time.ts'
import { digestMessage, digestSeverity } from '../../../engine/message/index.ts'
import { periodEnd } from '../../../engine/policies/digest-period.ts'
import type { CollectedRow } from '../../../store/alerts/alert-writes.ts'
import type { StoredPolicy } from '../../../store/alerts/policy-states.ts'
import type { Store } from '../../../store/index.ts'
import type { NewJob } from '../../../store/jobs/jobs.ts'
import { digestId, jobId } from '../../jobs/ids.ts'
import type { PolicyJob } from '../../jobs/job.ts'
import type { Candidate, DraftAlert } from '../fan-out/candidate.ts'
import { alertWithoutItem, type BoundListener } from './alert-without-item.ts'
import { deliveryName, digestKey, nameOf } from './names.ts'

/** The row of a listener while its digest collects alerts. */
export type StoredDigest = { kind: 'digest'; triggerId: string }
/** The digests of listeners by their keys. */
export type Digests = Map<string, { isOpen: boolean }>

/** A digest names at most this many of its alerts. */
const collectedMax = 1_000

export async function loadDigests(store: Store, candidates: readonly Candidate[]): Promise<Digests> {
  const names = new Map(
    candidates.map(({ listener }) => [listener.key, { ...deliveryName(listener, digestKey), listener: listener.key }]),
  )
  const listeners = [...names.values()]
  const rows = await store.policyStates.findAll(listeners)
  // Another policy that the listener had before may have left a row.
  const open = new Set(rows.filter(({ state }) => state.kind === 'digest').map(nameOf))
  return new Map(listeners.map((name) => [name.listener, { isOpen: open.has(nameOf(name)) }]))
}

/** The first alert after a digest starts a new period and its timer. */
export function openDigest(
  { listener, alert }: Candidate,
  digests: Digests,
  now: Date,
): { states: StoredPolicy[]; jobs: NewJob[] } {
  const digest = digests.get(listener.key)
  if (!digest || digest.isOpen) return { states: [], jobs: [] }
  digest.isOpen = true
  const name = deliveryName(listener, digestKey)
  const dueAt = periodEnd(listener.policy, now)
  const state: StoredDigest = { kind: 'digest', triggerId: listener.triggerId }
  const data: PolicyJob = name
  const id = jobId('digest', nameOf(name), dueAt.getTime(), alert?.id ?? '')
  return { states: [{ ...name, state, dueAt }], jobs: [{ id, data, startAfter: dueAt }] }
}

/** One message for all alerts that wait; undefined if none does. It lists at most `max` of them. */
export async function takeDigest(
  store: Store,
  row: StoredPolicy,
  found: BoundListener,
  now: Date,
): Promise<DraftAlert | undefined> {
  const collected = await store.alertWrites.listCollected(row, collectedMax)
  return collected.length === 0 ? undefined : digestOf(store, found, collected, now)
}

async function digestOf(
  store: Store,
  found: BoundListener,
  collected: readonly CollectedRow[],
  now: Date,
): Promise<DraftAlert> {
  const { trigger, listener } = found
  const { policy } = listener
  const ids = collected.map(({ id }) => id)
  const id = digestId(listener.subscriptionId, listener.ruleId, ids)
  const { count, severities, since } = await store.alertWrites.setDigested(listener, id, now)
  const listed = policy?.type === 'digest' ? collected.slice(0, policy.max) : collected
  const alert = alertWithoutItem(found, now.getTime())
  return {
    ...alert,
    id,
    kind: 'digest',
    severity: digestSeverity(severities),
    message: digestMessage(
      trigger.title,
      listed.map(({ message }) => message),
      count,
    ),
    trace: {
      ...alert.trace,
      digest: ids,
      ...(policy?.type === 'digest' && { policy: digestPolicy(policy, since, count) }),
    },
  }
}

type DigestPolicy = Extract<Policy, { type: 'digest' }>
const isoOf = makeIsoFormatter()

function digestPolicy({ every, max }: DigestPolicy, since: Date, count: number): AlertPolicy {
  const bound = max === undefined ? {} : { bound: max }
  const within = every === undefined ? {} : { within: every }
  return { type: 'digest', ...bound, count, ...within, since: isoOf(since.getTime()) }
}
