import type { EnumVar, LookupEntry, Var } from '@polkadot-api/metadata-builders'
import { coerceBoolean, coerceInteger, wrong } from '../written-values.ts'
import type { Library } from './library.ts'
import { isSameName } from './names.ts'

type EnumPart = EnumVar['value'][string]

/** Converts a JSON value from a tenant or a placeholder to the value that the library encodes. */
export function coerce(type: Var, value: unknown, path: string, library: Library): unknown {
  const inner = (entry: LookupEntry, each: unknown, at: string | number) =>
    coerce(entry, each, `${path}.${at}`, library)
  switch (type.type) {
    case 'void':
      return undefined
    case 'primitive':
      return coercePrimitive(type.value, value, path)
    case 'compact':
      return coerceNumber(type.size, value, path)
    case 'bitSequence':
      return coerceBits(value, path)
    case 'AccountId32':
      return coerceAccount(value, path, library)
    case 'AccountId20':
      return coerceHex(value, 20, path)
    case 'option':
      return value === null || value === undefined ? undefined : coerce(type.value, value, path, library)
    case 'result':
      return coerceResult(type.value, value, path, library)
    case 'sequence':
      if (isByte(type.value)) return coerceBytes(value, path)
      return requireList(value, path).map((each, index) => inner(type.value, each, index))
    case 'array':
      if (isByte(type.value)) return coerceHex(value, type.len, path)
      return requireList(value, path, type.len).map((each, index) => inner(type.value, each, index))
    case 'tuple':
      return coerceTuple(type.value, value, inner, path)
    case 'struct': {
      const given = requireFields(value, path)
      const fields = Object.entries(type.value)
      return Object.fromEntries(fields.map(([name, field]) => [name, inner(field, given.get(name), name)]))
    }
    case 'enum':
      return coerceEnum(type, value, path, library)
  }
}

type Inner = (entry: LookupEntry, value: unknown, at: number) => unknown

function coerceTuple(types: LookupEntry[], value: unknown, inner: Inner, path: string): unknown[] {
  const values = requireList(value, path, types.length)
  return types.map((type, index) => inner(type, values[index], index))
}

function coercePrimitive(name: string, value: unknown, path: string): unknown {
  if (name === 'bool') return coerceBoolean(value, path)
  if (name !== 'str' && name !== 'char') return coerceNumber(name, value, path)
  if (typeof value !== 'string') throw wrong(path, 'a string')
  return value
}

/** A number for types of at most 32 bits, else a bigint, as the library expects. */
function coerceNumber(type: string, value: unknown, path: string): number | bigint {
  const integer = coerceInteger(type, value, path)
  return Number(type.slice(1)) <= 32 ? Number(integer) : integer
}

/** An address with any prefix is the same account, and so are its 32 bytes in hex. */
function coerceAccount(value: unknown, path: string, library: Library): string {
  const what = 'an ss58 address or 32 bytes in hex'
  if (typeof value !== 'string' || value.length > 100) throw wrong(path, what)
  if (value.startsWith('0x')) return library.fromBufferToBase58(42)(bytesOf(coerceHex(value, 32, path)))
  const info = library.getSs58AddressInfo(value)
  if (!info.isValid || info.publicKey.length !== 32) throw wrong(path, what)
  return value
}

function coerceHex(value: unknown, size: number, path: string): string {
  if (typeof value === 'string' && value.length === 2 + 2 * size && isHex(value)) return value.toLowerCase()
  throw wrong(path, `${size} bytes in hex`)
}

/** Hex after 0x. Any other string is UTF-8 text. */
function coerceBytes(value: unknown, path: string): Uint8Array {
  if (typeof value !== 'string') throw wrong(path, 'bytes in hex or a text')
  return isHex(value) ? bytesOf(value) : Uint8Array.from(Buffer.from(value, 'utf8'))
}

function coerceBits(value: unknown, path: string): number[] {
  if (typeof value !== 'string' || !/^[01]*$/.test(value)) throw wrong(path, 'a string of 0 and 1')
  return [...value].map(Number)
}

function coerceResult(
  { ok, ko }: { ok: LookupEntry; ko: LookupEntry },
  value: unknown,
  path: string,
  library: Library,
): unknown {
  const given = requireFields(value, path)
  const isOk = given.get('type') === 'Ok'
  if (!isOk && given.get('type') !== 'Err') throw wrong(path, '{type: "Ok" or "Err", value}')
  return { success: isOk, value: coerce(isOk ? ok : ko, given.get('value'), `${path}.value`, library) }
}

/** A name, `{type, value}`, or `{Name: value}` as other clients write it. */
function coerceEnum({ value: variants }: EnumVar, value: unknown, path: string, library: Library): unknown {
  const { name, content } = readVariant(value, path)
  const found = Object.entries(variants).find(([each]) => isSameName(each, name))
  if (!found) throw wrong(path, `one of ${Object.keys(variants).slice(0, 20).join(', ')}`)
  const [type, variant] = found
  return { type, value: coerceVariant(variant, content, `${path}.${type}`, library) }
}

function readVariant(value: unknown, path: string): { name: string; content: unknown } {
  if (typeof value === 'string') return { name: value, content: undefined }
  const given = requireFields(value, path)
  const type = given.get('type')
  if (typeof type === 'string') return { name: type, content: given.get('value') }
  const [only, ...others] = given
  if (!only || others.length > 0) throw wrong(path, 'the name of a variant or {type, value}')
  return { name: only[0], content: only[1] }
}

function coerceVariant(variant: EnumPart, content: unknown, path: string, library: Library): unknown {
  return coerce(variant.type === 'lookupEntry' ? variant.value : variant, content, path, library)
}

function requireList(value: unknown, path: string, length?: number): unknown[] {
  if (Array.isArray(value) && (length === undefined || value.length === length)) return value
  throw wrong(path, length === undefined ? 'a list' : `a list of ${length}`)
}

function requireFields(value: unknown, path: string): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(path, 'an object')
  return new Map(Object.entries(value))
}

function isByte(entry: LookupEntry): boolean {
  return entry.type === 'primitive' && entry.value === 'u8'
}

function isHex(text: string): boolean {
  return text.length % 2 === 0 && /^0x[0-9a-f]*$/i.test(text)
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.slice(2), 'hex'))
}
