import type { Condition } from '@tocsin/contract'
import { readDecimal } from '../decimals.ts'
import type { SchemaMap } from '../read-schema.ts'
import { fieldsOfSource } from './fields.ts'
import type { ConditionOptions } from './predicate.ts'
import { fromHuman } from './same-key.ts'
import { resolveValue } from './values.ts'

/**
 * Something that an item meeting the conditions has at this path: a value that is the same by the rule of `sameKey`, or
 * a number at least or at most so large.
 */
export type Requirement = { path: string; is: 'same' | 'atLeast' | 'atMost'; value: unknown }

/** A longer list saves less than it costs to keep in the index. */
const alternativesMax = 10_000

/**
 * What must hold in the source item for the conditions to be met, as far as single fields with a `sourcePath` say it: of
 * every list one at least. `{from eq A} or {to eq A}` is one list of two; `{from eq A} and {value gt 5}` is two lists of
 * one. An empty outer list says nothing; an empty inner list says that nothing can ever meet the conditions.
 */
export function requirementsOf(
  conditions: Condition | null,
  { filtersSchema = {}, inputs = {} }: ConditionOptions = {},
): Requirement[][] {
  return conditions === null ? [] : listsOf(conditions, { filters: filtersSchema, inputs })
}

type Context = { filters: SchemaMap; inputs: Record<string, unknown> }

function listsOf(condition: Condition, context: Context): Requirement[][] {
  if ('all' in condition) return condition.all.flatMap((one) => listsOf(one, context))
  if ('any' in condition) return oneOfMany(condition.any.map((one) => listsOf(one, context)))
  return 'op' in condition ? ofComparison(condition, context) : []
}

/** Alternatives are one list together only when each of them has one of its own; each gives its best. */
function oneOfMany(branches: Requirement[][][]): Requirement[][] {
  const best = branches.map((lists) => lists.toSorted((a, b) => costOf(a) - costOf(b))[0])
  if (best.includes(undefined)) return []
  const together = best.flatMap((list) => list ?? [])
  return together.length > alternativesMax ? [] : [together]
}

/** A value narrows down more than a bound does. */
export function costOf(list: readonly Requirement[]): number {
  return list.length + (list.some((one) => one.is !== 'same') ? alternativesMax : 0)
}

function ofComparison({ param, op, value }: Extract<Condition, { op: string }>, context: Context): Requirement[][] {
  const schema = fieldsOfSource(context.filters)(param)?.schema
  if (!schema || schema.sourcePath === undefined) return []
  const path = schema.sourcePath
  const decimals = schema.types.includes('balance') ? (schema.decimals ?? 0) : 0
  const wanted = resolveValue(value, context.inputs)
  if (op === 'eq') return sameAs([wanted], path, decimals)
  if (op === 'in') return sameAs(Array.isArray(wanted) ? wanted : [], path, decimals)
  const bound = readDecimal(wanted) && fromHuman(wanted, decimals)
  if (bound === undefined) return []
  if (op === 'gt' || op === 'gte') return [[{ path, is: 'atLeast', value: bound }]]
  return op === 'lt' || op === 'lte' ? [[{ path, is: 'atMost', value: bound }]] : []
}

function sameAs(values: unknown[], path: string, decimals: number): Requirement[][] {
  if (values.length > alternativesMax) return []
  const present = values.filter((value) => value !== undefined)
  return [present.map((value) => ({ path, is: 'same', value: fromHuman(value, decimals) }))]
}
