import type { Issue } from '@tocsin/contract'
import { isObject } from '../base/json.ts'
import { readSchema, type Schema, type SchemaMap } from '../base/read-schema.ts'
import { runSteps, spend, spendOnText, withinSteps } from '../conditions/budget.ts'
import { isAddressOfType } from '../sources/addresses.ts'

/**
 * Checks values against schemas. A tenant writes both, and some pairs multiply: a long list with many alternatives, or many
 * objects that lack many properties. So each step is counted, with one budget for all outputs of a run.
 */

/** The items of a large list often have the same issue, so the first issues are enough. */
const issuesMax = 20
const levelsMax = 16
const shownChoicesMax = 10
/** A value with one schema takes longer than a step of conditions. A list of all values that a script can return still fits. */
const valueSteps = 3

/** A value, its schema map, and the path of the value in issues. */
export type Checked = { value: unknown; map: SchemaMap; path: string }
type Issues = Generator<Issue, void, undefined>

/**
 * Checks the outputs of a run, or the inputs of a subscription, against their schema maps. Properties are required unless
 * optional; further properties are allowed. Values that take too many steps have one issue, which names the limit.
 */
export function checkAgainstSchemas(all: readonly Checked[]): Issue[] {
  const issues: Issue[] = []
  const collect = () => {
    for (const issue of checkEach(all)) if (issues.push(issue) === issuesMax) break
    return issues
  }
  return withinSteps(runSteps, collect, () => [{ path: all[0]?.path ?? '', message: tooManySteps }])
}

const tooManySteps = `takes too many steps to check against its schema: at most ${runSteps.toLocaleString('en-US')} are allowed`

function* checkEach(all: readonly Checked[]): Issues {
  for (const { value, map, path } of all) yield* checkProperties(value, map, path, 0)
}

function* check(value: unknown, definition: unknown, path: string, level: number): Issues {
  spend(valueSteps)
  if (level > levelsMax) return
  const { schema, choices } = read(definition)
  const mismatch = explainMismatch(value, schema, choices)
  if (mismatch) {
    yield { path, message: mismatch }
    return
  }
  if (typeof value === 'object') yield* checkInside(value, schema, path, level + 1)
  if (schema.allOf || schema.anyOf || schema.oneOf) yield* checkCombined(value, schema, path, level + 1)
}

/** A schema in normal form. One check can need it many thousand times, so it is read once. */
type Read = { schema: Schema; choices: Choices | undefined }
const alreadyRead = new WeakMap<object, Read>()

function read(definition: unknown): Read {
  if (!isObject(definition)) return { schema: readSchema(definition), choices: undefined }
  const found = alreadyRead.get(definition)
  if (found) return found
  const schema = readSchema(definition)
  const made = { schema, choices: schema.choices && readChoices(schema.choices) }
  alreadyRead.set(definition, made)
  return made
}

function explainMismatch(value: unknown, schema: Schema, choices: Choices | undefined): string | undefined {
  const { types } = schema
  if (typeof value === 'string') spendOnText(value)
  if (types.length > 0 && !types.some((type) => isOfType(value, type, schema)))
    return `must be ${types.map((type) => nameOf(type, schema)).join(' or ')}, but is ${toShortText(value)}`
  if (!choices || (value === null && types.includes('null')) || choices.has(value)) return undefined
  spend(shownChoicesMax)
  const shown = schema.choices?.slice(0, shownChoicesMax).map(toShortText) ?? []
  return `must be one of ${shown.join(', ')}, but is ${toShortText(value)}`
}

const typeChecks: Record<string, (value: unknown, schema: Schema) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' || isWideInteger(value),
  integer: (value) => Number.isInteger(value) || isWideInteger(value),
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  array: Array.isArray,
  null: (value) => value === null,
  address: (value, { addressType }) => typeof value === 'string' && isAddressOfType(value, addressType),
  balance: (value) => Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value)),
  enum: () => true,
}

function isOfType(value: unknown, type: string, schema: Schema): boolean {
  return typeChecks[type]?.(value, schema) ?? false
}

/** Source items write an integer beyond 2^53 as text, so such a text counts as a number. */
function isWideInteger(value: unknown): boolean {
  return typeof value === 'string' && /^-?\d{16,}$/.test(value) && !Number.isSafeInteger(Number(value))
}

function* checkInside(value: unknown, schema: Schema, path: string, level: number): Issues {
  if (Array.isArray(value)) return yield* checkItems(value, schema.items, path, level)
  if (!isObject(value)) return
  const { properties = {}, additionalProperties: others } = schema
  yield* checkProperties(value, properties, path, level)
  if (!others) return
  for (const name of Object.keys(value)) {
    spend(1)
    if (!Object.hasOwn(properties, name)) yield* check(value[name], others, `${path}.${name}`, level)
  }
}

function* checkProperties(value: unknown, map: SchemaMap, path: string, level: number): Issues {
  if (!isObject(value)) return yield { path, message: `must be an object, but is ${toShortText(value)}` }
  for (const name of Object.keys(map)) {
    spend(1)
    const inner = Object.hasOwn(value, name) ? value[name] : undefined
    if (inner !== undefined) yield* check(inner, map[name], `${path}.${name}`, level)
    else if (!read(map[name]).schema.optional) yield { path: `${path}.${name}`, message: 'is required' }
  }
}

function* checkItems(list: unknown[], items: unknown, path: string, level: number): Issues {
  for (const [index, item] of list.entries()) {
    const schema = Array.isArray(items) ? items[index] : items
    if (schema === undefined) return
    yield* check(item, schema, `${path}.${index}`, level)
  }
}

function* checkCombined(value: unknown, { allOf = [], anyOf, oneOf }: Schema, path: string, level: number): Issues {
  const fits = (schema: unknown) => check(value, schema, path, level).next().done === true
  for (const schema of allOf) yield* check(value, schema, path, level)
  if (anyOf && !anyOf.some(fits)) yield { path, message: 'must match at least one schema of anyOf' }
  if (oneOf && oneOf.filter(fits).length !== 1) yield { path, message: 'must match exactly one schema of oneOf' }
}

function nameOf(type: string, { addressType }: Schema): string {
  if (type === 'address') return addressType ? `an address (${addressType})` : 'an address'
  if (type === 'balance') return 'an integer as text (balance)'
  return type
}

function toShortText(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 60) : value) ?? 'missing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** The values that an enum allows. Their keys are made once, so a value costs its own size and not the number of choices. */
type Choices = { has(value: unknown): boolean }

/** A request has no deeper values, so a deeper one equals no choice. */
const choiceLevelsMax = 64

function readChoices(values: readonly unknown[]): Choices {
  const keys = new Set(values.map((value) => keyOf(value, () => undefined)))
  keys.delete(undefined)
  const hasParts = values.some((value) => Array.isArray(value) || isObject(value))
  return {
    has(value) {
      if (!hasParts && typeof value === 'object' && value !== null) return false
      const key = keyOf(value, (text) => (text === undefined ? spend(1) : spendOnText(text)))
      return key !== undefined && keys.has(key)
    },
  }
}

/** Equal values have the same key, whatever the order of their fields. */
function keyOf(value: unknown, count: (text?: string) => void): string | undefined {
  const parts: string[] = []
  return write(value, 0, parts, count) ? parts.join('') : undefined
}

function write(value: unknown, level: number, parts: string[], count: (text?: string) => void): boolean {
  if (level > choiceLevelsMax) return false
  const inside = (inner: unknown) => write(inner, level + 1, parts, count)
  if (Array.isArray(value)) {
    count()
    parts.push('[')
    return value.every(inside) && parts.push(']') > 0
  }
  if (!isObject(value)) {
    count(typeof value === 'string' ? value : undefined)
    return parts.push(JSON.stringify(value) ?? 'null', ',') > 0
  }
  const names = Object.keys(value)
  // Sorting compares each name some times.
  for (const name of names) count(name)
  parts.push('{')
  return (
    names.sort().every((name) => parts.push(JSON.stringify(name), ':') > 0 && inside(value[name])) &&
    parts.push('}') > 0
  )
}
