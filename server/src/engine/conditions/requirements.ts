import { type Condition, isPathValue } from '@tocsin/contract'
import { readDecimal } from '../base/decimals.ts'
import { parsePath } from '../base/paths.ts'
import { runSteps, withinSteps } from './budget.ts'
import { type Comparison, compileComparison, textOf } from './comparison.ts'
import { decimalsOf, fieldsOfRunStart, fieldsOfSource, isInItemToken, isLength } from './fields.ts'
import type { ConditionOptions } from './predicate.ts'
import { isItemAmount, isTokenAmount, wantedOf } from './values.ts'

/**
 * A requirement on the item's value at this path: it equals `value` by the rule of `sameKey`, it is a number within a bound
 * (`above` and `below` exclude the bound), or its text begins with `value` in lower case. `isNot` negates it; a value that
 * is not a number is in no bound, and one without a text has no beginning.
 */
export type Requirement = { path: string; isNot?: boolean } & (
  | { is: 'same' | 'atLeast' | 'above' | 'atMost' | 'below'; value: unknown }
  | { is: 'startsWith'; value: string }
)

/**
 * What must hold in a source item if its outputs are to meet the conditions. In every list at least one requirement must
 * hold. `{from eq A} or {to eq A}` is one list of two; `{from eq A} and {value gt 5}` is two lists of one. No list demands
 * nothing; an empty list means that no item can meet the conditions.
 */
export type Requirements = {
  requirements: Requirement[][]
  /**
   * What the lists do not express. The early filter accepts an item exactly if the item fulfils all lists and the early
   * filter of each of these conditions accepts it.
   */
  rest: readonly Condition[]
  /** True if there is no rest. */
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
  if (conditions === null) return noDemand
  const fields = fieldsOfSource(filtersSchema)
  const locate = (param: string): Location | undefined => {
    const schema = fields(param)?.schema
    // The decimals of a token are read when the trigger runs.
    if (schema?.sourcePath === undefined || isInItemToken(schema) || isLength(parsePath(schema.sourcePath)))
      return undefined
    return { path: schema.sourcePath, decimals: decimalsOf(schema) }
  }
  return readWithin(conditions, { locate, inputs })
}

const sourceRoot = 'source.'

/** The same for the conditions of a trigger. The inputs are known, the results of providers are not. */
export function readTriggerRequirements(
  conditions: Condition | null | undefined,
  inputs: Record<string, unknown>,
): Requirements {
  if (!conditions) return noDemand
  const locate = (param: string): Location | undefined => {
    if (isLength(parsePath(param))) return undefined
    if (param.startsWith(sourceRoot)) return { path: param.slice(sourceRoot.length), decimals: 0 }
    const field = fieldsOfRunStart(param)
    return field && { constant: field.read({ source: undefined, inputs }) }
  }
  return readWithin(conditions, { locate, inputs })
}

/** What costs too much to be read as lists stays a condition. */
function readWithin(conditions: Condition, context: Context): Requirements {
  return withinSteps(
    runSteps,
    () => read(conditions, context, false),
    () => inexpressible(conditions, false),
  )
}

/** The conditions demand nothing of the source item. */
const noDemand = requirementsOf([])
/** No item can meet the conditions. */
const impossible = requirementsOf([[]])

/** The condition demands something that lists cannot express. */
function inexpressible(condition: Condition, isNot: boolean): Requirements {
  return requirementsOf([], [isNot ? { not: condition } : condition])
}

function requirementsOf(requirements: Requirement[][], rest: readonly Condition[] = []): Requirements {
  return { requirements, rest, requirementsSuffice: rest.length === 0 }
}

/** Where the value of a param is: at a path of the source item, or known already. */
type Location = { path: string; decimals: number } | { constant: unknown }
type Context = {
  /** Undefined if the source item does not decide the value. */
  locate(param: string): Location | undefined
  inputs: Record<string, unknown>
}

/** Pushes a negation inwards: not (a and b) is (not a) or (not b). An unknown value accepts the item in both cases. */
function read(condition: Condition, context: Context, isNot: boolean): Requirements {
  if ('not' in condition) return read(condition.not, context, !isNot)
  if ('op' in condition) return readComparison(condition, context, isNot)
  if ('contains' in condition) return inexpressible(condition, isNot)
  const parts = 'all' in condition ? condition.all : condition.any
  const inner = parts.map((part) => read(part, context, isNot))
  return 'all' in condition === isNot ? joinAlternatives(inner, condition, isNot) : joinAll(inner)
}

function joinAll(parts: Requirements[]): Requirements {
  return requirementsOf(
    parts.flatMap(({ requirements }) => requirements),
    parts.flatMap(({ rest }) => rest),
  )
}

/** Joins the best list of each alternative into one list. That works only if each alternative has a list. */
function joinAlternatives(branches: Requirements[], condition: Condition, isNot: boolean): Requirements {
  if (branches.some(demandsNothing)) return noDemand
  const best = branches.map(({ requirements }) => requirements.toSorted((a, b) => costOf(a) - costOf(b))[0])
  if (best.includes(undefined)) return inexpressible(condition, isNot)
  const list = best.flatMap((part) => part ?? [])
  if (list.length > alternativesMax) return inexpressible(condition, isNot)
  const isComplete = branches.every((part) => part.requirementsSuffice && part.requirements.length === 1)
  return requirementsOf([list], isComplete ? [] : inexpressible(condition, isNot).rest)
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

function readComparison(condition: Comparison, { locate, inputs }: Context, isNot: boolean): Requirements {
  const { param, op } = condition
  const location = locate(param)
  if (!location || isTokenAmount(condition.value) || isItemAmount(condition.value)) return noDemand
  // The other field may be of the item, of a provider or of an input, and the index compares with known values only.
  if (isPathValue(condition.value)) return inexpressible(condition, isNot)
  if ('constant' in location) {
    const holds = compileComparison(op, wantedOf(condition, inputs, 0))(location.constant)
    return holds === isNot ? impossible : noDemand
  }
  const { path, decimals } = location
  const wanted = wantedOf(condition, inputs, decimals)
  const isList = op === 'in' || op === 'nin'
  if (wanted === undefined || (isList && !Array.isArray(wanted))) return isNot ? noDemand : impossible
  const other = inexpressible(condition, isNot)
  if (op === 'eq' || op === 'in') return among(isList ? wanted : [wanted], path, isNot) ?? other
  if (op === 'ne' || op === 'nin') return among(isList ? wanted : [wanted], path, !isNot) ?? other
  if (op === 'startsWith') return startsWith(wanted, path, isNot)
  if (op === 'matches' || !readDecimal(wanted)) return other
  return requirementsOf([[{ path, is: bounds[op], value: wanted, isNot }]])
}

/** `in` is one list of all values; `nin` is one list for each value. Undefined if the values are too many. */
function among(values: unknown, path: string, isNot: boolean): Requirements | undefined {
  if (!Array.isArray(values) || values.length > (isNot ? exceptionsMax : alternativesMax)) return undefined
  const present = values.filter((value) => value !== undefined)
  const list = present.map((value) => ({ path, is: 'same' as const, value, isNot }))
  return requirementsOf(isNot ? list.map((part) => [part]) : [list])
}

function startsWith(wanted: unknown, path: string, isNot: boolean): Requirements {
  const value = textOf(wanted)?.toLowerCase()
  if (value === undefined) return isNot ? noDemand : impossible
  return requirementsOf([[{ path, is: 'startsWith', value, isNot }]])
}
