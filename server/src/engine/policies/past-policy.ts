/**
 * What a policy would have told of past outputs, by the times of their blocks. It runs the functions of the live loop on states
 * in memory, one for each key. Timers of a key fire before its next output, or at the end: their events name the time at which
 * the live loop would have been right to tell them. It costs O(outputs). `repeat` is left out: it tells the same alert again.
 */
import { type AlertPolicy, isStatePolicy, type Policy, policyOfType, type StatePolicy } from '@tocsin/contract'
import { periodEnd } from './digest-period.ts'
import {
  type AbsenceId,
  emptyState,
  type KeyState,
  type Machine,
  type PolicyDetails,
  type PolicyEvent,
} from './key-state.ts'
import { lengthsOf, type MonitorState, passTime, standby, stepMonitor } from './monitor.ts'
import { readByClock } from './read-to.ts'
import { alertPolicy, rulesOf } from './state-policies.ts'
import { makeThrottle, type ThrottleCounts } from './throttle.ts'

/** `of` is what the caller knows of the output; an event that rests on the output gives it back. */
export type PastOutput<Of> = { id: string; atMs: number; key: string; value: unknown; isMet: boolean; of: Of }
export type PastEvent<Of> = {
  /** Null for an alert that never resolves. */
  state: 'firing' | 'resolved' | null
  atMs: number
  key: string
  /** The output that the alert shows, or that came last before it; null if there was none. */
  of: Of | null
  policy: AlertPolicy | null
}
export type PastPolicy<Of> = {
  /** Outputs come in the order of their blocks. */
  add(output: PastOutput<Of>): PastEvent<Of>[]
  /** All blocks up to this time were read. */
  end(ms: number): PastEvent<Of>[]
  /** Why the policy cannot decide some or all outputs; undefined if it could decide all. */
  issue(): string | undefined
}

/** True if the policy also gets the outputs that do not meet the conditions. */
export function needsUnmet(policy: Policy): boolean {
  return policyOfType(policy?.type)?.needsUnmet === true
}

/** `beginMs` is the time of the first block: a silence counts from there. */
export function openPastPolicy<Of>(policy: Policy, beginMs: number): PastPolicy<Of> {
  if (isStatePolicy(policy)) return ofStates('repeat' in policy ? { ...policy, repeat: undefined } : policy, beginMs)
  if (policy?.type === 'throttle') return ofThrottle(policy)
  if (policy?.type === 'monitor') return ofMonitor(policy)
  if (policy?.type === 'digest') return ofDigest(policy)
  return withoutTime(({ isMet, atMs, key, of }) => (isMet ? [{ state: null, atMs, key, of, policy: null }] : []))
}

function withoutTime<Of>(add: PastPolicy<Of>['add']): PastPolicy<Of> {
  return { add, end: () => [], issue: () => undefined }
}

/** Only the last alert of a key can be nearer than the period, because outputs come in the order of time. */
function ofThrottle<Of>(policy: Extract<Policy, { type: 'throttle' }>): PastPolicy<Of> {
  const lastOf = new Map<string, { id: string; atMs: number }>()
  const countsOf = new Map<string, ThrottleCounts>()
  return withoutTime(({ id, atMs, key, isMet, of }) => {
    if (!isMet) return []
    const last = lastOf.get(key)
    const throttle = makeThrottle(policy, last ? [last] : [], countsOf.get(key))
    const decided = throttle.mayPass(atMs, id) ? throttle.pass(atMs, id, null) : undefined
    if (!decided) throttle.suppress(atMs, null)
    const counts = throttle.changed()
    if (counts) countsOf.set(key, counts)
    if (!decided) return []
    lastOf.set(key, { id, atMs })
    return [{ state: null, atMs, key, of, policy: decided }]
  })
}

function ofMonitor<Of>(policy: Extract<Policy, { type: 'monitor' }>): PastPolicy<Of> {
  type Seed = { atMs: number; of: Of }
  const lengths = lengthsOf(policy)
  const states = new Map<string, MonitorState<Seed>>()
  const firedBy = (key: string, seeds: readonly Seed[]) =>
    seeds.map(({ atMs, of }) => ({ state: null, atMs: atMs + lengths.forMs, key, of, policy: null }))
  return {
    add({ atMs, key, isMet, of }) {
      const item = { atMs, seed: isMet ? { atMs, of } : null, mark: null }
      const step = stepMonitor(states.get(key) ?? standby<Seed>(), item, lengths)
      states.set(key, step.state)
      return firedBy(key, step.fired)
    },
    end: (ms) => [...states].flatMap(([key, state]) => firedBy(key, passTime(state, ms, lengths, null).fired)),
    issue: () => undefined,
  }
}

/** One message at the end of each period that begins with an output. */
function ofDigest<Of>(policy: Extract<Policy, { type: 'digest' }>): PastPolicy<Of> {
  let open: { endMs: number; of: Of } | undefined
  const end = (ms: number): PastEvent<Of>[] => {
    if (!open || open.endMs > ms) return []
    const { endMs: atMs, of } = open
    open = undefined
    return [{ state: null, atMs, key: '', of, policy: null }]
  }
  return {
    add({ atMs, isMet, of }) {
      const told = end(atMs)
      if (isMet) open ??= { endMs: periodEnd(policy, new Date(atMs)).getTime(), of }
      return told
    },
    end,
    issue: () => undefined,
  }
}

/** What a warm-up keeps of its outputs. */
type PastSeed<Of> = { id: string; details: PolicyDetails; of: Of }
type OneKey<Of> = { state: KeyState<PastSeed<Of>>; last: Of | null }
type KeyEvent<Of> = PolicyEvent<PastSeed<Of>>

function ofStates<Of>(policy: StatePolicy, beginMs: number): PastPolicy<Of> {
  const { machine, begin } = rulesOf(policy)
  if (!machine)
    return { add: () => [], end: () => [], issue: () => 'a bound of it comes from an input that is no number' }
  const empty = emptyState<PastSeed<Of>>()
  const keys = new Map<string, OneKey<Of>>()
  let isUnreadable = false
  const told = (key: string, last: Of | null, atMs: number, events: readonly KeyEvent<Of>[]) =>
    events.flatMap((event) => eventOf(policy, { key, last, atMs }, event))
  const fireTimers = (key: string, one: OneKey<Of>, ms: number) =>
    timersUntil(machine, one, ms).flatMap(([atMs, events]) => told(key, one.last, atMs, events))
  if (begin && policy.key === undefined) keys.set('', { state: begin(empty, beginMs), last: null })
  return {
    add({ id, atMs, key, value, isMet, of }) {
      if (!isMet) return []
      const one = keys.get(key) ?? { state: empty, last: null }
      keys.set(key, one)
      const timed = fireTimers(key, one, atMs - 1)
      const seed = (details: PolicyDetails) => ({ id, details, of })
      const step = machine.step(one.state, { atMs, seenMs: atMs, value, mark: null, id, seed, absenceId })
      one.state = step.state
      one.last = of
      isUnreadable ||= step.events.some(({ kind }) => kind === 'unreadable')
      return [...timed, ...told(key, of, atMs, step.events)]
    },
    end: (ms) => [...keys].flatMap(([key, one]) => fireTimers(key, one, ms)),
    issue: () => (isUnreadable ? `an output has no number at ${'value' in policy ? policy.value : ''}` : undefined),
  }
}

const absenceId: AbsenceId = ({ atMs }) => `absence ${atMs}`

/** The timers of a key that are due until this time, in their order, with what they caused. */
function timersUntil<Of>(machine: Machine, one: OneKey<Of>, ms: number): [atMs: number, events: KeyEvent<Of>[]][] {
  const fired: [number, KeyEvent<Of>[]][] = []
  for (let dueMs = machine.dueMs(one.state); dueMs !== null && dueMs <= ms; dueMs = machine.dueMs(one.state)) {
    const step = machine.passTime(one.state, readByClock(dueMs), absenceId)
    if (step.state === one.state) break
    one.state = step.state
    fired.push([dueMs, step.events])
  }
  return fired
}

type Seen<Of> = { key: string; last: Of | null; atMs: number }

function eventOf<Of>(policy: StatePolicy, { key, last, atMs }: Seen<Of>, event: KeyEvent<Of>): PastEvent<Of>[] {
  const one = (state: PastEvent<Of>['state'], at: number, of: Of | null, details: PolicyDetails): PastEvent<Of>[] => [
    { state, atMs: at, key, of, policy: alertPolicy(policy, details) },
  ]
  if (event.kind === 'changed') return one(null, atMs, last, event.details)
  if (event.kind === 'resolved') return one('resolved', event.atMs, last, event.details ?? event.firing.details)
  if (event.kind !== 'fired') return []
  if (event.by === 'output') return one('firing', event.atMs, last, event.details)
  if (event.by === 'absence')
    return one('firing', event.atMs, last, { sinceMs: event.lastAtMs, lastAtMs: event.lastAtMs })
  const { details, of } = event.newest ?? event.seed
  return one('firing', event.atMs, of, details)
}
