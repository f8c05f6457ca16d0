import { type Condition, isPathValue, itemToken, type PathValue } from '@tocsin/contract'
import type { SchemaMap } from '../base/read-schema.ts'
import { runSteps, spend, spendOnText, startSteps, withinSteps } from './budget.ts'
import { type Comparison, compileComparison } from './comparison.ts'
import { decimalsOf, type Field, type Fields, fieldsOfElement, fieldsOfOutcome, isInItemToken } from './fields.ts'
import { amountIn, isItemAmount, isTokenAmount, wantedOf, wantedOfPath } from './values.ts'

export type ConditionOptions = { filtersSchema?: SchemaMap; inputs?: Record<string, unknown> }

/** True, false, or undefined if the value is unknown at this stage. */
export type Truth = boolean | undefined
/** The decimals of each token that conditions name, by the text of the name; null if it is no token. */
export type TokenDecimals = ReadonlyMap<string, number | null>
/** Without `tokens`, a comparison with an amount of a token is unknown. */
export type Evaluate<Root = unknown> = (root: Root, tokens?: TokenDecimals) => Truth

/**
 * Compiles conditions to a predicate on an output and its item. Null accepts everything. The predicate throws an OverBudget
 * if it would take too many steps.
 */
export function compileConditions(
  conditions: Condition | null,
  { filtersSchema = {}, inputs = {} }: ConditionOptions = {},
): (raw: unknown, item: unknown, tokens?: TokenDecimals) => boolean {
  if (conditions === null) return () => true
  const evaluate = compileWithin(() => compile(conditions, fieldsOfOutcome(filtersSchema), inputs))
  return (raw, item, tokens) => {
    startSteps(runSteps)
    return evaluate({ raw, item }, tokens) === true
  }
}

/** Inputs can make the wanted values too large. Then each evaluation fails as one that takes too many steps. */
export function compileWithin<Root>(compileNow: () => Evaluate<Root>): Evaluate<Root> {
  return withinSteps(runSteps, compileNow, (error) => () => {
    throw error
  })
}

/** True if the conditions compare an amount in the item's own token. */
export function needsItemToken(condition: Condition | null, filtersSchema: SchemaMap = {}): boolean {
  return condition !== null && asksForItemToken(condition, fieldsOfOutcome(filtersSchema))
}

function asksForItemToken<Root>(condition: Condition, fields: Fields<Root>): boolean {
  if ('not' in condition) return asksForItemToken(condition.not, fields)
  if ('all' in condition) return condition.all.some((part) => asksForItemToken(part, fields))
  if ('any' in condition) return condition.any.some((part) => asksForItemToken(part, fields))
  const field = fields(condition.param)
  if (!field) return false
  if ('contains' in condition) return asksForItemToken(condition.contains, fieldsOfElement(field.schema))
  return tokenOf(condition, field) === itemToken
}

/** The token whose decimals a comparison needs; undefined if it needs none. */
export function tokenOf<Root>({ op, value }: Comparison, { schema }: Pick<Field<Root>, 'schema'>): string | undefined {
  if (isTokenAmount(value)) return value.token
  if (isItemAmount(value)) return itemToken
  if (typeof value === 'object' && value !== null && ('decimals' in value || 'path' in value)) return undefined
  return isInItemToken(schema) && op !== 'startsWith' && op !== 'matches' ? itemToken : undefined
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
    if ('op' in inner && !isOfToken(inner, fields)) return comparison(inner, fields, inputs, false)
    return not(compile(inner, fields, inputs))
  }
  if ('contains' in condition) return contains(condition, fields, inputs)
  return comparison(condition, fields, inputs)
}

function isOfToken<Root>(condition: Comparison, fields: Fields<Root>): boolean {
  const field = fields(condition.param)
  return field !== undefined && tokenOf(condition, field) !== undefined
}

/** True for an empty list. */
function all<Root>(parts: Evaluate<Root>[]): Evaluate<Root> {
  const [only] = parts
  if (only && parts.length === 1) return only
  return (root, tokens) => {
    spend(1)
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
    spend(1)
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
    spend(1)
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
  const cost = costOf(param)
  return (root, tokens) => {
    spend(cost)
    const list = field.read(root)
    if (!Array.isArray(list)) return false
    let truth: Truth = false
    for (const element of list) {
      spend(1)
      const result = evaluate(element, tokens)
      if (result === true) return true
      if (result === undefined) truth = undefined
    }
    return truth
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
  const token = tokenOf(condition, field)
  if (token !== undefined) return tokenComparison(condition, token, field, inputs)
  if (isPathValue(condition.value)) return pathComparison(condition, condition.value, field, fields, isWanted)
  const test = compileComparison(condition.op, wantedOf(condition, inputs, decimalsOf(field.schema)))
  const cost = costOf(condition.param)
  return (root) => {
    spend(cost)
    return test(field.read(root)) === isWanted
  }
}

/** Compares two fields of one root. The wanted value differs from root to root, so its test is compiled for each. */
function pathComparison<Root>(
  { param, op }: Comparison,
  value: PathValue,
  field: Field<Root>,
  fields: Fields<Root>,
  isWanted: boolean,
): Evaluate<Root> {
  const other = fields(value.path)
  if (!other) return unknown
  const cost = costOf(param) + costOf(value.path)
  return (root) => {
    spend(cost)
    const wanted = wantedOfPath(value, other.read(root))
    if (typeof wanted === 'string') spendOnText(wanted)
    return compileComparison(op, wanted)(field.read(root)) === isWanted
  }
}

/** A long path has many names to follow. */
function costOf(param: string): number {
  return 1 + (param.length >> 4)
}

/**
 * Compiles one test for each number of decimals that it meets. Without a token the decimals of the field count; if it has
 * none either, the comparison does not hold.
 */
function tokenComparison<Root>(
  condition: Comparison,
  token: string,
  field: Field<Root>,
  inputs: Record<string, unknown>,
): Evaluate<Root> {
  const tests = new Map<number, (value: unknown) => boolean>()
  const cost = costOf(condition.param)
  return (root, tokens) => {
    spend(cost)
    const known = tokens?.get(token)
    const decimals = known === null && token === itemToken ? ownDecimals(field) : known
    if (decimals === undefined || decimals === null) return decimals === null ? false : undefined
    const test = tests.get(decimals) ?? compileComparison(condition.op, wantedIn(condition, decimals, inputs))
    tests.set(decimals, test)
    return test(field.read(root))
  }
}

function ownDecimals<Root>({ schema: { types, decimals } }: Field<Root>): number | null {
  return types.includes('balance') && typeof decimals === 'number' ? decimals : null
}

/** What a comparison asks for, in the smallest unit of a token with so many decimals. */
export function wantedIn(condition: Comparison, decimals: number, inputs: Record<string, unknown>): unknown {
  const { value } = condition
  const isAmount = isTokenAmount(value) || isItemAmount(value)
  return isAmount ? amountIn({ amount: value.amount, decimals }, inputs) : wantedOf(condition, inputs, decimals)
}

const unknown: Evaluate = () => undefined
