import type { Condition } from '@tocsin/contract'
import type { SchemaMap } from '../base/read-schema.ts'
import { type Comparison, compileComparison } from './comparison.ts'
import { decimalsOf, type Fields, fieldsOfElement, fieldsOfOutcome } from './fields.ts'
import { wantedOf } from './values.ts'

export type ConditionOptions = { filtersSchema?: SchemaMap; inputs?: Record<string, unknown> }

/** True, false, or undefined if the value is unknown at this stage. */
export type Truth = boolean | undefined
export type Evaluate<Root = unknown> = (root: Root) => Truth

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
  if ('not' in condition) return not(compile(condition.not, fields, inputs))
  if ('contains' in condition) return contains(condition, fields, inputs)
  return comparison(condition, fields, inputs)
}

/** True for an empty list. */
function all<Root>(parts: Evaluate<Root>[]): Evaluate<Root> {
  return (root) => {
    let truth: Truth = true
    for (const part of parts) {
      const result = part(root)
      if (result === false) return false
      if (result === undefined) truth = undefined
    }
    return truth
  }
}

/** False for an empty list. */
function any<Root>(parts: Evaluate<Root>[]): Evaluate<Root> {
  return (root) => {
    let truth: Truth = false
    for (const part of parts) {
      const result = part(root)
      if (result === true) return true
      if (result === undefined) truth = undefined
    }
    return truth
  }
}

function not<Root>(inner: Evaluate<Root>): Evaluate<Root> {
  return (root) => {
    const truth = inner(root)
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
  return (root) => {
    const list = field.read(root)
    return Array.isArray(list) && list.some((element) => evaluate(element) === true)
  }
}

function comparison<Root>(
  condition: Comparison,
  fields: Fields<Root>,
  inputs: Record<string, unknown>,
): Evaluate<Root> {
  const field = fields(condition.param)
  if (!field) return unknown
  const test = compileComparison(condition.op, wantedOf(condition, inputs, decimalsOf(field.schema)))
  return (root) => test(field.read(root))
}

const unknown: Evaluate = () => undefined
