import { compareDecimals, type Decimal, readDecimal } from '../../../../engine/base/decimals.ts'
import { dueAfter, hasPassed, type SeenAt } from '../read-to.ts'
import {
  changePhase,
  type KeyState,
  type Machine,
  type NewOutput,
  type Step,
  startFiring,
  unchanged,
} from './key-state.ts'

export type ThresholdRules = {
  /** `above`: a greater value is beyond the bound; `below`: a smaller one. */
  side: 'above' | 'below'
  bound: Decimal
  until: Decimal
  forMs: number
}

/** Fires when the value has been beyond the bound for `forMs`, and resolves when it is back behind `until`. */
export function makeThreshold<Seed extends { id: string }>(rules: ThresholdRules): Machine<Seed> {
  const { forMs } = rules
  return {
    step(state, output) {
      const value = readDecimal(output.value)
      if (value === undefined) return { state, events: [{ kind: 'unreadable' }] }
      const { now } = state
      // A late output of an earlier item says nothing of the present.
      if (output.atMs < (now.sinceMs ?? 0)) return unchanged(state)
      if (now.phase === 'firing') return resolveIfBehind(rules, state, output, value)
      if (now.phase === 'quiet') return isBeyond(rules, value) ? begin(state, output, forMs) : unchanged(state)
      if (isBeyond(rules, value))
        return output.atMs - now.sinceMs >= forMs ? fireByOutput(state, output) : unchanged(state)
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

function begin<Seed extends { id: string }>(state: KeyState<Seed>, output: NewOutput<Seed>, forMs: number): Step<Seed> {
  if (forMs === 0) return fireByOutput(state, output)
  const { atMs, seenMs, mark } = output
  return unchanged(changePhase(state, { phase: 'warmup', sinceMs: atMs, seenMs, seed: output.seed() }, mark))
}

function fireByOutput<Seed>(state: KeyState<Seed>, { id, atMs, seenMs, mark }: NewOutput<Seed>): Step<Seed> {
  const firing = startFiring(state, { id, sinceMs: atMs, toldMs: seenMs, mark })
  return { state: firing, events: [{ kind: 'fired', id, atMs, by: 'output' }] }
}

/** As of the end of `for`, by the alert of the output that began the warm-up. No block of its own causes it. */
function fireBySeed<Seed extends { id: string }>(
  state: KeyState<Seed>,
  toldMs: number,
  forMs: number,
): Step<Seed> | undefined {
  if (state.now.phase !== 'warmup') return undefined
  const { sinceMs, seed } = state.now
  const atMs = sinceMs + forMs
  const firing = startFiring(state, { id: seed.id, sinceMs: atMs, toldMs, mark: null })
  return { state: firing, events: [{ kind: 'fired', id: seed.id, atMs, by: 'seed', seed }] }
}

function resolveIfBehind<Seed>(
  rules: ThresholdRules,
  state: KeyState<Seed>,
  { atMs, mark }: NewOutput<Seed>,
  value: Decimal,
): Step<Seed> {
  const { now } = state
  if (now.phase !== 'firing' || !isBehind(rules, value)) return unchanged(state)
  const quiet = changePhase(state, { phase: 'quiet', sinceMs: atMs }, mark)
  return { state: quiet, events: [{ kind: 'resolved', firing: now, atMs, by: 'output' }] }
}
