import type { Condition, TokenAmount } from '@tocsin/contract'
import type { SchemaMap } from '../base/read-schema.ts'
import { type Comparison, compileComparison } from './comparison.ts'
import { decimalsOf, type Field, type Fields, fieldsOfElement, fieldsOfOutcome } from './fields.ts'
import { amountIn, isTokenAmount, wantedOf } from './values.ts'

export type ConditionOptions = { filtersSchema?: SchemaMap; inputs?: Record<string, unknown> }

/** True, false, or undefined if the value is unknown at this stage. */
export type Truth = boolean | undefined
/** The decimals of each token that conditions name, by the text of the name; null if it is no token. */
export type TokenDecimals = ReadonlyMap<string, number | null>
/** Without `tokens`, a comparison with an amount of a token is unknown. */
export type Evaluate<Root = unknown> = (root: Root, tokens?: TokenDecimals) => Truth

/** Compiles conditions to a predicate on an output and its item. Null accepts everything. */
export function compileConditions(
  conditions: Condition | null,
  { filtersSchema = {}, inputs = {} }: ConditionOptions = {},
): (raw: unknown, item: unknown) => boolean {
  if (conditions === null) return () => true
  const evaluate = compile(conditions, fieldsOfOutcome(filtersSchema), inputs)
  return (raw, item) => evaluate({ raw, item }) === true
}

export function compile<Root>(
  condition: Condition,
  fields: Fields<Root>,
  inputs: Record<string, unknown>,
): Evaluate<Root> {
  if ('all' in condition) return all(condition.all.map((part) => compile(part, fields, inputs)))
  if ('any' in condition) return any(condition.any.map((part) => compile(part, fields, inputs)))
  if ('not' in condition) {
    const inner = condition.not
    // Thousands of candidates of one item load their predicates from memory, so a predicate has few parts.
    if ('op' in inner && !isTokenAmount(inner.value)) return comparison(inner, fields, inputs, false)
    return not(compile(inner, fields, inputs))
  }
  if ('contains' in condition) return contains(condition, fields, inputs)
  return comparison(condition, fields, inputs)
}

/** True for an empty list. */
function all<Root>(parts: Evaluate<Root>[]): Evaluate<Root> {
  const [only] = parts
  if (only && parts.length === 1) return only
  return (root, tokens) => {
    let truth: Truth = true
    for (const part of parts) {
      const result = part(root, tokens)
      if (result === false) return false
      if (result === undefined) truth = undefined
    }
    return truth
  }
}

/** False for an empty list. */
function any<Root>(parts: Evaluate<Root>[]): Evaluate<Root> {
  return (root, tokens) => {
    let truth: Truth = false
    for (const part of parts) {
      const result = part(root, tokens)
      if (result === true) return true
      if (result === undefined) truth = undefined
    }
    return truth
  }
}

function not<Root>(inner: Evaluate<Root>): Evaluate<Root> {
  return (root, tokens) => {
    const truth = inner(root, tokens)
    return truth === undefined ? undefined : !truth
  }
}

/** True if an element of the list meets the inner condition, whose params are paths in the element. False if the value is not a list. */
function contains<Root>(
  { param, contains: inner }: Extract<Condition, { contains: Condition }>,
  fields: Fields<Root>,
  inputs: Record<string, unknown>,
): Evaluate<Root> {
  const field = fields(param)
  if (!field) return unknown
  const evaluate = compile(inner, fieldsOfElement(field.schema), inputs)
  return (root, tokens) => {
    const list = field.read(root)
    if (!Array.isArray(list)) return false
    const truths = list.map((element) => evaluate(element, tokens))
    return truths.includes(true) || (truths.includes(undefined) ? undefined : false)
  }
}

function comparison<Root>(
  condition: Comparison,
  fields: Fields<Root>,
  inputs: Record<string, unknown>,
  isWanted = true,
): Evaluate<Root> {
  const field = fields(condition.param)
  if (!field) return unknown
  if (isTokenAmount(condition.value)) return tokenComparison(condition, condition.value, field, inputs)
  const test = compileComparison(condition.op, wantedOf(condition, inputs, decimalsOf(field.schema)))
  return isWanted ? (root) => test(field.read(root)) : (root) => !test(field.read(root))
}

/** Compiles one test for each number of decimals that it meets. Without a token the comparison does not hold. */
function tokenComparison<Root>(
  { op }: Comparison,
  { amount, token }: TokenAmount,
  field: Field<Root>,
  inputs: Record<string, unknown>,
): Evaluate<Root> {
  const tests = new Map<number, (value: unknown) => boolean>()
  return (root, tokens) => {
    const decimals = tokens?.get(token)
    if (decimals === undefined || decimals === null) return decimals === null ? false : undefined
    const test = tests.get(decimals) ?? compileComparison(op, amountIn({ amount, decimals }, inputs))
    tests.set(decimals, test)
    return test(field.read(root))
  }
}

const unknown: Evaluate = () => undefined
