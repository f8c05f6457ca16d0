import { findUnsafe } from '@tocsin/contract'

/** JSON inside a string has not passed the door that bounds the nesting of payloads, so it passes it here. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const unsafe = findUnsafe(value)
  if (unsafe) throw new Error(`its JSON ${unsafe.message}`)
  return value
}
