/** Policies with a state for each key. `key-state.ts` explains the states, `state-policies.ts` lists the policies. */

import { isStatePolicy } from '@tocsin/contract'
import { readDecimal, showDecimal } from '../../../../engine/base/decimals.ts'
import type { Firing, NewOutput, PolicyEvent } from '../../../../engine/policies/key-state.ts'
import { alertPolicy, rulesOf } from '../../../../engine/policies/state-policies.ts'
import type { ChangedPolicy } from '../../../../store/alerts/policy-states.ts'
import type { NewPolicyValue } from '../../../../store/alerts/policy-values.ts'
import type { Store } from '../../../../store/index.ts'
import type { NewJob } from '../../../../store/jobs/jobs.ts'
import { absenceAlertId } from '../../../jobs/ids.ts'
import type { Listener } from '../../../listeners/live-trigger.ts'
import type { Candidate, CandidateOutput, DraftAlert } from '../../fan-out/candidate.ts'
import type { AlertToRecord, KeySeed } from '../alert-to-record.ts'
import { nameOf, policyName } from '../names.ts'
import { type EventCause, firingAlert, resolvedAlert } from './event-alerts.ts'
import { type LoadedState, loadedOf, settleStates, writesOf } from './stored-state.ts'

export type StatesResult = {
  alerts: AlertToRecord[]
  changed: ChangedPolicy[]
  values: NewPolicyValue[]
  jobs: NewJob[]
}
/** An event of a key, with what caused it. */
export type CausedEvent = {
  loaded: LoadedState
  event: PolicyEvent<KeySeed>
  cause: EventCause
  deliveryKey: string | null
}
/** False if the delivery mode suppresses the alert. */
export type MayDeliver = (listener: Listener, deliveryKey: string | null, id: string) => boolean

/** Steps the states of all candidates that have one, in their order, and makes the alerts of what happens. */
export async function applyStates(
  store: Store,
  candidates: readonly Candidate[],
  mayDeliver: MayDeliver,
  { now, publicUrl }: { now: Date; publicUrl: string },
): Promise<StatesResult> {
  const withOutput = candidates.flatMap((candidate) =>
    candidate.output ? { candidate, output: candidate.output } : [],
  )
  if (withOutput.length === 0) return { alerts: [], changed: [], values: [], jobs: [] }
  const loaded = await loadStates(
    store,
    withOutput.map(({ candidate }) => candidate),
  )
  const events: CausedEvent[] = []
  const values: NewPolicyValue[] = []
  for (const { candidate, output } of withOutput) {
    const one = loaded.get(nameOf(policyName(candidate)))
    const machine = one && rulesOf(one.policy).machine
    if (!one || !machine) continue
    const step = machine.step(one.state, newOutput(candidate, output, now.getTime()))
    const isQuiet = step.state === one.state && step.state.now.phase === 'quiet'
    one.state = step.state
    const value = comparedValue(one, candidate, output, isQuiet)
    if (value) values.push(value)
    const { listener, backfill } = candidate
    const cause = { trigger: output.trigger, listener, output, publicUrl, backfill }
    for (const event of step.events) events.push({ loaded: one, event, cause, deliveryKey: candidate.deliveryKey })
  }
  const alerts = await alertsOf(store, events, mayDeliver)
  const { states, jobs } = writesOf(loaded.values(), now)
  return { alerts, changed: states, values, jobs }
}

async function loadStates(store: Store, candidates: readonly Candidate[]): Promise<Map<string, LoadedState>> {
  const keys = new Map(candidates.map((candidate) => [nameOf(policyName(candidate)), candidate]))
  const rows = await store.policyStates.findAll([...keys.values()].map(policyName))
  const rowOf = new Map(rows.map((row) => [nameOf(row), row]))
  const loaded = new Map<string, LoadedState>()
  for (const [name, candidate] of keys) {
    const { listener } = candidate
    if (isStatePolicy(listener.policy))
      loaded.set(name, loadedOf(policyName(candidate), listener, listener.policy, rowOf.get(name)))
  }
  await settleStates(store, [...loaded.values()])
  return loaded
}

function newOutput(candidate: Candidate, output: CandidateOutput, nowMs: number): NewOutput<KeySeed> {
  const { itemAtMs, block, deliveryKey, listener, policyKey } = candidate
  return {
    atMs: itemAtMs,
    seenMs: nowMs,
    value: output.value,
    mark: block,
    id: output.alertId,
    seed: (details) => ({
      id: output.alertId,
      alert: output.draft(alertPolicy(listener.policy, details)),
      deliveryKey,
    }),
    absenceId: (last) => absenceAlertId({ ...listener, key: policyKey }, last),
  }
}

/** The alerts of the events, in their order. */
export async function alertsOf(
  store: Store,
  events: readonly CausedEvent[],
  mayDeliver: MayDeliver,
): Promise<AlertToRecord[]> {
  const fired = new Map<string, Pick<DraftAlert, 'message' | 'severity'>>()
  const resolvedIds = events.flatMap(({ event }) => (event.kind === 'resolved' ? (event.firing.id ?? []) : []))
  for (const { id, ...row } of await store.alertWrites.listFiring(resolvedIds)) fired.set(id, row)
  const suppressed = new Set<string>()
  return events.flatMap((caused): AlertToRecord[] => {
    const { event, cause } = caused
    const { listener, backfill = null } = cause
    const policyKey = caused.loaded.name.key
    if (event.kind === 'unreadable') noteUnreadable(cause)
    if (event.kind === 'resolved') {
      const { id } = event.firing
      if (id === null || suppressed.has(id)) return []
      const alert = resolvedAlert(event, id, cause, fired.get(id))
      return [{ listener, alert, policyKey, deliveryKey: null, isCollected: false, backfill }]
    }
    const alert = newAlert(event, cause)
    if (!alert) return []
    const deliveryKey = event.kind === 'fired' && event.by === 'seed' ? event.seed.deliveryKey : caused.deliveryKey
    if (!mayDeliver(listener, deliveryKey, alert.id)) {
      suppressed.add(alert.id)
      forgetFiring(caused.loaded, alert.id)
      return []
    }
    fired.set(alert.id, alert)
    return [{ listener, alert, policyKey, deliveryKey, isCollected: false, backfill }]
  })
}

function newAlert(event: PolicyEvent<KeySeed>, cause: EventCause): DraftAlert | undefined {
  if (event.kind === 'changed') return cause.output?.draft(alertPolicy(cause.listener.policy, event.details))
  return event.kind === 'fired' ? firingAlert(event, cause) : undefined
}

/** A firing alert that the delivery mode suppressed is not resolved or repeated either. */
function forgetFiring(loaded: LoadedState, id: string): void {
  const { now } = loaded.state
  if (now.phase !== 'firing' || now.id !== id) return
  const silent: Firing = { ...now, id: null }
  loaded.state = { ...loaded.state, now: silent }
}

function noteUnreadable({ listener: { policy }, output }: EventCause): void {
  const path = policy && 'value' in policy ? policy.value : ''
  output?.onIssue(output.whyNoValue ?? `policy.value "${path}" is not a number in the output`)
}

/** While nothing happens, a key stores at most one value in this time: most values of most keys are read by nobody. */
const quietSlotMs = 60_000

/**
 * The value that a policy compared, for the chart of its alerts; undefined if the policy compares none. `isQuiet`: the
 * output changed nothing and the policy does not fire.
 */
function comparedValue(
  { name, policy, state }: LoadedState,
  { itemAtMs, block }: Candidate,
  output: CandidateOutput,
  isQuiet: boolean,
): NewPolicyValue | undefined {
  const { compared } = rulesOf(policy)
  const value = 'value' in policy ? show(compared ? compared(state) : output.value) : null
  if (value === null) return undefined
  const slotMs = isQuiet ? Math.floor(itemAtMs / quietSlotMs) * quietSlotMs : itemAtMs
  return { ...name, ...boundsOf(policy), slot: new Date(slotMs), at: new Date(itemAtMs), value, block }
}

function boundsOf(policy: LoadedState['policy']): Pick<NewPolicyValue, 'bound' | 'until'> {
  const { bounds } = rulesOf(policy)
  return { bound: show(bounds?.bound), until: show(bounds?.until) }
}

function show(value: unknown): string | null {
  const decimal = readDecimal(value)
  return decimal === undefined ? null : showDecimal(decimal)
}
