import type { Condition } from '@tocsin/contract'
import { earlySteps, OverBudget, startSteps } from './budget.ts'
import { fieldsOfSource } from './fields.ts'
import { type ConditionOptions, compile, compileWithin, type Evaluate } from './predicate.ts'

export type EarlyOptions = ConditionOptions

/**
 * Returns false if no output of this source item can meet the conditions. It checks only filters with a `sourcePath`, so
 * that most items are dropped before a provider or a script runs. An unknown value never drops an item.
 */
export function compileEarlyFilter(
  conditions: Condition | null,
  { filtersSchema = {}, inputs = {} }: EarlyOptions = {},
): (item: unknown) => boolean {
  if (conditions === null) return () => true
  const evaluate = compileWithin(() => compile(conditions, fieldsOfSource(filtersSchema), inputs))
  return (item) => passes(evaluate, item)
}

/** False only if the conditions are known to be false. What takes too many steps is not known. */
export function passes<Root>(evaluate: Evaluate<Root>, root: Root): boolean {
  startSteps(earlySteps)
  try {
    return evaluate(root) !== false
  } catch (error) {
    if (error instanceof OverBudget) return true
    throw error
  }
}
