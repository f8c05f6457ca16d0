import { compareDecimals, type Decimal, readDecimal, showDecimal } from '../../../../engine/base/decimals.ts'
import { addOutput, isSameBlock, type KeyState, type Machine, type SeenOutput, unchanged } from './key-state.ts'

export type ChangeRules = {
  by: Decimal
  /** `by` is a percentage of the earlier value. */
  isPercentage: boolean
  direction: 'any' | 'up' | 'down'
  /** Null: compare with the previous value. */
  withinMs: number | null
}

/** A window keeps at most this many values. Beyond it, every second of the older half is dropped. */
export const valuesMax = 1_000

/** Makes an event for each value that differs from the earliest one in the window by at least `by`. It has no phases. */
export function makeChange<Seed>(rules: ChangeRules): Machine<Seed> {
  return {
    step(state, output) {
      const { atMs, seenMs, mark } = output
      const value = readDecimal(output.value)
      if (value === undefined) return { state, events: [{ kind: 'unreadable' }] }
      const earlier = earlierValue(rules, state, atMs)
      const next = addOutput(state, { atMs, seenMs, mark, value: showDecimal(value) })
      const isChange = earlier !== undefined && isChanged(rules, earlier, value)
      return { state: prune(rules, next, atMs), events: isChange ? [{ kind: 'changed' }] : [] }
    },
    passTime: (state) => unchanged(state),
    dueMs: () => null,
  }
}

function earlierValue<Seed>({ withinMs }: ChangeRules, { outputs }: KeyState<Seed>, atMs: number): Decimal | undefined {
  const earlier = withinMs === null ? outputs.at(-1) : outputs.find((output) => output.atMs >= atMs - withinMs)
  return earlier && readDecimal(earlier.value)
}

function isChanged({ by, isPercentage, direction }: ChangeRules, earlier: Decimal, value: Decimal): boolean {
  const order = compareDecimals(value, earlier)
  if (order === 0 || (direction === 'up' && order < 0) || (direction === 'down' && order > 0)) return false
  const difference = order > 0 ? subtract(value, earlier) : subtract(earlier, value)
  if (!isPercentage) return compareDecimals(difference, by) >= 0
  // difference / |earlier| >= by / 100, without a division. Each change from zero is larger than any percentage.
  const hundredfold = { digits: difference.digits * 100n, scale: difference.scale }
  const wanted = { digits: by.digits * absolute(earlier.digits), scale: by.scale + earlier.scale }
  return compareDecimals(hundredfold, wanted) >= 0
}

function absolute(digits: bigint): bigint {
  return digits < 0n ? -digits : digits
}

function subtract(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  const scaled = ({ digits, scale: own }: Decimal) => digits * 10n ** BigInt(scale - own)
  return { digits: scaled(a) - scaled(b), scale }
}

/** Keeps the values of the window; of older ones the last, and one of each earlier block in case of an undo. */
function prune<Seed>({ withinMs }: ChangeRules, state: KeyState<Seed>, atMs: number): KeyState<Seed> {
  const { outputs } = state
  const fromMs = withinMs === null ? Number.POSITIVE_INFINITY : atMs - withinMs
  const kept = outputs.filter((output, at) => {
    const next = outputs[at + 1]
    return output.atMs >= fromMs || !next || !isSameBlock(output.mark, next.mark)
  })
  return { ...state, outputs: kept.length > valuesMax ? thin(kept) : kept }
}

function thin(outputs: readonly SeenOutput[]): SeenOutput[] {
  const half = outputs.length / 2
  return outputs.filter((_, at) => at === 0 || at > half || at % 2 === 0)
}
