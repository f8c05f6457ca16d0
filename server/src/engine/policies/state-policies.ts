import { type AlertPolicy, isStatePolicy, type Policy, type StatePolicy } from '@tocsin/contract'
import { storableTime } from '../base/iso-time.ts'
import { absence } from './absence.ts'
import { change } from './change.ts'
import { count } from './count.ts'
import { durationMs } from './duration-ms.ts'
import {
  isAmount,
  type KeyState,
  type Machine,
  type NewOutput,
  type PolicyDetails,
  type Step,
  withNewest,
} from './key-state.ts'
import { rate } from './rate.ts'
import type { ReadTo } from './read-to.ts'
import type { MakeRules, PolicyRules } from './rules.ts'
import { sum } from './sum.ts'
import { threshold } from './threshold.ts'

/** The policies with a state for each key. */
const statePolicies: Readonly<Record<StatePolicy['type'], MakeRules>> = {
  threshold,
  change,
  rate,
  sum,
  count,
  absence,
}

const known = new WeakMap<StatePolicy, PolicyRules>()

/** Equal policies of many subscriptions are one object, whose rules are made once. */
export function rulesOf(policy: StatePolicy): PolicyRules {
  const rules = known.get(policy) ?? makeRules(policy)
  known.set(policy, rules)
  return rules
}

function makeRules(policy: StatePolicy): PolicyRules {
  const rules = statePolicies[policy.type](policy)
  if (!rules) throw new Error(`the rules of ${policy.type} are those of another policy`)
  const { machine } = rules
  return 'repeat' in policy && policy.repeat !== undefined && machine
    ? { ...rules, machine: withRepeat(machine, durationMs(policy.repeat)) }
    : rules
}

/** What an alert says of the policy that decided. Null for a policy without states. */
export function alertPolicy(policy: Policy, { lastAtMs, sinceMs, ...details }: PolicyDetails): AlertPolicy | null {
  if (!isStatePolicy(policy)) return null
  return {
    type: policy.type,
    ...rulesOf(policy).decidedBy,
    ...details,
    since: storableTime(sinceMs),
    ...(lastAtMs !== undefined && { lastAt: storableTime(lastAtMs) }),
  }
}

/** Tells a firing alert again each time `repeat` has passed by the clock. A late timer repeats it once. */
function withRepeat(machine: Machine, repeatMs: number): Machine {
  const repeatAt = ({ now }: KeyState<unknown>) =>
    now.phase === 'firing' && now.id !== null ? now.toldMs + repeatMs : null
  return {
    ...machine,
    step: (state, output) => noteNewest(machine, machine.step(state, output), state, output),
    passTime(state, read, absenceId) {
      const timed = machine.passTime(state, read, absenceId)
      const atMs = repeatAt(timed.state)
      return atMs === null || !mayRepeat(atMs, read) ? timed : repeated(timed, read.nowMs)
    },
    dueMs(state) {
      const due = [machine.dueMs(state), repeatAt(state)].filter((ms) => ms !== null)
      return due.length > 0 ? Math.min(...due) : null
    },
  }
}

/** After a start or a short outage, the blocks may show that it is over. During a longer one the alert still counts. */
const repeatWaitMs = 60_000

function mayRepeat(atMs: number, { nowMs, clockMs }: ReadTo): boolean {
  return nowMs >= atMs && (nowMs >= atMs + repeatWaitMs || (clockMs ?? 0) >= atMs)
}

function repeated<Seed>({ state, events }: Step<Seed>, nowMs: number): Step<Seed> {
  const { now } = state
  if (now.phase !== 'firing' || now.id === null) return { state, events }
  const repeat = now.repeats + 1
  const told = { ...state, now: { ...now, toldMs: nowMs, repeats: repeat } }
  return { state: told, events: [...events, { kind: 'repeated', id: now.id, repeat, newest: state.newest?.seed }] }
}

/** A repeat shows the newest output since the alert fired. */
function noteNewest<Seed>(
  machine: Machine,
  step: Step<Seed>,
  before: KeyState<Seed>,
  output: NewOutput<Seed>,
): Step<Seed> {
  const { state } = step
  if (state.now.phase !== 'firing' || step.events.length > 0 || before.now.phase !== 'firing') return step
  const latest = machine.latest?.(state)
  if (latest) return { ...step, state: withNewest(state, output, latest) }
  const known = state.newest?.details ?? state.now.details
  const { value } = output
  const details = {
    ...known,
    ...(isAmount(value) && { value }),
    ...(known.count !== undefined && { count: known.count + 1 }),
  }
  return { ...step, state: withNewest(state, output, details) }
}
