import type { Policy } from '@tocsin/contract'
import { readDecimal } from '../../../../engine/base/decimals.ts'
import type { StatePolicy } from '../../../../engine/fan-out/index.ts'
import { durationMs } from '../names.ts'
import type { ReadTo } from '../read-to.ts'
import { makeAbsence } from './absence.ts'
import { makeChange } from './change.ts'
import { makeCount } from './count.ts'
import type { KeySeed } from './key-seed.ts'
import { type KeyState, type Machine, type NewOutput, type Step, withNewest } from './key-state.ts'
import { makeThreshold } from './threshold.ts'

type PolicyOf<Type extends NonNullable<Policy>['type']> = Extract<Policy, { type: Type }>

const machines = new WeakMap<StatePolicy, Machine<KeySeed> | null>()

/** Null if a bound comes from an input that is not a number. Equal policies of many subscriptions are one object. */
export function machineOf(policy: StatePolicy): Machine<KeySeed> | null {
  const known = machines.get(policy)
  if (known !== undefined) return known
  const machine = makeMachine(policy)
  machines.set(policy, machine)
  return machine
}

function makeMachine(policy: StatePolicy): Machine<KeySeed> | null {
  if (policy.type === 'threshold') return withRepeat(thresholdOf(policy), policy.repeat)
  if (policy.type === 'change') return changeOf(policy)
  const withinMs = durationMs(policy.within)
  const machine =
    policy.type === 'count' ? makeCount<KeySeed>({ count: policy.count, withinMs }) : makeAbsence<KeySeed>({ withinMs })
  return withRepeat(machine, policy.repeat)
}

function thresholdOf(policy: PolicyOf<'threshold'>): Machine<KeySeed> | null {
  const bound = readDecimal(policy.above ?? policy.below)
  const until = policy.until === undefined ? bound : readDecimal(policy.until)
  if (!bound || !until) return null
  const side = policy.above === undefined ? 'below' : 'above'
  return makeThreshold({ side, bound, until, forMs: durationMs(policy.for) })
}

function changeOf(policy: PolicyOf<'change'>): Machine<KeySeed> | null {
  const text = String(policy.by)
  const by = readDecimal(text.replace(/%$/, ''))
  if (!by) return null
  const withinMs = policy.within === undefined ? null : durationMs(policy.within)
  return makeChange({ by, isPercentage: text.endsWith('%'), direction: policy.direction ?? 'any', withinMs })
}

/** Tells a firing alert again each time `repeat` has passed by the clock. A late timer repeats it once. */
function withRepeat(machine: Machine<KeySeed> | null, repeat: string | undefined): Machine<KeySeed> | null {
  if (!machine || repeat === undefined) return machine
  const repeatMs = durationMs(repeat)
  const repeatAt = ({ now }: KeyState<KeySeed>) =>
    now.phase === 'firing' && now.id !== null ? now.toldMs + repeatMs : null
  return {
    ...machine,
    step: (state, output) => noteNewest(machine.step(state, output), state, output),
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

function repeated({ state, events }: Step<KeySeed>, nowMs: number): Step<KeySeed> {
  const { now } = state
  if (now.phase !== 'firing' || now.id === null) return { state, events }
  const repeat = now.repeats + 1
  const told = { ...state, now: { ...now, toldMs: nowMs, repeats: repeat } }
  return { state: told, events: [...events, { kind: 'repeated', id: now.id, repeat, newest: state.newest?.seed }] }
}

/** A repeat shows the newest output since the alert fired. */
function noteNewest(step: Step<KeySeed>, before: KeyState<KeySeed>, output: NewOutput<KeySeed>): Step<KeySeed> {
  const { state } = step
  if (state.now.phase !== 'firing' || step.events.length > 0 || before.now.phase !== 'firing') return step
  const known = state.newest?.details ?? state.now.details
  const { value } = output
  const isAmount = typeof value === 'string' || typeof value === 'number'
  const details = {
    ...known,
    ...(isAmount && { value }),
    ...(known.count !== undefined && { count: known.count + 1 }),
  }
  return { ...step, state: withNewest(state, output, details) }
}
