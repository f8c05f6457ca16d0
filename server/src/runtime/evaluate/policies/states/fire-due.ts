import { isStatePolicy } from '@tocsin/contract'
import { compiledListener } from '../../../../engine/fan-out/index.ts'
import type { AbsenceId } from '../../../../engine/policies/key-state.ts'
import type { ReadTo } from '../../../../engine/policies/read-to.ts'
import { rulesOf } from '../../../../engine/policies/state-policies.ts'
import type { LockedRows } from '../../../../store/alerts/alert-writes.ts'
import type { PolicyName, VersionedPolicy } from '../../../../store/alerts/policy-states.ts'
import type { Store } from '../../../../store/index.ts'
import { absenceAlertId } from '../../../jobs/ids.ts'
import type { AlertToRecord } from '../alert-to-record.ts'
import type { BoundListener } from '../alert-without-item.ts'
import { loadReadTo } from '../load-read-to.ts'
import { deliveryName, nameOf } from '../names.ts'
import { shownOf } from './event-alerts.ts'
import { alertsOf, type CausedEvent, type MayDeliver } from './index.ts'
import { dueJob, type LoadedState, loadedOf, type StoredKeyState, settleStates, writesOf } from './stored-state.ts'

export type FindListener = (name: PolicyName, triggerId: string) => BoundListener | undefined
/** The rows that the alerts refer to must be locked before the caller records them. */
export type DueResult = {
  alerts: AlertToRecord[]
  repeats: { alertId: string; repeat: number }[]
  /** What repeated alerts show from now on. */
  shown: (ReturnType<typeof shownOf> & { id: string })[]
  locked: LockedRows
  hasMore: boolean
}
type DueState = BoundListener & { loaded: LoadedState }

const dueMax = 500
/** The timer of a listener that is not live (paused, or its trigger is gone) fires again after this time. */
const notLiveRetryMs = 600_000
/** While a history runs, its items come later than the clock says; its timers fire again after this time. */
const historyRetryMs = 10_000

/** Handles all states that are due, in the transaction that records the alerts. It stores the next states. */
export async function fireDueStates(
  store: Store,
  findListener: FindListener,
  { now, publicUrl }: { now: Date; publicUrl: string },
): Promise<DueResult> {
  const rows = await store.policyStates.takeDue(now, dueMax)
  const { due, locked } = await lockDue(store, rows, findListener)
  await settleStates(
    store,
    due.map(({ loaded }) => loaded),
  )
  const readTo = await loadReadTo(
    store,
    due.map(({ trigger }) => trigger),
    now,
    'evaluate-ordered',
  )
  const events = due.flatMap((one) => passTime(one, readTo(one.trigger.id), publicUrl))
  const alerts = await alertsOf(store, events, await loadMayDeliver(store, events))
  const { states, jobs } = writesOf(
    due.map(({ loaded }) => loaded),
    now,
    true,
  )
  await postpone(
    store,
    rows.filter((row) => !due.some(({ loaded }) => isSameName(loaded.name, row))),
    (row) => findListener(row, triggerOf(row))?.listener.history !== undefined,
    now,
  )
  await store.policyStates.changeAll(states, now)
  await store.jobs.add('policy', jobs)
  const repeats = events.flatMap(({ event }) =>
    event.kind === 'repeated' ? { alertId: event.id, repeat: event.repeat } : [],
  )
  const shown = events.flatMap(({ event }) =>
    event.kind === 'repeated' && event.newest ? [{ id: event.id, ...shownOf(event.newest.alert) }] : [],
  )
  return { alerts, repeats, shown, locked, hasMore: rows.length === dueMax }
}

/** The due states whose listener is live, with the rows that their alerts refer to. */
async function lockDue(
  store: Store,
  rows: readonly VersionedPolicy[],
  findListener: FindListener,
): Promise<{ due: DueState[]; locked: LockedRows }> {
  const found = rows.flatMap((row): DueState[] => {
    const bound = findListener(row, triggerOf(row))
    const policy = bound?.listener.policy ?? null
    return bound && !bound.listener.history && isStatePolicy(policy)
      ? [{ ...bound, loaded: loadedOf(row, bound.listener, policy, row) }]
      : []
  })
  const locked = await store.alertWrites.lockRows({
    subscriptions: [...new Set(found.map(({ listener }) => listener.subscriptionId))],
    triggers: [...new Set(found.map(({ trigger }) => trigger.id))],
    resources: [...new Set(found.flatMap(({ listener }) => listener.resources.map(({ id }) => id)))],
    blocks: [],
  })
  const isLive = ({ listener, trigger }: DueState) =>
    locked.subscriptions.has(listener.subscriptionId) && locked.triggers.has(trigger.id)
  return { due: found.filter(isLive), locked }
}

function passTime({ loaded, listener, trigger }: DueState, read: ReadTo, publicUrl: string): CausedEvent[] {
  const absenceId: AbsenceId = (last) => absenceAlertId(loaded.name, last)
  const step = rulesOf(loaded.policy).machine?.passTime(loaded.state, read, absenceId)
  if (!step) return []
  loaded.state = step.state
  const cause = { trigger, listener, publicUrl }
  const deliveryKey = compiledListener(trigger, listener).deliveryKey(null)
  return step.events.map((event) => ({ loaded, event, cause, deliveryKey }))
}

/** With the mode once, or once for each key, a key gets no second alert. */
async function loadMayDeliver(store: Store, events: readonly CausedEvent[]): Promise<MayDeliver> {
  const names = events.flatMap(({ event, cause: { listener }, deliveryKey: own }) => {
    const key = event.kind === 'fired' && event.by === 'seed' ? event.seed.deliveryKey : own
    return event.kind === 'fired' && key !== null ? deliveryName(listener, key) : []
  })
  await store.alertWrites.lockKeys(names.map((name) => `delivery ${nameOf(name)}`))
  const delivered = new Map((await store.alertWrites.listDelivered(names)).map(({ id, ...name }) => [nameOf(name), id]))
  return (listener, key, id) => {
    const deliveredId = key === null ? undefined : delivered.get(nameOf(deliveryName(listener, key)))
    return deliveredId === undefined || deliveredId === id
  }
}

/** The policy changed, or the listener is not live: its state waits. */
async function postpone(
  store: Store,
  rows: readonly VersionedPolicy[],
  isInHistory: (row: VersionedPolicy) => boolean,
  now: Date,
): Promise<void> {
  if (rows.length === 0) return
  const dueMsOf = (row: VersionedPolicy) => now.getTime() + (isInHistory(row) ? historyRetryMs : notLiveRetryMs)
  await store.policyStates.changeAll(
    rows.map((row) => ({ ...row, dueAt: new Date(dueMsOf(row)) })),
    now,
  )
  await store.jobs.add('policy', [...new Set(rows.map(dueMsOf))].map(dueJob))
}

function triggerOf({ state }: VersionedPolicy): string {
  return (state as StoredKeyState).triggerId
}

function isSameName(a: PolicyName, b: PolicyName): boolean {
  return a.subscriptionId === b.subscriptionId && a.ruleId === b.ruleId && a.key === b.key
}

/** A subscription was saved or resumed: the time without an output counts from now for listeners without a key. */
export async function beginAbsences(store: Store, listeners: readonly BoundListener[], now: Date): Promise<void> {
  const wanted = listeners.flatMap(({ listener }) => {
    const { policy, subscriptionId, ruleId } = listener
    if (!isStatePolicy(policy) || policy.key !== undefined) return []
    const { begin } = rulesOf(policy)
    return begin ? { listener, policy, begin, name: { subscriptionId, ruleId, key: '' } } : []
  })
  const rows = await store.policyStates.findAll(wanted.map(({ name }) => name))
  const loaded = wanted.map(({ listener, policy, begin, name }) => {
    const one = loadedOf(
      name,
      listener,
      policy,
      rows.find((row) => isSameName(row, name)),
    )
    return { ...one, state: begin(one.state, now.getTime()) }
  })
  const { states, jobs } = writesOf(loaded, now)
  await store.policyStates.changeAll(states, now)
  await store.jobs.add('policy', jobs)
}
