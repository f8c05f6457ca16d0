import { findUnsafe } from '@tocsin/contract'
import { ProviderFailure } from './context.ts'

export type PlainResult = { value: unknown; bytes: number }

/** Turns a provider's result into plain JSON that can be stored. Fails if it is too large or nested too deeply. */
export function toPlainResult(result: unknown, bytesMax: number): PlainResult {
  const text = toJson(result)
  const bytes = Buffer.byteLength(text)
  if (bytes > bytesMax) throw new ProviderFailure(`the result is ${bytes} bytes, more than the ${bytesMax} allowed`)
  const parsed: unknown = JSON.parse(text)
  const value = /\\u(?:0000|d[89a-f])/i.test(text) ? withStorableTexts(parsed) : parsed
  const unsafe = findUnsafe(value)
  if (unsafe) throw new ProviderFailure(`the result ${unsafe.message}`)
  return { value, bytes }
}

function toJson(result: unknown): string {
  try {
    return stringify(result ?? null)
  } catch (error) {
    if (error instanceof RangeError) throw new ProviderFailure('the result is nested too deeply')
    throw error
  }
}

/** A function for each value takes far longer, and most results have no integer that needs it. */
function stringify(result: unknown): string {
  try {
    return JSON.stringify(result)
  } catch (error) {
    if (error instanceof TypeError) return JSON.stringify(result, bigintAsText)
    throw error
  }
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

/** PostgreSQL cannot store NUL or half a surrogate pair, and texts on chains are often padded with NUL. */
function withStorableTexts(root: unknown): unknown {
  if (typeof root === 'string') return storable(root)
  const open = [root]
  const visit = (holder: object, name: string | number, value: unknown) => {
    if (typeof value === 'string') Reflect.set(holder, name, storable(value))
    else if (typeof value === 'object' && value !== null) open.push(value)
  }
  for (const holder of open) {
    if (Array.isArray(holder)) for (const [index, value] of holder.entries()) visit(holder, index, value)
    else if (typeof holder === 'object' && holder !== null)
      for (const [name, value] of Object.entries(holder)) visit(holder, name, value)
  }
  return root
}

function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
