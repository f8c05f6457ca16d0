import { type Condition, isPathValue } from '@tocsin/contract'
import { earlySteps, OverBudget, runSteps, startSteps } from './budget.ts'
import type { Comparison } from './comparison.ts'
import { fieldsOfRun, fieldsOfRunStart, fieldsOfSource, type RunValues } from './fields.ts'
import {
  type ConditionOptions,
  compile,
  compileWithin,
  type Evaluate,
  type TokenDecimals,
  tokenOf,
  wantedIn,
} from './predicate.ts'
import { wantedOf, wantedOfPath } from './values.ts'

type Inputs = Record<string, unknown>

/**
 * Compiles the conditions of a trigger for a run whose providers have finished. The result is undefined if it depends on
 * tokens and these are not given. It throws an OverBudget if it would take too many steps.
 */
export function compileTriggerConditions(conditions: Condition, inputs: Inputs): Evaluate<RunValues> {
  const evaluate = compileOnce(atEnd, conditions, inputs, () => compile(conditions, fieldsOfRun, inputs))
  return (values, tokens) => {
    startSteps(runSteps)
    return evaluate(values, tokens)
  }
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
  return (source) => passes(evaluate, { source, inputs })
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

/** Explains each part of the conditions on one run, for a test. The parts share one budget. */
export function explainConditions(condition: Condition, run: Explained): ConditionPart[] {
  startSteps(runSteps)
  return partsOf(condition, 'conditions').map(({ part, path }) => explainPart(part, run, path))
}

type Part = Extract<Condition, { param: string }>

function partsOf(condition: Condition, path: string): { part: Part; path: string }[] {
  if ('not' in condition) return partsOf(condition.not, `${path}.not`)
  if ('all' in condition) return condition.all.flatMap((part, at) => partsOf(part, `${path}.all.${at}`))
  if ('any' in condition) return condition.any.flatMap((part, at) => partsOf(part, `${path}.any.${at}`))
  return [{ part: condition, path }]
}

function explainPart(part: Part, run: Explained, path: string): ConditionPart {
  const { param } = part
  const read = fieldsOfRun(param).read(run.values)
  const known = { path, param, op: 'contains' in part ? 'contains' : part.op, value: shown(read) }
  try {
    const wanted = 'contains' in part ? part.contains : shown(wantedWith(part, run))
    const held = compile(part, fieldsOfRun, run.values.inputs)(run.values, run.tokens) ?? null
    const issue = explainNothing(part, read, run.values)
    return { ...known, wanted, held, ...(issue !== undefined && { issue }) }
  } catch (error) {
    if (!(error instanceof OverBudget)) throw error
    return { ...known, wanted: null, held: null, issue: `not explained: the conditions ${error.message}` }
  }
}

/** A comparison with nothing can probably never hold. */
function explainNothing(part: Part, read: unknown, values: RunValues): string | undefined {
  const other = 'op' in part && isPathValue(part.value) ? part.value : undefined
  if (read === undefined) return `there is nothing at ${part.param}`
  if (!other) return undefined
  const value = fieldsOfRun(other.path).read(values)
  if (value === undefined) return `there is nothing at ${other.path}`
  return wantedOfPath(other, value) === undefined ? `${other.path} is no number` : undefined
}

/** The value that was compared with. */
function wantedWith(condition: Comparison, { values, tokens }: Explained): unknown {
  const { inputs } = values
  if (isPathValue(condition.value)) return wantedOfPath(condition.value, fieldsOfRun(condition.value.path).read(values))
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

const [listShownMax, textShownMax] = [100, 300]

/** An address list may have 10,000 addresses, and an answer repeats a value for each condition that reads it. */
function shown(value: unknown): unknown {
  if (typeof value === 'string' && value.length > textShownMax) return `${value.slice(0, textShownMax)}…`
  if (Array.isArray(value) && value.length > listShownMax) return `${value.length} values`
  return isShort(value, { left: textShownMax }) ? (value ?? null) : Array.isArray(value) ? 'a long list' : 'an object'
}

/** Stops after some hundred characters. */
function isShort(value: unknown, budget: { left: number }): boolean {
  budget.left -= typeof value === 'string' ? value.length : 4
  if (budget.left < 0) return false
  if (typeof value !== 'object' || value === null) return true
  for (const name in value) {
    budget.left -= name.length
    if (!isShort(value[name as keyof typeof value], budget)) return false
  }
  return true
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
  const evaluate = byInputs.get(key) ?? compileWithin(compileNow)
  byInputs.set(key, evaluate)
  return evaluate
}

const knownToNameInputs = new WeakMap<Condition, boolean>()

function namesInputs(conditions: Condition): boolean {
  const answer = knownToNameInputs.get(conditions) ?? /\{\{\s*inputs/.test(JSON.stringify(conditions))
  knownToNameInputs.set(conditions, answer)
  return answer
}

export type EarlyOptions = ConditionOptions

/**
 * Returns false if no output of this source item can meet the conditions. It checks only filters with a `sourcePath`, so
 * that most items are dropped before a provider or a script runs. An unknown value never drops an item.
 */
export function compileEarlyFilter(
  conditions: Condition | null,
  { filtersSchema = {}, inputs = {} }: EarlyOptions = {},
): (item: unknown) => boolean {
  if (conditions === null) return () => true
  const evaluate = compileWithin(() => compile(conditions, fieldsOfSource(filtersSchema), inputs))
  return (item) => passes(evaluate, item)
}

/** False only if the conditions are known to be false. What takes too many steps is not known. */
function passes<Root>(evaluate: Evaluate<Root>, root: Root): boolean {
  startSteps(earlySteps)
  try {
    return evaluate(root) !== false
  } catch (error) {
    if (error instanceof OverBudget) return true
    throw error
  }
}
