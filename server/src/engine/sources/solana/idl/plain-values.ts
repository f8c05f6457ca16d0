import type { getNodeCodec } from '@codama/dynamic-codecs'
import { base58 } from '@scure/base'
import type { BytesEncoding } from '@tocsin/contract'
import { textOf } from '../bytes.ts'

export type Codec = ReturnType<typeof getNodeCodec>
type Read = Codec['read']

/** The same codec, with `toPlain` applied to the values that it reads. Writing, which constants need, is unchanged. */
export function mapRead(codec: Codec, toPlain: (value: unknown) => unknown): Codec {
  return withRead(codec, (bytes, offset) => {
    const [value, next] = codec.read(bytes, offset)
    return [toPlain(value), next]
  })
}

export function withRead(codec: Codec, read: Read): Codec {
  return { ...codec, read, decode: (bytes, offset = 0) => read(bytes, offset)[0] }
}

/** The library treats a list that is missing at the end of the data as empty. A real list starts with its count. */
export function requireCount(codec: Codec): Codec {
  return withRead(codec, (bytes, offset) => {
    if (offset >= bytes.length) throw new RangeError('a list is cut off')
    return codec.read(bytes, offset)
  })
}

/** Integers of 64 bits and more are always decimal strings, so that a field keeps one type. */
export function plainNumber(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  return Number.isFinite(value) ? value : null
}

/** `{__option: 'Some', value}` or `{__option: 'None'}`. */
export function optionValue(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'value' in value ? value.value : null
}

/** `['base64', text]`. */
export function bytesText(value: unknown, encoding: BytesEncoding): unknown {
  const text = Array.isArray(value) ? value[1] : value
  return encoding === 'hex' && typeof text === 'string' ? textOf(Buffer.from(text, 'base64'), encoding) : text
}

export function renameFields(value: unknown, nameOf: (name: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [nameOf(name), field]))
}

const keyBytes = 32

/** The library's own function takes four times as long, and public keys are most of the data of events. */
export const readPublicKey: Read = (bytes, offset) => {
  const end = offset + keyBytes
  if (bytes.length < end) throw new RangeError('a public key is cut short')
  return [base58.encode(Uint8Array.from(bytes.subarray(offset, end))), end]
}
