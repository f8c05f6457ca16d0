import type { Condition } from '@tocsin/contract'
import { compileComparison } from './comparison.ts'
import { fieldsOfElement, fieldsOfRun, fieldsOfRunStart, type RunValues } from './fields.ts'
import { compile, type Evaluate } from './predicate.ts'
import { wantedOf } from './values.ts'

type Inputs = Record<string, unknown>

/** Compiles the conditions of a trigger to a predicate on a run whose providers have finished. */
export function compileTriggerConditions(conditions: Condition, inputs: Inputs): (values: RunValues) => boolean {
  const evaluate = compileOnce(atEnd, conditions, inputs, () => compile(conditions, fieldsOfRun, inputs))
  return (values) => evaluate(values) === true
}

/**
 * Returns false if no results of the providers can make the conditions true for this source item. The follow loop drops
 * such an item before a provider runs.
 */
export function compileEarlyTriggerFilter(
  conditions: Condition | null | undefined,
  inputs: Inputs,
): (item: unknown) => boolean {
  if (!conditions) return () => true
  const evaluate = compileOnce(atStart, conditions, inputs, () => compile(conditions, fieldsOfRunStart, inputs))
  return (source) => evaluate({ source, inputs }) !== false
}

/** One comparison or `contains` of the conditions: if it held, and which value it saw. */
export type ConditionPart = {
  path: string
  param: string
  op: string
  wanted: unknown
  value: unknown
  held: boolean
}

/** Explains each part of the conditions on one run, for a test. */
export function explainConditions(condition: Condition, values: RunValues, path = 'conditions'): ConditionPart[] {
  if ('not' in condition) return explainConditions(condition.not, values, `${path}.not`)
  if ('all' in condition)
    return condition.all.flatMap((part, at) => explainConditions(part, values, `${path}.all.${at}`))
  if ('any' in condition)
    return condition.any.flatMap((part, at) => explainConditions(part, values, `${path}.any.${at}`))
  return [explainPart(condition, values, path)]
}

function explainPart(condition: Extract<Condition, { param: string }>, values: RunValues, path: string): ConditionPart {
  const { param } = condition
  const { inputs } = values
  const field = fieldsOfRun(param)
  const value = field.read(values)
  const seen = { path, param, value: value ?? null }
  if ('contains' in condition) {
    const evaluate = compile(condition.contains, fieldsOfElement(field.schema), inputs)
    const held = Array.isArray(value) && value.some((element) => evaluate(element) === true)
    return { ...seen, op: 'contains', wanted: condition.contains, held }
  }
  const wanted = wantedOf(condition, inputs, 0)
  return { ...seen, op: condition.op, wanted: shown(wanted), held: compileComparison(condition.op, wanted)(value) }
}

const listShownMax = 100

/** An address list may have 10,000 addresses. */
function shown(wanted: unknown): unknown {
  return Array.isArray(wanted) && wanted.length > listShownMax ? `${wanted.length} values` : (wanted ?? null)
}

type Cache<Root> = WeakMap<Condition, WeakMap<Inputs, Evaluate<Root>>>
const atStart: Cache<Omit<RunValues, 'providers'>> = new WeakMap()
const atEnd: Cache<RunValues> = new WeakMap()
const noInputs: Inputs = {}

/** Compiles once for each set of inputs, or once for all if no value names an input. */
function compileOnce<Root>(
  cache: Cache<Root>,
  conditions: Condition,
  inputs: Inputs,
  compileNow: () => Evaluate<Root>,
): Evaluate<Root> {
  const byInputs = cache.get(conditions) ?? new WeakMap<Inputs, Evaluate<Root>>()
  cache.set(conditions, byInputs)
  const key = namesInputs(conditions) ? inputs : noInputs
  const evaluate = byInputs.get(key) ?? compileNow()
  byInputs.set(key, evaluate)
  return evaluate
}

const knownToNameInputs = new WeakMap<Condition, boolean>()

function namesInputs(conditions: Condition): boolean {
  const answer = knownToNameInputs.get(conditions) ?? /\{\{\s*inputs/.test(JSON.stringify(conditions))
  knownToNameInputs.set(conditions, answer)
  return answer
}
