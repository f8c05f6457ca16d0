import type { Condition } from '@tocsin/contract'
import { fieldsOfSource } from './fields.ts'
import { type ConditionOptions, compile } from './predicate.ts'

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
  const evaluate = compile(conditions, fieldsOfSource(filtersSchema), inputs)
  return (item) => evaluate(item) !== false
}
