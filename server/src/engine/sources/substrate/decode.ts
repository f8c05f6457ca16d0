import type { EnumVar, LookupEntry, Var } from '@polkadot-api/metadata-builders'
import { isObject } from '../../base/json.ts'
import type { Cursor } from './cursor.ts'

/** Reads one value of a type as the JSON that triggers see. */
export type Decode = (cursor: Cursor) => unknown
type Ss58 = (publicKey: Uint8Array) => string
type EnumPart = EnumVar['value'][string]

/** A pallet's error as a runtime reports it: the number of the pallet and the number of the error in it. */
export type ModuleError = { index: number; error: number }
export type NamedError = { type: string; value: string }
export type NameError = (error: ModuleError) => NamedError | undefined
type Types = { of(entry: LookupEntry): Decode; ss58: Ss58; nameError: NameError }

/**
 * Decoders for the types of one runtime. The library's own decoders silently read past the end of short answers (an address
 * without bytes, a list of a billion items), and any tenant can configure an endpoint that sends such answers.
 *
 * Each type of the chain decodes to one type of JSON, so that a field's type does not depend on its value: integers of up to
 * 32 bits are numbers, wider ones decimal strings; bytes are hex; no value is null; a variant without fields is its name and
 * one with fields `{type, value}`; a result is `{type: 'Ok' | 'Err', value}`. A pallet's error is
 * `{type: <pallet>, value: <error>, index, error}`, where the last two are the numbers on the chain.
 */
export function decoders(ss58: Ss58, nameError: NameError = () => undefined): (entry: LookupEntry) => Decode {
  const known = new Map<number, Decode>()
  return function decoderOf(entry) {
    const found = known.get(entry.id)
    if (found) return found
    // A type may contain itself. Code that needs its decoder meanwhile gets this function, which finds the decoder when it runs.
    let decode: Decode = () => undefined
    const stepped: Decode = (cursor) => {
      cursor.step()
      return decode(cursor)
    }
    known.set(entry.id, stepped)
    decode = build(entry, { of: decoderOf, ss58, nameError })
    return stepped
  }
}

function build(type: Var, types: Types): Decode {
  const { of, ss58, nameError } = types
  switch (type.type) {
    case 'void':
      return () => null
    case 'primitive':
      return primitive(type.value)
    case 'compact':
      return type.isBig ? (cursor) => cursor.compact().toString() : (cursor) => Number(cursor.compact())
    case 'bitSequence':
      return bits(type.isLSB)
    case 'AccountId32':
      return (cursor) => ss58(cursor.take(32))
    case 'AccountId20':
      return (cursor) => cursor.hex(20)
    case 'option':
      return option(of(type.value))
    case 'result':
      return choice(
        new Map([
          [0, part('Ok', of(type.value.ok))],
          [1, part('Err', of(type.value.ko))],
        ]),
      )
    case 'sequence':
      return isByte(type.value) ? (cursor) => cursor.hex(cursor.length()) : list(of(type.value))
    case 'array':
      return isByte(type.value) ? (cursor) => cursor.hex(type.len) : list(of(type.value), type.len)
    case 'tuple':
      return tuple(type.value.map(of))
    case 'struct':
      if (isModuleError(type.value)) return numberedError(nameError)
      return struct(Object.entries(type.value).map(([name, field]) => [name, of(field)]))
    case 'enum':
      return enumeration(type, types)
  }
}

function primitive(name: string): Decode {
  if (name === 'bool') return readBool
  if (name === 'str') return (cursor) => storable(Buffer.from(cursor.take(cursor.length())).toString('utf8'))
  if (name === 'char') return (cursor) => storable(String.fromCodePoint(cursor.small(4, false)))
  const isSigned = name.startsWith('i')
  const size = Number(name.slice(1)) / 8
  return size <= 4 ? (cursor) => cursor.small(size, isSigned) : (cursor) => cursor.integer(size, isSigned).toString()
}

function readBool(cursor: Cursor): boolean {
  const byte = cursor.u8()
  if (byte > 1) throw new RangeError('a boolean that is neither 0 nor 1')
  return byte === 1
}

/** A chain may put a NUL into a text, which PostgreSQL cannot store. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD')
}

/** The first bit first. */
function bits(isLeastFirst: boolean): Decode {
  return (cursor) => {
    const length = Number(cursor.compact())
    const bytes = cursor.take(Math.ceil(length / 8))
    cursor.step(bytes.length)
    const bitAt = (index: number) => ((bytes[index >> 3] ?? 0) >> (isLeastFirst ? index & 7 : 7 - (index & 7))) & 1
    return Array.from({ length }, (_, index) => bitAt(index)).join('')
  }
}

function option(inner: Decode): Decode {
  return (cursor) => (readBool(cursor) ? inner(cursor) : null)
}

function list(inner: Decode, fixed?: number): Decode {
  return (cursor) => {
    const values: unknown[] = []
    for (let left = fixed ?? cursor.length(); left > 0; left -= 1) values.push(inner(cursor))
    return values
  }
}

function tuple(parts: Decode[]): Decode {
  return (cursor) => parts.map((each) => each(cursor))
}

function struct(fields: [string, Decode][]): Decode {
  return (cursor) => Object.fromEntries(fields.map(([name, field]) => [name, field(cursor)]))
}

type Variant = { name: string; value: Decode | undefined }

function part(name: string, value: Decode | undefined): Variant {
  return { name, value }
}

function choice(variants: ReadonlyMap<number, Variant>): Decode {
  return (cursor) => {
    const index = cursor.u8()
    const variant = variants.get(index)
    if (!variant) throw new RangeError(`no variant has the index ${index}`)
    return variant.value ? { type: variant.name, value: variant.value(cursor) } : variant.name
  }
}

function enumeration({ value, byteLength }: EnumVar, types: Types): Decode {
  const entries = Object.entries(value)
  const decode = choice(new Map(entries.map(([name, each]) => [each.idx, part(name, fieldsOf(each, types))])))
  return byteLength === undefined ? decode : errorOfBytes(decode, byteLength)
}

function fieldsOf(variant: EnumPart, types: Types): Decode | undefined {
  if (variant.type === 'void') return undefined
  return variant.type === 'lookupEntry' ? types.of(variant.value) : build(variant, types)
}

/** A pallet's error with details, or the bytes when the metadata does not describe it. The next value starts at its fixed end. */
function errorOfBytes(decode: Decode, size: number): Decode {
  return (cursor) => {
    const start = cursor.at
    const bytes = cursor.take(size)
    const end = cursor.at
    try {
      cursor.at = start
      const decoded = decode(cursor)
      const named = isObject(decoded) ? decoded : { type: decoded }
      return { ...named, index: bytes[0], error: bytes[1] }
    } catch {
      return `0x${Buffer.from(bytes).toString('hex')}`
    } finally {
      cursor.at = end
    }
  }
}

/** Runtimes before 2022 report a pallet's error as two bytes, without details. */
function isModuleError({ index, error, ...others }: Record<string, LookupEntry>): boolean {
  return (
    index !== undefined && error !== undefined && isByte(index) && isByte(error) && Object.keys(others).length === 0
  )
}

function numberedError(nameError: NameError): Decode {
  return (cursor) => {
    const numbers = { index: cursor.u8(), error: cursor.u8() }
    return { ...nameError(numbers), ...numbers }
  }
}

function isByte(entry: LookupEntry): boolean {
  return entry.type === 'primitive' && entry.value === 'u8'
}
