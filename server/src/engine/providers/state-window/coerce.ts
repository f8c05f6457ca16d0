import { readDecimal } from '../../base/decimals.ts'
import { parseExactJson } from '../../base/exact-json.ts'
import { ProviderFailure, type ProviderOf } from '../context.ts'
import { numberOrText } from './aggregate.ts'

type ValueType = NonNullable<ProviderOf<'state_window'>['valueType']>

const valueBytesMax = 8192
const booleans = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
  [1, true],
  [0, false],
  ['1', true],
  ['0', false],
])

/** Converts a value to the window's valueType or fails. Integers beyond 2^53 are decimal strings. */
export function coerceValue(value: unknown, type: ValueType): unknown {
  const coerced = coerce(value, type)
  if (coerced === undefined) throw new ProviderFailure(`value: ${toShortText(value)} is not of the type ${type}`)
  const bytes = Buffer.byteLength(JSON.stringify(coerced))
  if (bytes > valueBytesMax)
    throw new ProviderFailure(`value: is ${bytes} bytes; a window keeps at most ${valueBytesMax}`)
  return coerced
}

function coerce(value: unknown, type: ValueType): unknown {
  if (type === 'unknown') return value ?? null
  if (type === 'number') return toNumber(value)
  if (type === 'boolean') return booleans.get(value)
  if (type === 'string') return toText(value)
  const parsed = typeof value === 'string' ? tryParse(value) : value
  if (typeof parsed !== 'object' || parsed === null) return undefined
  return Array.isArray(parsed) === (type === 'array') ? parsed : undefined
}

function toNumber(value: unknown): number | string | undefined {
  const text = typeof value === 'string' ? value.trim() : value
  const isHex = typeof text === 'string' && /^0x[\da-f]{1,256}$/i.test(text)
  const decimal = readDecimal(isHex ? BigInt(text) : text)
  return decimal && numberOrText(decimal)
}

function toText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function tryParse(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}

function toShortText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
