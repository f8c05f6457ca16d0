import { getLookupCodecBuilder, type LookupEntry, type Var } from '@polkadot-api/metadata-builders'
import { AccountId, type Codec, fromBufferToBase58, type StringRecord } from '@polkadot-api/substrate-bindings'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coerce } from './coerce.ts'
import { Cursor } from './cursor.ts'
import { decoders, type ModuleError } from './decode.ts'
import { loadLibrary } from './library.ts'

/** A type of a chain, and values of it: as the library takes them and as triggers see them. */
type Value = { api: unknown; plain: unknown }
type Sample = { entry: LookupEntry; values: fc.Arbitrary<Value> }

const ss58Prefix = 2
let lastId = 0
const entry = (type: Var): LookupEntry => {
  lastId += 1
  return { id: lastId, ...type }
}
const same = (value: unknown): Value => ({ api: value, plain: value })

function integers(
  name: 'u8' | 'u16' | 'u32' | 'u64' | 'u128' | 'u256' | 'i8' | 'i16' | 'i32' | 'i64' | 'i128' | 'i256',
): Sample {
  const bits = BigInt(name.slice(1))
  const isSigned = name.startsWith('i')
  const [min, max] = isSigned ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n] : [0n, (1n << bits) - 1n]
  const values = fc.bigInt({ min, max }).map((n) => (bits <= 32n ? same(Number(n)) : { api: n, plain: String(n) }))
  return { entry: entry({ type: 'primitive', value: name }), values }
}

const bytes = (size?: number) =>
  fc.uint8Array(size === undefined ? { maxLength: 80 } : { minLength: size, maxLength: size })
const hex = (value: Uint8Array) => `0x${Buffer.from(value).toString('hex')}`
const u8 = () => integers('u8').entry
const text = fc.string({ unit: 'grapheme' }).filter((each) => !each.includes('\0') && each.isWellFormed())

const leaves: fc.Arbitrary<Sample> = fc.oneof(
  fc.constantFrom('u8', 'u16', 'u32', 'u64', 'u128', 'u256', 'i8', 'i16', 'i32', 'i64', 'i128', 'i256').map(integers),
  fc.constant({ entry: entry({ type: 'primitive', value: 'bool' }), values: fc.boolean().map(same) }),
  fc.constant({ entry: entry({ type: 'primitive', value: 'str' }), values: text.map(same) }),
  fc.constant({
    entry: entry({ type: 'compact', isBig: false, size: 'u32' }),
    values: fc.nat({ max: 2 ** 32 - 1 }).map(same),
  }),
  fc.constant({
    entry: entry({ type: 'compact', isBig: true, size: 'u128' }),
    values: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((n) => ({ api: n, plain: String(n) })),
  }),
  fc.constant({
    entry: entry({ type: 'AccountId32' }),
    values: bytes(32).map((key) => same(fromBufferToBase58(ss58Prefix)(key))),
  }),
  fc.constant({
    entry: entry({ type: 'sequence', value: u8() }),
    values: bytes().map((value) => ({ api: value, plain: hex(value) })),
  }),
  fc.constant({
    entry: entry({ type: 'array', value: u8(), len: 20 }),
    values: bytes(20).map((each) => same(hex(each))),
  }),
  fc.boolean().map((isLSB) => ({
    entry: entry({ type: 'bitSequence', isLSB }),
    values: fc.array(fc.nat({ max: 1 })).map((bits) => ({ api: bits, plain: bits.join('') })),
  })),
)

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaves,
    tie('sample')
      .filter(({ entry }) => entry.type !== 'option')
      .map(optional),
    tie('sample').map(({ entry: inner, values }) => list(inner, values)),
    fc.array(tie('sample'), { minLength: 2, maxLength: 4 }).map(tuple),
    fc.array(tie('sample'), { minLength: 1, maxLength: 4 }).map(struct),
    fc.array(tie('sample'), { minLength: 1, maxLength: 3 }).map(variants),
    fc.tuple(tie('sample'), tie('sample')).map(([ok, ko]) => result(ok, ko)),
  ),
}))

function optional({ entry: value, values }: Sample): Sample {
  return {
    entry: entry({ type: 'option', value }),
    values: fc.oneof(fc.constant({ api: undefined, plain: null }), values),
  }
}
function list(value: LookupEntry, values: fc.Arbitrary<Value>): Sample {
  const isBytes = value.type === 'primitive' && value.value === 'u8'
  const collect = (each: Value[]) => {
    const api = each.map((one) => one.api)
    return isBytes
      ? { api: Uint8Array.from(api.map(Number)), plain: hex(Uint8Array.from(api.map(Number))) }
      : { api, plain: each.map((one) => one.plain) }
  }
  return { entry: entry({ type: 'sequence', value }), values: fc.array(values, { maxLength: 5 }).map(collect) }
}
function tuple(parts: Sample[]): Sample {
  const type: Var = { type: 'tuple', value: parts.map((each) => each.entry), innerDocs: [] }
  const values = fc.tuple(...parts.map((each) => each.values))
  return {
    entry: entry(type),
    values: values.map((all) => ({ api: all.map(({ api }) => api), plain: all.map(({ plain }) => plain) })),
  }
}
function struct(parts: Sample[]): Sample {
  const named = <T>(each: readonly T[]) => {
    const fields: StringRecord<T> = {}
    for (const [index, one] of each.entries()) fields[`field${index}`] = one
    return fields
  }
  const values = fc.tuple(...parts.map((each) => each.values))
  return {
    entry: entry({ type: 'struct', value: named(parts.map((each) => each.entry)), innerDocs: {} }),
    values: values.map((all) => ({
      api: named(all.map(({ api }) => api)),
      plain: named(all.map(({ plain }) => plain)),
    })),
  }
}
function variants(parts: Sample[]): Sample {
  const full = parts.map(
    (each, index) => [`Some${index}`, { type: 'lookupEntry' as const, value: each.entry, idx: index * 3 + 1 }] as const,
  )
  const empty = { type: 'void' as const, idx: 0 }
  const chosen = parts.map((each, index) =>
    each.values.map(({ api, plain }) => ({
      api: { type: `Some${index}`, value: api },
      plain: { type: `Some${index}`, value: plain },
    })),
  )
  return {
    entry: entry({ type: 'enum', value: { Empty: empty, ...Object.fromEntries(full) }, innerDocs: {} }),
    values: fc.oneof(fc.constant({ api: { type: 'Empty', value: undefined }, plain: 'Empty' }), ...chosen),
  }
}
function result(ok: Sample, ko: Sample): Sample {
  const side = (each: Sample, success: boolean) =>
    each.values.map(({ api, plain }) => ({
      api: { success, value: api },
      plain: { type: success ? 'Ok' : 'Err', value: plain },
    }))
  return {
    entry: entry({ type: 'result', value: { ok: ok.entry, ko: ko.entry } }),
    values: fc.oneof(side(ok, true), side(ko, false)),
  }
}

const cases = sample.chain(({ entry, values }) => values.map((value) => ({ entry, ...value })))
const codecOf = (type: LookupEntry): Codec<unknown> => getLookupCodecBuilder(() => type, AccountId(ss58Prefix))(type.id)
const decode = (type: LookupEntry, encoded: Uint8Array) => {
  const cursor = new Cursor(encoded)
  const value = decoders(fromBufferToBase58(ss58Prefix))(type)(cursor)
  return { value, left: cursor.left }
}

test('values that the library encoded decode to JSON, to the last byte', () => {
  fc.assert(
    fc.property(cases, ({ entry, api, plain }) => {
      expect(decode(entry, codecOf(entry).enc(api))).toEqual({ value: plain, left: 0 })
    }),
    { numRuns: 500 },
  )
})

test('JSON values encode back to the same bytes', async () => {
  const library = await loadLibrary()
  fc.assert(
    fc.property(cases, ({ entry, api, plain }) => {
      const { enc } = codecOf(entry)
      expect(hex(enc(coerce(entry, plain, 'args.0', library)))).toBe(hex(enc(api)))
    }),
    { numRuns: 500 },
  )
})

test('a truncated value is refused, never padded', () => {
  fc.assert(
    fc.property(cases, fc.nat(), ({ entry, api }, cut) => {
      const encoded = codecOf(entry).enc(api)
      fc.pre(encoded.length > 0)
      expect(() => decode(entry, encoded.slice(0, cut % encoded.length))).toThrow(RangeError)
    }),
    { numRuns: 500 },
  )
})

test('lists of zero-size elements, and lists longer than their bytes, are refused at once', () => {
  const nothing = entry({ type: 'struct', value: {}, innerDocs: {} })
  const endless = entry({ type: 'sequence', value: nothing })
  expect(() => decode(endless, Buffer.from([0xfe, 0xff, 0xff, 0xff]))).toThrow('a list is longer than its bytes')
  expect(() => decode(entry({ type: 'array', value: nothing, len: 2 ** 31 }), Buffer.alloc(8))).toThrow('more values')
  const doubled = Array.from({ length: 60 }).reduce<LookupEntry>(
    (inner) => entry({ type: 'tuple', value: [inner, inner], innerDocs: [] }),
    nothing,
  )
  expect(() => decode(doubled, Buffer.alloc(8))).toThrow('more values')
  const accounts = entry({ type: 'sequence', value: entry({ type: 'AccountId32' }) })
  expect(() => decode(accounts, Buffer.from([0xfe, 0xff, 0xff, 0xff]))).toThrow(RangeError)
})

test('an error of a pallet has its name and numbers, with or without details', () => {
  const named = ({ index, error }: ModuleError) =>
    index === 5 && error === 4 ? { type: 'Balances', value: 'TooLow' } : undefined
  const byte = u8()
  const short = entry({ type: 'struct', value: { index: byte, error: byte }, innerDocs: {} })
  const decodeWith = (type: LookupEntry, ...bytes: number[]) =>
    decoders(fromBufferToBase58(ss58Prefix), named)(type)(new Cursor(Uint8Array.from(bytes)))
  expect(decodeWith(short, 5, 4)).toEqual({ type: 'Balances', value: 'TooLow', index: 5, error: 4 })
  expect(decodeWith(short, 5, 9)).toEqual({ index: 5, error: 9 })
  const errors = entry({ type: 'enum', value: { TooLow: { type: 'void', idx: 4 } }, innerDocs: {} })
  const long = entry({
    type: 'enum',
    value: { Balances: { type: 'lookupEntry', value: errors, idx: 5 } },
    innerDocs: {},
    byteLength: 5,
  })
  expect(decodeWith(long, 5, 4, 0, 0, 0)).toEqual({ type: 'Balances', value: 'TooLow', index: 5, error: 4 })
  expect(decodeWith(long, 5, 9, 0, 0, 0)).toBe('0x0509000000')
})

test('a type that contains only itself is refused; a type that contains a list of itself is read', () => {
  const self: LookupEntry = entry({ type: 'tuple', value: [], innerDocs: [] })
  Object.assign(self, { value: [self] })
  expect(() => decode(self, Buffer.alloc(8))).toThrow(RangeError)
  const tree: LookupEntry = entry({ type: 'void' })
  Object.assign(tree, { type: 'sequence', value: tree })
  expect(decode(tree, Buffer.from([8, 0, 4, 0])).value).toEqual([[], [[]]])
})
