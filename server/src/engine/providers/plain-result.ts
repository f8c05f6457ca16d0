import { findUnsafe } from '@tocsin/contract'
import { ProviderFailure } from './context.ts'

export type PlainResult = { value: unknown; bytes: number }

/** Turns a provider's result into plain JSON that can be stored. Fails if it is too large or nested too deeply. */
export function toPlainResult(result: unknown, bytesMax: number): PlainResult {
  const text = toJson(result)
  const bytes = Buffer.byteLength(text)
  if (bytes > bytesMax) throw new ProviderFailure(`the result is ${bytes} bytes, more than the ${bytesMax} allowed`)
  const value: unknown = /\\u(?:0000|d[89a-f])/i.test(text) ? JSON.parse(text, toStorable) : JSON.parse(text)
  const unsafe = findUnsafe(value)
  if (unsafe) throw new ProviderFailure(`the result ${unsafe.message}`)
  return { value, bytes }
}

function toJson(result: unknown): string {
  try {
    return JSON.stringify(result ?? null, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  } catch (error) {
    if (error instanceof RangeError) throw new ProviderFailure('the result is nested too deeply')
    throw error
  }
}

/** PostgreSQL cannot store NUL or half a surrogate pair, and texts on chains are often padded with NUL. */
function toStorable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
}
