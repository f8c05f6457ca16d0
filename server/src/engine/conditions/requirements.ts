import type { Condition } from '@tocsin/contract'
import { readDecimal } from '../decimals.ts'
import type { SchemaMap } from '../read-schema.ts'
import { fieldsOfSource } from './fields.ts'
import type { ConditionOptions } from './predicate.ts'
import { fromHuman } from './same-key.ts'
import { resolveValue } from './values.ts'

/**
 * Something about the value that an item has at this path: it is the same by the rule of `sameKey`, or a number within a
 * bound, `above` and `below` without the bound itself.
 */
export type Requirement = { path: string; is: 'same' | 'atLeast' | 'above' | 'atMost' | 'below'; value: unknown }

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

/** To be spread into an entry of the trigger index. */
export function readRequirements(
  conditions: Condition | null,
  { filtersSchema = {}, inputs = {} }: ConditionOptions = {},
): Requirements {
  return conditions === null ? nothing : read(conditions, { filters: filtersSchema, inputs })
}

/** Nothing is asked that the source item could miss. */
const nothing: Requirements = { requirements: [], requirementsSuffice: true }
/** Something is asked that no list says. */
const untold: Requirements = { requirements: [], requirementsSuffice: false }

type Context = { filters: SchemaMap; inputs: Record<string, unknown> }

function read(condition: Condition, context: Context): Requirements {
  if ('all' in condition) return together(condition.all.map((one) => read(one, context)))
  if ('any' in condition) return oneOfMany(condition.any.map((one) => read(one, context)))
  return 'op' in condition ? ofComparison(condition, context) : untold
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

/** A value narrows down more than a bound does. */
function costOf(list: readonly Requirement[]): number {
  return list.length + (list.some((one) => one.is !== 'same') ? alternativesMax : 0)
}

const bounds = { gt: 'above', gte: 'atLeast', lt: 'below', lte: 'atMost' } as const

function ofComparison({ param, op, value }: Extract<Condition, { op: string }>, context: Context): Requirements {
  const schema = fieldsOfSource(context.filters)(param)?.schema
  if (!schema || schema.sourcePath === undefined) return nothing
  const path = schema.sourcePath
  const decimals = schema.types.includes('balance') ? (schema.decimals ?? 0) : 0
  const wanted = resolveValue(value, context.inputs)
  if (op === 'eq') return sameAs([wanted], path, decimals)
  if (op === 'in') return sameAs(Array.isArray(wanted) ? wanted : [], path, decimals)
  if (op !== 'gt' && op !== 'gte' && op !== 'lt' && op !== 'lte') return untold
  const bound = fromHuman(wanted, decimals)
  if (!readDecimal(bound)) return untold
  return { requirements: [[{ path, is: bounds[op], value: bound }]], requirementsSuffice: true }
}

function sameAs(values: unknown[], path: string, decimals: number): Requirements {
  if (values.length > alternativesMax) return untold
  const present = values.filter((value) => value !== undefined)
  const list = present.map((value) => ({ path, is: 'same' as const, value: fromHuman(value, decimals) }))
  return { requirements: [list], requirementsSuffice: true }
}
