import { addDecimals, compareDecimals, type Decimal, readDecimal, showDecimal } from '../base/decimals.ts'
import { readBound, shownBound } from './bound.ts'
import { durationMs } from './duration-ms.ts'
import { isSameBlock, type Machine, type PolicyDetails, type SeenOutput } from './key-state.ts'
import { type StatePolicyOf, stateRules } from './rules.ts'
import { type Valued, valuesIn, windowMachine } from './value-window.ts'

type SumRules = { above: Decimal; withinMs: number }

export const sum = stateRules('sum', (policy) => {
  const rules = rulesOf(policy)
  return {
    machine: rules && makeSum(rules),
    decidedBy: { ...shownBound(policy.above), within: policy.within },
    bounds: { bound: shownBound(policy.above).bound, until: undefined },
    compared: (state) => rules && showDecimal(total(valuesIn({ lengthMs: rules.withinMs }, state))),
    showsRecovery: true,
    rememberedMs: durationMs(policy.within),
  }
})

function rulesOf({ above, within }: StatePolicyOf<'sum'>): SumRules | null {
  const bound = readBound(above)
  return bound ? { above: bound, withinMs: durationMs(within) } : null
}

/** Adds up the values of the window. */
function makeSum(rules: SumRules): Machine {
  return windowMachine({
    lengthMs: rules.withinMs,
    isBeyond: (values) => compareDecimals(total(values), rules.above) > 0,
    lastBeyond: (values) => lastTooMuch(rules, values),
    detailsOf,
    emptyDetails: (atMs) => ({ sinceMs: atMs, value: '0', count: 0 }),
    prune: (outputs, fromMs) => prune(rules, outputs, fromMs),
  })
}

const nothing: Decimal = { digits: 0n, scale: 0 }

function total(values: readonly Valued[]): Decimal {
  return values.reduce((sum, { value }) => addDecimals(sum, value), nothing)
}

/** Values of one time leave together. */
function lastTooMuch({ above }: SumRules, values: readonly Valued[]): SeenOutput | undefined {
  let rest = total(values)
  for (const [at, { output, value }] of values.entries()) {
    rest = addDecimals(rest, { ...value, digits: -value.digits })
    const leavesAlone = values[at + 1]?.output.atMs !== output.atMs
    if (leavesAlone && compareDecimals(rest, above) <= 0) return output
  }
  return undefined
}

function detailsOf(values: readonly Valued[]): PolicyDetails | undefined {
  const [oldest] = values
  if (!oldest) return undefined
  const count = values.reduce((sum, { output }) => sum + (output.count ?? 1), 0)
  return { sinceMs: oldest.output.atMs, value: showDecimal(total(values)), count }
}

/** A window with values of more blocks than this is exact to this part of `within`. */
const slotsOfWindow = 1_000

/**
 * Joins the values of each block, because they have one time and are undone together. Of more values that are final than
 * there are slots, those of each slot are joined too.
 */
function prune({ withinMs }: SumRules, outputs: readonly SeenOutput[], fromMs: number): SeenOutput[] {
  const needed = outputs.filter(({ atMs }) => atMs >= fromMs)
  const ofBlocks = joined(needed, (a, b) => a.atMs === b.atMs && isSameBlock(a.mark, b.mark))
  const slotOf = ({ atMs }: SeenOutput) => Math.floor((atMs * slotsOfWindow) / withinMs)
  const isFinal = ({ mark }: SeenOutput) => mark === null
  const isLong = ofBlocks.filter(isFinal).length > slotsOfWindow
  return isLong ? joined(ofBlocks, (a, b) => isFinal(a) && isFinal(b) && slotOf(a) === slotOf(b)) : ofBlocks
}

/** Neighbours that belong together become one output, with the time of the later one. */
function joined(outputs: readonly SeenOutput[], areOne: (a: SeenOutput, b: SeenOutput) => boolean): SeenOutput[] {
  const list: SeenOutput[] = []
  for (const output of outputs) {
    const last = list.at(-1)
    if (last && areOne(last, output)) list[list.length - 1] = sumOf(last, output)
    else list.push(output)
  }
  return list
}

function sumOf(a: SeenOutput, b: SeenOutput): SeenOutput {
  const value = addDecimals(readDecimal(a.value) ?? nothing, readDecimal(b.value) ?? nothing)
  return {
    n: Math.max(a.n, b.n),
    atMs: b.atMs,
    seenMs: Math.max(a.seenMs, b.seenMs),
    value: showDecimal(value),
    count: (a.count ?? 1) + (b.count ?? 1),
    mark: a.mark,
  }
}
