import { findUnsafe } from '@tocsin/contract'

/** Parses JSON inside a string. The API checks the nesting of payloads, but not of JSON inside strings, so this does. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const unsafe = findUnsafe(value)
  if (unsafe) throw new Error(`its JSON ${unsafe.message}`)
  return value
}
