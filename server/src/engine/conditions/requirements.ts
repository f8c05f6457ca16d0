import type { Condition } from '@tocsin/contract'
import { readDecimal } from '../base/decimals.ts'
import type { SchemaMap } from '../base/read-schema.ts'
import { fieldsOfSource } from './fields.ts'
import type { ConditionOptions } from './predicate.ts'
import { fromHuman } from './same-key.ts'
import { resolveValue } from './values.ts'

/**
 * A requirement on the item's value at this path: it equals `value` by the rule of `sameKey`, or it is a number within a
 * bound (`above` and `below` exclude the bound). `isNot` negates it; a value that is not a number is in no bound.
 */
export type Requirement = {
  path: string
  is: 'same' | 'atLeast' | 'above' | 'atMost' | 'below'
  value: unknown
  isNot?: boolean
}

/**
 * What must hold in a source item if its outputs are to meet the conditions. In every list at least one requirement must
 * hold. `{from eq A} or {to eq A}` is one list of two; `{from eq A} and {value gt 5}` is two lists of one. No list demands
 * nothing; an empty list means that no item can meet the conditions.
 */
export type Requirements = {
  requirements: Requirement[][]
  /** True if the early filter accepts every item that fulfils all lists. */
  requirementsSuffice: boolean
}

/** A longer list costs more memory in the index than it saves time. */
const alternativesMax = 10_000
/** Each exception of `nin` needs a list of its own. */
const exceptionsMax = 8

/** The result is spread into an entry of the trigger index. */
export function readRequirements(
  conditions: Condition | null,
  { filtersSchema = {}, inputs = {} }: ConditionOptions = {},
): Requirements {
  return conditions === null ? noDemand : read(conditions, { filters: filtersSchema, inputs }, false)
}

/** The conditions demand nothing of the source item. */
const noDemand: Requirements = { requirements: [], requirementsSuffice: true }
/** The conditions demand something that lists cannot express. */
const inexpressible: Requirements = { requirements: [], requirementsSuffice: false }
/** No item can meet the conditions. */
const impossible: Requirements = { requirements: [[]], requirementsSuffice: true }

type Context = { filters: SchemaMap; inputs: Record<string, unknown> }

/** Pushes a negation inwards: not (a and b) is (not a) or (not b). An unknown value accepts the item in both cases. */
function read(condition: Condition, context: Context, isNot: boolean): Requirements {
  if ('not' in condition) return read(condition.not, context, !isNot)
  if ('op' in condition) return readComparison(condition, context, isNot)
  if ('contains' in condition) return inexpressible
  const parts = 'all' in condition ? condition.all : condition.any
  const inner = parts.map((part) => read(part, context, isNot))
  return 'all' in condition === isNot ? joinAlternatives(inner) : joinAll(inner)
}

function joinAll(parts: Requirements[]): Requirements {
  return {
    requirements: parts.flatMap(({ requirements }) => requirements),
    requirementsSuffice: parts.every(({ requirementsSuffice }) => requirementsSuffice),
  }
}

/** Joins the best list of each alternative into one list. That works only if each alternative has a list. */
function joinAlternatives(branches: Requirements[]): Requirements {
  if (branches.some(demandsNothing)) return noDemand
  const best = branches.map(({ requirements }) => requirements.toSorted((a, b) => costOf(a) - costOf(b))[0])
  if (best.includes(undefined)) return inexpressible
  const list = best.flatMap((part) => part ?? [])
  if (list.length > alternativesMax) return inexpressible
  const isComplete = branches.every((part) => part.requirementsSuffice && part.requirements.length === 1)
  return { requirements: [list], requirementsSuffice: isComplete }
}

function demandsNothing({ requirements, requirementsSuffice }: Requirements): boolean {
  return requirementsSuffice && requirements.length === 0
}

/** A value is more selective than a bound, and a negation is not selective. */
function costOf(list: readonly Requirement[]): number {
  const worst = list.some((part) => part.isNot) ? 2 : list.some((part) => part.is !== 'same') ? 1 : 0
  return list.length + worst * alternativesMax
}

const bounds = { gt: 'above', gte: 'atLeast', lt: 'below', lte: 'atMost' } as const

type Comparison = Extract<Condition, { op: string }>

function readComparison({ param, op, value }: Comparison, context: Context, isNot: boolean): Requirements {
  const schema = fieldsOfSource(context.filters)(param)?.schema
  if (!schema || schema.sourcePath === undefined) return noDemand
  const path = schema.sourcePath
  const decimals = schema.types.includes('balance') ? (schema.decimals ?? 0) : 0
  const wanted = resolveValue(value, context.inputs)
  const isList = op === 'in' || op === 'nin'
  if (wanted === undefined || (isList && !Array.isArray(wanted))) return isNot ? noDemand : impossible
  if (op === 'eq' || op === 'in') return among(isList ? wanted : [wanted], path, decimals, isNot)
  if (op === 'ne' || op === 'nin') return among(isList ? wanted : [wanted], path, decimals, !isNot)
  if (op === 'startsWith' || op === 'matches') return inexpressible
  const bound = fromHuman(wanted, decimals)
  if (!readDecimal(bound)) return inexpressible
  return { requirements: [[{ path, is: bounds[op], value: bound, isNot }]], requirementsSuffice: true }
}

/** `in` is one list of all values; `nin` is one list for each value. */
function among(values: unknown, path: string, decimals: number, isNot: boolean): Requirements {
  if (!Array.isArray(values) || values.length > (isNot ? exceptionsMax : alternativesMax)) return inexpressible
  const present = values.filter((value) => value !== undefined)
  const list = present.map((value) => ({ path, is: 'same' as const, value: fromHuman(value, decimals), isNot }))
  return { requirements: isNot ? list.map((part) => [part]) : [list], requirementsSuffice: true }
}
