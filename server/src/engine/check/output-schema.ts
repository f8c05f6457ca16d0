import type { Issue } from '@tocsin/contract'
import { isObject } from '../base/is-object.ts'
import { readSchema, type Schema, type SchemaMap } from '../base/read-schema.ts'
import { isAddressOf } from '../sources/addresses.ts'

/** The items of a large list often have the same issue, so the first issues are enough. */
const issuesMax = 20
const levelsMax = 16
/** A long list with many alternatives costs their product. Above this limit the check refuses the value. */
const checksMax = 200_000

type Walk = { level: number; spent: { checks: number } }

/** Checks an output against its schema map. Properties are required unless optional; further properties are allowed. */
export function checkOutput(value: unknown, map: SchemaMap, path: string): Issue[] {
  return runBounded(path, (walk) => checkProperties(value, map, path, walk))
}

/** Checks one value against one schema. */
export function checkValue(value: unknown, schema: unknown, path: string): Issue[] {
  return runBounded(path, (walk) => check(value, schema, path, walk))
}

function runBounded(path: string, run: (walk: Walk) => Issue[]): Issue[] {
  const spent = { checks: 0 }
  const issues = run({ level: 0, spent })
  if (spent.checks > checksMax) return [{ path, message: 'is too large to be checked against its schema' }]
  return issues.slice(0, issuesMax)
}

function check(value: unknown, definition: unknown, path: string, walk: Walk): Issue[] {
  if (++walk.spent.checks > checksMax || walk.level > levelsMax) return []
  const inner = { ...walk, level: walk.level + 1 }
  const schema = readSchema(definition)
  const mismatch = explainMismatch(value, schema)
  if (mismatch) return [{ path, message: mismatch }]
  return [...checkInside(value, schema, path, inner), ...checkCombined(value, schema, path, inner)]
}

function explainMismatch(value: unknown, schema: Schema): string | undefined {
  const { types, choices } = schema
  if (types.length > 0 && !types.some((type) => isOfType(value, type, schema)))
    return `must be ${types.map((type) => nameOf(type, schema)).join(' or ')}, but is ${toShortText(value)}`
  const isChosen =
    !choices || (value === null && types.includes('null')) || choices.some((choice) => isSame(choice, value))
  return isChosen
    ? undefined
    : `must be one of ${choices.slice(0, 10).map(toShortText).join(', ')}, but is ${toShortText(value)}`
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

/** Checks only the form: an output shows an address, it does not send money to it. */
export function isAddressOfType(text: string, type: string | undefined): boolean {
  if (type === 'evm' || type === 'solana') return isAddressOf(type, text)
  if (type === 'ss58') return /^[1-9A-HJ-NP-Za-km-z]{3,64}$/.test(text)
  if (type === 'bitcoin' || type === 'cosmos') return /^[0-9A-Za-z]{14,128}$/.test(text)
  return text.length > 0
}

function checkInside(value: unknown, schema: Schema, path: string, walk: Walk): Issue[] {
  if (Array.isArray(value)) return checkItems(value, schema.items, path, walk)
  if (!isObject(value)) return []
  const issues = schema.properties ? checkProperties(value, schema.properties, path, walk) : []
  const { additionalProperties: others } = schema
  if (!others) return issues
  const unnamed = Object.entries(value).filter(([name]) => !Object.hasOwn(schema.properties ?? {}, name))
  return [...issues, ...unnamed.flatMap(([name, inner]) => check(inner, others, `${path}.${name}`, walk))]
}

function checkProperties(value: unknown, map: SchemaMap, path: string, walk: Walk): Issue[] {
  if (!isObject(value)) return [{ path, message: `must be an object, but is ${toShortText(value)}` }]
  return Object.entries(map).flatMap(([name, schema]) => {
    const inner = Object.hasOwn(value, name) ? value[name] : undefined
    if (inner !== undefined) return check(inner, schema, `${path}.${name}`, walk)
    return readSchema(schema).optional ? [] : [{ path: `${path}.${name}`, message: 'is required' }]
  })
}

function checkItems(list: unknown[], items: unknown, path: string, walk: Walk): Issue[] {
  const issues: Issue[] = []
  for (const [index, item] of list.entries()) {
    const schema = Array.isArray(items) ? items[index] : items
    if (schema !== undefined) issues.push(...check(item, schema, `${path}.${index}`, walk))
    if (issues.length >= issuesMax) break
  }
  return issues
}

function checkCombined(value: unknown, { allOf = [], anyOf, oneOf }: Schema, path: string, walk: Walk): Issue[] {
  const fits = (schema: unknown) => check(value, schema, path, walk).length === 0
  const issues = allOf.flatMap((schema) => check(value, schema, path, walk))
  if (anyOf && !anyOf.some(fits)) issues.push({ path, message: 'must match at least one schema of anyOf' })
  if (oneOf && oneOf.filter(fits).length !== 1) issues.push({ path, message: 'must match exactly one schema of oneOf' })
  return issues
}

function nameOf(type: string, { addressType }: Schema): string {
  if (type === 'address') return addressType ? `an address (${addressType})` : 'an address'
  if (type === 'balance') return 'an integer as text (balance)'
  return type
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

function toShortText(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  const text = JSON.stringify(value) ?? 'missing'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
