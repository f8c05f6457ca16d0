import { createHash } from 'node:crypto'
import { findUnsafe } from '@tocsin/contract'

/** True for a JSON object: not null and not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON inside a string. The API checks the nesting of payloads, but not of JSON inside strings, so this does. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const unsafe = findUnsafe(value)
  if (unsafe) throw new Error(`its JSON ${unsafe.message}`)
  return value
}

/** One text per value: keys in order of their code units, no white space, no absent fields. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`)
  return `{${fields.join(',')}}`
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
