import { compareDecimals, type Decimal, readDecimal, showDecimal } from '../base/decimals.ts'
import { readBound, shownBound } from './bound.ts'
import { durationMs } from './duration-ms.ts'
import {
  changePhase,
  isAmount,
  type KeyState,
  type Machine,
  type NewOutput,
  type PolicyDetails,
  type Step,
  startFiring,
  unchanged,
  withNewest,
} from './key-state.ts'
import { dueAfter, hasPassed, type SeenAt } from './read-to.ts'
import { type StatePolicyOf, stateRules } from './rules.ts'

type ThresholdRules = {
  /** `above`: a greater value is beyond the bound; `below`: a smaller one. */
  side: 'above' | 'below'
  bound: Decimal
  until: Decimal
  forMs: number
}

export const threshold = stateRules('threshold', (policy) => {
  const bound = policy.above ?? policy.below
  return {
    machine: machineOf(policy),
    decidedBy: { ...shownBound(bound), ...(policy.for !== undefined && { for: policy.for }) },
    bounds: { bound: shownBound(bound).bound, until: shownBound(policy.until).bound },
    showsRecovery: true,
    rememberedMs: 0,
  }
})

function machineOf(policy: StatePolicyOf<'threshold'>): Machine | null {
  const bound = readBound(policy.above ?? policy.below)
  const until = policy.until === undefined ? bound : readBound(policy.until)
  if (!bound || !until) return null
  return makeThreshold({
    side: policy.above === undefined ? 'below' : 'above',
    bound,
    until,
    forMs: durationMs(policy.for),
  })
}

/** Fires when the value has been beyond the bound for `forMs`, and resolves when it is back behind `until`. */
function makeThreshold(rules: ThresholdRules): Machine {
  const { forMs } = rules
  return {
    step(state, output) {
      const value = readDecimal(output.value)
      if (value === undefined) return { state, events: [{ kind: 'unreadable' }] }
      const { now } = state
      // A late output of an earlier item says nothing of the present.
      if (output.atMs < (now.sinceMs ?? 0)) return unchanged(state)
      if (now.phase === 'firing') return resolveIfBehind(rules, state, output, value)
      if (now.phase === 'quiet') return isBeyond(rules, value) ? begin(state, output, value, forMs) : unchanged(state)
      const details = { sinceMs: now.sinceMs, value: shown(output, value) }
      if (isBeyond(rules, value))
        return output.atMs - now.sinceMs >= forMs
          ? fireByOutput(state, output, details)
          : unchanged(withNewest(state, output, details))
      // No output came until `for` was over, so the policy fired then. This output resolves it, or is at least not beyond.
      const timed = output.atMs - now.sinceMs >= forMs ? fireBySeed(state, output.seenMs, forMs) : undefined
      if (!timed) return unchanged(changePhase(state, { phase: 'quiet', sinceMs: output.atMs }, output.mark))
      const resolved = resolveIfBehind(rules, timed.state, output, value)
      return { state: resolved.state, events: [...timed.events, ...resolved.events] }
    },
    passTime(state, read) {
      const { now } = state
      if (now.phase !== 'warmup' || !hasPassed(sinceOf(now), forMs, read)) return unchanged(state)
      return fireBySeed(state, read.nowMs, forMs) ?? unchanged(state)
    },
    dueMs: ({ now }) => (now.phase === 'warmup' ? dueAfter(sinceOf(now), forMs) : null),
  }
}

function sinceOf({ sinceMs, seenMs }: { sinceMs: number; seenMs: number }): SeenAt {
  return { atMs: sinceMs, seenMs }
}

function isBeyond({ side, bound }: ThresholdRules, value: Decimal): boolean {
  return compareDecimals(value, bound) === (side === 'above' ? 1 : -1)
}

function isBehind({ side, until }: ThresholdRules, value: Decimal): boolean {
  return compareDecimals(value, until) !== (side === 'above' ? 1 : -1)
}

function begin<Seed extends { id: string }>(
  state: KeyState<Seed>,
  output: NewOutput<Seed>,
  value: Decimal,
  forMs: number,
): Step<Seed> {
  const { atMs, seenMs, mark } = output
  const details = { sinceMs: atMs, value: shown(output, value) }
  if (forMs === 0) return fireByOutput(state, output, details)
  const seed = output.seed(details)
  return unchanged(
    withNewest(changePhase(state, { phase: 'warmup', sinceMs: atMs, seenMs, seed }, mark), output, details),
  )
}

/** The value as the output has it. An object that shows a number is written as that number. */
function shown({ value }: NewOutput<unknown>, decimal: Decimal): string | number {
  return isAmount(value) ? value : showDecimal(decimal)
}

function fireByOutput<Seed>(
  state: KeyState<Seed>,
  { id, atMs, seenMs, mark }: NewOutput<Seed>,
  details: PolicyDetails,
): Step<Seed> {
  const firing = startFiring(state, { id, sinceMs: atMs, toldMs: seenMs, mark, details })
  return { state: firing, events: [{ kind: 'fired', id, atMs, by: 'output', details }] }
}

/** As of the end of `for`, by the alert of the output that began the warm-up, with the newest value. No block of its own causes it. */
function fireBySeed<Seed extends { id: string }>(
  state: KeyState<Seed>,
  toldMs: number,
  forMs: number,
): Step<Seed> | undefined {
  if (state.now.phase !== 'warmup') return undefined
  const { sinceMs, seed } = state.now
  const atMs = sinceMs + forMs
  const { newest } = state
  const details = newest?.details ?? { sinceMs }
  const firing = startFiring(state, { id: seed.id, sinceMs: atMs, toldMs, mark: null, details })
  return { state: firing, events: [{ kind: 'fired', id: seed.id, atMs, by: 'seed', seed, newest: newest?.seed }] }
}

function resolveIfBehind<Seed>(
  rules: ThresholdRules,
  state: KeyState<Seed>,
  output: NewOutput<Seed>,
  value: Decimal,
): Step<Seed> {
  const { now } = state
  const { atMs, mark } = output
  if (now.phase !== 'firing' || !isBehind(rules, value)) return unchanged(state)
  const quiet = changePhase(state, { phase: 'quiet', sinceMs: atMs }, mark)
  const details = { ...now.details, ...(isAmount(output.value) && { value: output.value }) }
  return { state: quiet, events: [{ kind: 'resolved', firing: now, atMs, by: 'output', details }] }
}
