import type { Condition } from '@tocsin/contract'
import type { Comparison } from './comparison.ts'
import { fieldsOfRun, fieldsOfRunStart, type RunValues } from './fields.ts'
import { compile, type Evaluate, type TokenDecimals, tokenOf, wantedIn } from './predicate.ts'
import { wantedOf } from './values.ts'

type Inputs = Record<string, unknown>

/**
 * Compiles the conditions of a trigger for a run whose providers have finished. The result is undefined if it depends on
 * tokens and these are not given.
 */
export function compileTriggerConditions(conditions: Condition, inputs: Inputs): Evaluate<RunValues> {
  return compileOnce(atEnd, conditions, inputs, () => compile(conditions, fieldsOfRun, inputs))
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
  /** Null if it depends on a token that was not read. */
  held: boolean | null
  /** Why it can probably never hold. */
  issue?: string
}
/** A run whose conditions are explained, with the tokens that were read for it. */
export type Explained = { values: RunValues; tokens?: TokenDecimals | undefined }

/** Explains each part of the conditions on one run, for a test. */
export function explainConditions(condition: Condition, run: Explained, path = 'conditions'): ConditionPart[] {
  if ('not' in condition) return explainConditions(condition.not, run, `${path}.not`)
  if ('all' in condition) return condition.all.flatMap((part, at) => explainConditions(part, run, `${path}.all.${at}`))
  if ('any' in condition) return condition.any.flatMap((part, at) => explainConditions(part, run, `${path}.any.${at}`))
  return [explainPart(condition, run, path)]
}

function explainPart(
  condition: Extract<Condition, { param: string }>,
  { values, tokens }: Explained,
  path: string,
): ConditionPart {
  const { param } = condition
  const read = fieldsOfRun(param).read(values)
  const value = read ?? null
  const issue = read === undefined ? { issue: `there is nothing at ${param}` } : {}
  const held = compile(condition, fieldsOfRun, values.inputs)(values, tokens) ?? null
  if ('contains' in condition) return { path, param, op: 'contains', wanted: condition.contains, value, held, ...issue }
  const wanted = shown(wantedWith(condition, values.inputs, tokens))
  return { path, param, op: condition.op, wanted, value, held, ...issue }
}

function wantedWith(condition: Comparison, inputs: Inputs, tokens: TokenDecimals | undefined): unknown {
  const token = tokenOf(condition, fieldsOfRun(condition.param))
  if (token === undefined) return wantedOf(condition, inputs, 0)
  const decimals = tokens?.get(token) ?? undefined
  return decimals === undefined ? undefined : wantedIn(condition, decimals, inputs)
}

/** The names of the tokens whose amounts the conditions compare, each once. */
export function tokensIn(condition: Condition): readonly string[] {
  const known = tokensByCondition.get(condition)
  if (known) return known
  const tokens = [...new Set(findTokens(condition))]
  tokensByCondition.set(condition, tokens)
  return tokens
}

const tokensByCondition = new WeakMap<Condition, readonly string[]>()

function findTokens(condition: Condition): string[] {
  if ('not' in condition) return findTokens(condition.not)
  if ('all' in condition) return condition.all.flatMap(findTokens)
  if ('any' in condition) return condition.any.flatMap(findTokens)
  if ('contains' in condition) return findTokens(condition.contains)
  const token = tokenOf(condition, fieldsOfRun(condition.param))
  return token === undefined ? [] : [token]
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
