import type { Condition } from '@tocsin/contract'
import type { SchemaMap } from '../read-schema.ts'
import { type Comparison, compileComparison } from './comparison.ts'
import { type Fields, fieldsOfElement, fieldsOfOutput } from './fields.ts'
import { resolveValue } from './values.ts'

export type ConditionOptions = { filtersSchema?: SchemaMap; inputs?: Record<string, unknown> }

/** True, false, or undefined when what is asked about is not known at this stage. */
export type Truth = boolean | undefined
export type Evaluate = (root: unknown) => Truth

/** Does an output meet the conditions? Null asks for nothing. */
export function compileConditions(
  conditions: Condition | null,
  { filtersSchema = {}, inputs = {} }: ConditionOptions = {},
): (raw: unknown) => boolean {
  if (conditions === null) return () => true
  const evaluate = compile(conditions, fieldsOfOutput(filtersSchema), inputs)
  return (raw) => evaluate(raw) === true
}

export function compile(condition: Condition, fields: Fields, inputs: Record<string, unknown>): Evaluate {
  if ('all' in condition) return all(condition.all.map((one) => compile(one, fields, inputs)))
  if ('any' in condition) return any(condition.any.map((one) => compile(one, fields, inputs)))
  if ('not' in condition) return not(compile(condition.not, fields, inputs))
  if ('contains' in condition) return contains(condition, fields, inputs)
  return comparison(condition, fields, inputs)
}

/** Nothing to meet is met. */
function all(parts: Evaluate[]): Evaluate {
  return (root) => {
    let truth: Truth = true
    for (const part of parts) {
      const one = part(root)
      if (one === false) return false
      if (one === undefined) truth = undefined
    }
    return truth
  }
}

/** Without an alternative there is none that holds. */
function any(parts: Evaluate[]): Evaluate {
  return (root) => {
    let truth: Truth = false
    for (const part of parts) {
      const one = part(root)
      if (one === true) return true
      if (one === undefined) truth = undefined
    }
    return truth
  }
}

function not(inner: Evaluate): Evaluate {
  return (root) => {
    const truth = inner(root)
    return truth === undefined ? undefined : !truth
  }
}

/** Some element of a list meets the inner condition, whose params are paths in that element. No list, no element. */
function contains(
  { param, contains: inner }: Extract<Condition, { contains: Condition }>,
  fields: Fields,
  inputs: Record<string, unknown>,
): Evaluate {
  const field = fields(param)
  if (!field) return unknown
  const evaluate = compile(inner, fieldsOfElement(field.schema), inputs)
  return (root) => {
    const list = field.read(root)
    return Array.isArray(list) && list.some((element) => evaluate(element) === true)
  }
}

function comparison({ param, op, value }: Comparison, fields: Fields, inputs: Record<string, unknown>): Evaluate {
  const field = fields(param)
  if (!field) return unknown
  const decimals = field.schema.types.includes('balance') ? (field.schema.decimals ?? 0) : 0
  const test = compileComparison(op, resolveValue(value, inputs), decimals)
  return (root) => test(field.read(root))
}

const unknown: Evaluate = () => undefined
