import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EvmParameter } from './abi-items.ts'
import { codecDecoder, decoderOf } from './codec.ts'
import { staticReaders } from './static-values.ts'

const bits = fc.integer({ min: 1, max: 32 }).map((bytes) => 8 * bytes)
const leaf: fc.Arbitrary<EvmParameter> = fc
  .oneof(
    fc.constantFrom('address', 'bool', 'function', 'uint256', 'int256'),
    bits.map((each) => `uint${each}`),
    bits.map((each) => `int${each}`),
    bits.map((each) => `bytes${each / 8}`),
  )
  .map((type) => ({ type, indexed: false }))
const { parameter } = fc.letrec<{ parameter: EvmParameter }>((tie) => ({
  parameter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    list(tie('parameter')),
    tuple(tie('parameter')),
  ),
}))

function list(inner: fc.Arbitrary<EvmParameter>): fc.Arbitrary<EvmParameter> {
  return fc
    .tuple(inner, fc.integer({ min: 0, max: 3 }))
    .map(([each, count]) => ({ ...each, type: `${each.type}[${count}]` }))
}

function tuple(inner: fc.Arbitrary<EvmParameter>): fc.Arbitrary<EvmParameter> {
  return fc.tuple(fc.array(inner, { maxLength: 3 }), fc.boolean()).map(([all, isNamed]) => ({
    type: `(${all.map(({ type }) => type).join(',')})`,
    indexed: false,
    components: all.map((each, at) => ({ ...each, ...(isNamed && { name: `c${at}` }) })),
  }))
}

/** Words at the edges of the types, and any bytes at all. */
const word = fc.oneof(
  fc
    .tuple(bits, fc.constantFrom(-1n, 0n, 1n), fc.constantFrom(1n, -1n, 0n))
    .map(([each, off, sign]) => sign * (1n << BigInt(each - (off === 0n ? 1 : 0))) + off)
    .map((value) => BigInt.asUintN(256, value).toString(16).padStart(64, '0')),
  fc.constantFrom(0n, 1n, 2n, 5n).map((value) => value.toString(16).padStart(64, '0')),
  fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex')),
)

function outcome(decode: (data: string) => unknown[], data: string): unknown {
  try {
    return decode(data)
  } catch {
    return 'refused'
  }
}

test('values of fixed size are read and refused exactly as by the codec', () => {
  const parameters = fc.array(parameter, { minLength: 1, maxLength: 3 })
  const data = fc
    .tuple(fc.array(word, { maxLength: 12 }), fc.constantFrom(0, 0, 0, 2, 30, 62))
    .map(([words, cut]) => `0x${words.join('').slice(0, Math.max(0, 64 * words.length - cut))}`)
  let decoded = 0
  fc.assert(
    fc.property(parameters, data, (parameters, data) => {
      const byCodec = outcome(codecDecoder(parameters), data)
      expect(outcome(decoderOf(parameters), data)).toEqual(byCodec)
      if (byCodec !== 'refused' && staticReaders(parameters)) decoded++
    }),
    { numRuns: 4000 },
  )
  expect(decoded).toBeGreaterThan(400)
})

test('dynamic types and types of size zero use the codec', () => {
  for (const type of ['string', 'bytes', 'uint8[]', 'uint8[0]', 'string[2]', 'uint8[][2]'])
    expect(staticReaders([{ type, indexed: false }])).toBeUndefined()
})

test.each(['uint8[1000000000]', 'uint8[4294967295][4294967295]', `uint8${'[9999999999]'.repeat(40)}[1]`])(
  'a list far longer than the data is refused at once: %s',
  (type) => {
    expect(() => decoderOf([{ type, indexed: false }])(`0x${'00'.repeat(64)}`)).toThrow()
  },
)
