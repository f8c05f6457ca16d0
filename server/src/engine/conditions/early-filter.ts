import type { Condition } from '@tocsin/contract'
import { fieldsOfSource } from './fields.ts'
import { type ConditionOptions, compile } from './predicate.ts'

export type EarlyOptions = ConditionOptions

/**
 * Can the output of this source item still meet the conditions? Looks only at filters with a `sourcePath`, so that most
 * items are dropped before a provider or a script runs; what is not known yet never drops one.
 */
export function compileEarlyFilter(
  conditions: Condition | null,
  { filtersSchema = {}, inputs = {} }: EarlyOptions = {},
): (item: unknown) => boolean {
  if (conditions === null) return () => true
  const evaluate = compile(conditions, fieldsOfSource(filtersSchema), inputs)
  return (item) => evaluate(item) !== false
}
