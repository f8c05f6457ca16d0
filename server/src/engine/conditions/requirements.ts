import type { Condition } from '@tocsin/contract'
import { readDecimal } from '../base/decimals.ts'
import type { SchemaMap } from '../base/read-schema.ts'
import { fieldsOfSource } from './fields.ts'
import type { ConditionOptions } from './predicate.ts'
import { fromHuman } from './same-key.ts'
import { resolveValue } from './values.ts'

/**
 * Something about the value that an item has at this path: it is the same by the rule of `sameKey`, or a number within a
 * bound, `above` and `below` without the bound itself. With `isNot` it must not be so: what is no number is in no bound.
 */
export type Requirement = {
  path: string
  is: 'same' | 'atLeast' | 'above' | 'atMost' | 'below'
  value: unknown
  isNot?: boolean
}

/**
 * What must hold in a source item for the conditions to be met, as far as single fields with a `sourcePath` say it: of
 * every list one at least. `{from eq A} or {to eq A}` is one list of two; `{from eq A} and {value gt 5}` is two lists of
 * one. No list at all says nothing; an empty one says that nothing can ever meet the conditions.
 */
export type Requirements = {
  requirements: Requirement[][]
  /** The early filter then refuses no item in which one of each list holds. */
  requirementsSuffice: boolean
}

/** A longer list saves less than it costs to keep in the index. */
const alternativesMax = 10_000
/** Each is one list. */
const exceptionsMax = 8

/** To be spread into an entry of the trigger index. */
export function readRequirements(
  conditions: Condition | null,
  { filtersSchema = {}, inputs = {} }: ConditionOptions = {},
): Requirements {
  return conditions === null ? nothing : read(conditions, { filters: filtersSchema, inputs }, false)
}

/** Nothing is asked that the source item could miss. */
const nothing: Requirements = { requirements: [], requirementsSuffice: true }
/** Something is asked that no list says. */
const untold: Requirements = { requirements: [], requirementsSuffice: false }
/** Something is asked that no item can have. */
const impossible: Requirements = { requirements: [[]], requirementsSuffice: true }

type Context = { filters: SchemaMap; inputs: Record<string, unknown> }

/** A negation goes inwards: that not all hold is that one does not. What is not known yet refuses nothing either way. */
function read(condition: Condition, context: Context, isNot: boolean): Requirements {
  if ('not' in condition) return read(condition.not, context, !isNot)
  if ('op' in condition) return ofComparison(condition, context, isNot)
  if ('contains' in condition) return untold
  const parts = 'all' in condition ? condition.all : condition.any
  const inner = parts.map((one) => read(one, context, isNot))
  return 'all' in condition === isNot ? oneOfMany(inner) : together(inner)
}

function together(parts: Requirements[]): Requirements {
  return {
    requirements: parts.flatMap(({ requirements }) => requirements),
    requirementsSuffice: parts.every(({ requirementsSuffice }) => requirementsSuffice),
  }
}

/** Alternatives are one list together only when each of them has one of its own; each gives its best. */
function oneOfMany(branches: Requirements[]): Requirements {
  if (branches.some(isNothing)) return nothing
  const best = branches.map(({ requirements }) => requirements.toSorted((a, b) => costOf(a) - costOf(b))[0])
  if (best.includes(undefined)) return untold
  const list = best.flatMap((one) => one ?? [])
  if (list.length > alternativesMax) return untold
  const isWhole = branches.every((one) => one.requirementsSuffice && one.requirements.length === 1)
  return { requirements: [list], requirementsSuffice: isWhole }
}

function isNothing({ requirements, requirementsSuffice }: Requirements): boolean {
  return requirementsSuffice && requirements.length === 0
}

/** A value narrows down more than a bound does, and what must not be narrows nothing down. */
function costOf(list: readonly Requirement[]): number {
  const worst = list.some((one) => one.isNot) ? 2 : list.some((one) => one.is !== 'same') ? 1 : 0
  return list.length + worst * alternativesMax
}

const bounds = { gt: 'above', gte: 'atLeast', lt: 'below', lte: 'atMost' } as const

type Comparison = Extract<Condition, { op: string }>

function ofComparison({ param, op, value }: Comparison, context: Context, isNot: boolean): Requirements {
  const schema = fieldsOfSource(context.filters)(param)?.schema
  if (!schema || schema.sourcePath === undefined) return nothing
  const path = schema.sourcePath
  const decimals = schema.types.includes('balance') ? (schema.decimals ?? 0) : 0
  const wanted = resolveValue(value, context.inputs)
  const isList = op === 'in' || op === 'nin'
  if (wanted === undefined || (isList && !Array.isArray(wanted))) return isNot ? nothing : impossible
  if (op === 'eq' || op === 'in') return among(isList ? wanted : [wanted], path, decimals, isNot)
  if (op === 'ne' || op === 'nin') return among(isList ? wanted : [wanted], path, decimals, !isNot)
  if (op === 'startsWith' || op === 'matches') return untold
  const bound = fromHuman(wanted, decimals)
  if (!readDecimal(bound)) return untold
  return { requirements: [[{ path, is: bounds[op], value: bound, isNot }]], requirementsSuffice: true }
}

/** To be one of them is one list of all; to be none of them is a list for each. */
function among(values: unknown, path: string, decimals: number, isNot: boolean): Requirements {
  if (!Array.isArray(values) || values.length > (isNot ? exceptionsMax : alternativesMax)) return untold
  const present = values.filter((value) => value !== undefined)
  const list = present.map((value) => ({ path, is: 'same' as const, value: fromHuman(value, decimals), isNot }))
  return { requirements: isNot ? list.map((one) => [one]) : [list], requirementsSuffice: true }
}
