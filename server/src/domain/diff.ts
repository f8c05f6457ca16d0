import { isDeepStrictEqual } from 'node:util'
import type { DefinitionDiff } from '@tocsin/contract'
import { isObject } from '../engine/base/json.ts'
import type { DefinitionNoun } from './definition-noun.ts'

type MaskOf = DefinitionNoun['maskOf']
type Fields = Record<string, unknown>

/**
 * The fields that differ between two payloads, in the order of their names. Objects and lists of objects are compared field
 * by field, other lists as a whole. A masked value is never shown, only that it changed.
 */
export function diffOf(before: Fields | undefined, after: Fields | undefined, maskOf: MaskOf): DefinitionDiff[] {
  return compare(before, after, [], maskOf)
}

function compare(before: unknown, after: unknown, path: readonly string[], maskOf: MaskOf): DefinitionDiff[] {
  const names = maskOf(path) ? undefined : namesToCompare(before, after)
  // A comparison looks at everything below. Made at each level, it would cost the size times the depth.
  const isCompared = !names || isPowerOfTwo(path.length)
  if (isCompared && isDeepStrictEqual(before, after)) return []
  if (!names) {
    const shown = (value: unknown) => (value === undefined ? null : hideSecrets(value, path, maskOf))
    return [{ path: path.map(escapeDots).join('.'), from: shown(before), to: shown(after) }]
  }
  const [from, to] = [fieldsOf(before), fieldsOf(after)]
  return names.flatMap((name) => compare(from[name], to[name], [...path, name], maskOf))
}

function isPowerOfTwo(level: number): boolean {
  return (level & (level - 1)) === 0
}

/** Undefined if the values are shown as a whole: at least one is not made of fields, or neither has fields. */
function namesToCompare(before: unknown, after: unknown): string[] | undefined {
  const isMade = (value: unknown) => value === undefined || isObject(value) || isListOfObjects(value)
  const isMixed = before !== undefined && after !== undefined && Array.isArray(before) !== Array.isArray(after)
  if (!isMade(before) || !isMade(after) || isMixed) return undefined
  const names = [...new Set([...Object.keys(fieldsOf(before)), ...Object.keys(fieldsOf(after))])]
  return names.length > 0 ? names : undefined
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject)
}

function fieldsOf(value: unknown): Fields {
  return Array.isArray(value) ? { ...value } : isObject(value) ? value : {}
}

/** The value with every secret inside it masked. */
function hideSecrets(value: unknown, path: readonly string[], maskOf: MaskOf): unknown {
  const mask = maskOf(path)
  if (mask) return value === null ? null : mask(value)
  if (Array.isArray(value)) return value.map((item, index) => hideSecrets(item, [...path, String(index)], maskOf))
  if (!isObject(value)) return value
  const fields = Object.entries(value).map(([name, field]) => [name, hideSecrets(field, [...path, name], maskOf)])
  return Object.fromEntries(fields)
}

function escapeDots(name: string): string {
  return name.replaceAll('.', '\\.')
}
