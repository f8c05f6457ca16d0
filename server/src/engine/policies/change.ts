import { compareDecimals, type Decimal, readDecimal, showDecimal, subtractDecimals } from '../base/decimals.ts'
import { shownBound } from './bound.ts'
import { durationMs } from './duration-ms.ts'
import {
  addOutput,
  changePhase,
  isSameBlock,
  type KeyState,
  type Machine,
  type SeenOutput,
  unchanged,
} from './key-state.ts'
import { type StatePolicyOf, stateRules } from './rules.ts'
import { type ChangeBy, comparedDetails, isAtLeast, readChange } from './value-change.ts'

type ChangeRules = ChangeBy & {
  direction: 'any' | 'up' | 'down'
  /** Null: compare with the previous value. */
  withinMs: number | null
}

export const change = stateRules('change', (policy) => {
  const { by, within } = policy
  return {
    machine: machineOf(policy),
    decidedBy: { ...shownBound(by), ...(within !== undefined && { within }) },
    rememberedMs: within === undefined ? null : durationMs(within),
  }
})

function machineOf(policy: StatePolicyOf<'change'>): Machine | null {
  const by = readChange(policy.by)
  const withinMs = policy.within === undefined ? null : durationMs(policy.within)
  return by ? makeChange({ ...by, direction: policy.direction ?? 'any', withinMs }) : null
}

/** A window keeps at most this many values. Beyond it, the older half is thinned out. */
const valuesMax = 1_000

/**
 * Makes an event for each value that differs by at least `by` from the lowest (upwards) or highest (downwards) value in the
 * window. The value that fired is the new start: `countFrom` of the phase is its number, and values before it count no more,
 * unless a reorg undoes its block. It never fires as a phase.
 */
function makeChange(rules: ChangeRules): Machine {
  return {
    step(state, output) {
      const { atMs, seenMs, mark } = output
      const value = readDecimal(output.value)
      if (value === undefined) return { state, events: [{ kind: 'unreadable' }] }
      const change = changeOf(rules, state, atMs, value)
      const next = addOutput(state, { atMs, seenMs, mark, value: showDecimal(value) })
      if (!change) return unchanged(prune(rules, next, atMs))
      const started = changePhase(
        next,
        { phase: 'quiet', countFrom: Math.max(...next.outputs.map(({ n }) => n)) },
        mark,
      )
      const details = comparedDetails(change.output.atMs, change.value, value, output.value)
      return { state: prune(rules, started, atMs), events: [{ kind: 'changed', details }] }
    },
    passTime: (state) => unchanged(state),
    dueMs: () => null,
  }
}

type Earlier = { output: SeenOutput; value: Decimal }

/** The value that the new one differs from. If it differs from both the lowest and the highest one, the larger difference counts. */
function changeOf<Seed>(rules: ChangeRules, state: KeyState<Seed>, atMs: number, value: Decimal): Earlier | undefined {
  const { direction } = rules
  const earlier = earlierValues(rules, state, atMs)
  const lowest = direction === 'down' ? undefined : extreme(earlier, -1)
  const highest = direction === 'up' ? undefined : extreme(earlier, 1)
  const rise = lowest && compareDecimals(value, lowest.value) > 0 && isAtLeast(rules, lowest.value, value)
  const fall = highest && compareDecimals(value, highest.value) < 0 && isAtLeast(rules, highest.value, value)
  if (!rise || !fall) return rise ? lowest : fall ? highest : undefined
  const isFallLarger =
    compareDecimals(subtractDecimals(highest.value, value), subtractDecimals(value, lowest.value)) > 0
  return isFallLarger ? highest : lowest
}

function earlierValues<Seed>({ withinMs }: ChangeRules, { now, outputs }: KeyState<Seed>, atMs: number): Earlier[] {
  const countFrom = (now.phase === 'quiet' ? now.countFrom : undefined) ?? 0
  const fromMs = withinMs === null ? Number.NEGATIVE_INFINITY : atMs - withinMs
  const counted = outputs.filter((output) => output.n >= countFrom && output.atMs >= fromMs)
  return (withinMs === null ? counted.slice(-1) : counted).flatMap((output) => {
    const value = readDecimal(output.value)
    return value === undefined ? [] : { output, value }
  })
}

function extreme(earlier: readonly Earlier[], order: 1 | -1): Earlier | undefined {
  return earlier.reduce<Earlier | undefined>(
    (best, each) => (best === undefined || compareDecimals(each.value, best.value) === order ? each : best),
    undefined,
  )
}

/**
 * Keeps the values that may still be compared with. A value is needed while it is in the window and no later one is both
 * lower or equal and higher or equal; only a value of the same block, or one that no reorg can undo, replaces others. Of the
 * values that do not count any more, the last of each block stays in case that later blocks are undone.
 */
function prune<Seed>({ withinMs }: ChangeRules, state: KeyState<Seed>, atMs: number): KeyState<Seed> {
  const { now, past, outputs } = state
  const countFrom = (now.phase === 'quiet' ? now.countFrom : undefined) ?? 0
  const isStartFinal = past.every(({ mark }) => mark === null)
  const fromMs = withinMs === null ? Number.POSITIVE_INFINITY : atMs - withinMs
  let final: Range | undefined
  let ofBlock: Range | undefined
  const kept: SeenOutput[] = []
  for (const output of outputs.toReversed()) {
    const value = readDecimal(output.value)
    const next = kept.at(-1)
    if (!next || !isSameBlock(next.mark, output.mark)) ofBlock = final
    const isOld = output.atMs < fromMs || (isStartFinal && output.n < countFrom)
    const isReplaced = isOld ? ofBlock !== undefined : ofBlock !== undefined && isWithin(value, ofBlock)
    if (!next || !isReplaced) kept.push(output)
    if (value) ofBlock = widened(ofBlock, value)
    if (value && output.mark === null) final = widened(final, value)
  }
  kept.reverse()
  return { ...state, outputs: kept.length > valuesMax ? thin(kept) : kept }
}

type Range = { lowest: Decimal; highest: Decimal }

/** True if later values are both lower or equal and higher or equal. */
function isWithin(value: Decimal | undefined, { lowest, highest }: Range): boolean {
  return value !== undefined && compareDecimals(value, lowest) >= 0 && compareDecimals(value, highest) <= 0
}

function widened(range: Range | undefined, value: Decimal): Range {
  if (!range) return { lowest: value, highest: value }
  return {
    lowest: compareDecimals(value, range.lowest) < 0 ? value : range.lowest,
    highest: compareDecimals(value, range.highest) > 0 ? value : range.highest,
  }
}

/** Of four values of the older half, the lowest and the highest one stay. */
function thin(outputs: readonly SeenOutput[]): SeenOutput[] {
  const half = Math.ceil(outputs.length / 2)
  const groups = Array.from({ length: Math.ceil(half / 4) }, (_, at) =>
    outputs.slice(at * 4, Math.min(half, at * 4 + 4)),
  )
  return [...groups.flatMap(extremesOf), ...outputs.slice(half)]
}

function extremesOf(group: readonly SeenOutput[]): SeenOutput[] {
  const values = group.flatMap((output) => {
    const value = readDecimal(output.value)
    return value === undefined ? [] : { output, value }
  })
  const kept = [extreme(values, -1)?.output, extreme(values, 1)?.output]
  return group.filter((output) => kept.includes(output))
}
