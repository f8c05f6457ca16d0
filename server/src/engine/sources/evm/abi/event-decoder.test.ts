import fc from 'fast-check'
import { type AbiEvent, decodeEventLog, encodeAbiParameters, encodeEventTopics, type Hex, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import type { EvmLog } from '../contents.ts'
import { abiItems } from './abi-items.ts'
import { eventDecoder } from './event-decoder.ts'

type Input = { type: string; name?: string; indexed?: boolean; components?: Input[] }
type Sample = { input: Input; value: unknown }

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((each) => `0x${Buffer.from(each).toString('hex')}`)
const integer = fc
  .tuple(fc.integer({ min: 1, max: 32 }), fc.boolean(), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
  .map(([bytes, isSigned, seed]) => {
    const bits = bytes * 8
    const value = isSigned ? BigInt.asIntN(bits, seed) : BigInt.asUintN(bits, seed)
    return { input: { type: `${isSigned ? '' : 'u'}int${bits}` }, value: bits > 48 ? value : Number(value) }
  })
/** viem drops NUL bytes at the start of a string, and we replace all of them. */
const text = fc.string({ unit: 'binary', maxLength: 70 }).map((each) => each.replaceAll('\0', ''))
const leaf: fc.Arbitrary<Sample> = fc.oneof(
  integer,
  hex(20).map((value) => ({ input: { type: 'address' }, value })),
  fc.boolean().map((value) => ({ input: { type: 'bool' }, value })),
  fc
    .integer({ min: 1, max: 32 })
    .chain((size) => hex(size).map((value) => ({ input: { type: `bytes${size}` }, value }))),
  fc.integer({ min: 0, max: 70 }).chain((size) => hex(size).map((value) => ({ input: { type: 'bytes' }, value }))),
  text.map((value) => ({ input: { type: 'string' }, value })),
)
const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, list(tie('sample')), tuple(tie('sample'))),
}))

/** Elements of one type: the same value, now and then not at all. */
function list(inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc.tuple(inner, fc.integer({ min: 0, max: 3 }), fc.boolean()).map(([{ input, value }, count, isFixed]) => ({
    input: { ...input, type: `${input.type}[${isFixed && count > 0 ? count : ''}]` },
    value: Array(count).fill(value),
  }))
}

function tuple(inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc.tuple(fc.array(inner, { minLength: 1, maxLength: 3 }), fc.boolean()).map(([samples, isNamed]) => ({
    input: {
      type: 'tuple',
      components: samples.map(({ input }, index) => ({ ...input, ...(isNamed && { name: `c${index}` }) })),
    },
    value: isNamed
      ? Object.fromEntries(samples.map(({ value }, index) => [`c${index}`, value]))
      : samples.map(({ value }) => value),
  }))
}

const event = fc
  .tuple(fc.array(fc.tuple(sample, fc.boolean()), { maxLength: 6 }), fc.boolean())
  .map(([fields, isNamed]) => {
    let indexedLeft = 3
    const inputs = fields.map(([{ input }, indexed], index) => ({
      ...input,
      ...(isNamed && { name: `p${index}` }),
      indexed: indexed && indexedLeft-- > 0 && canBeTopic(input),
    }))
    return {
      abi: { type: 'event', name: 'Happened', inputs } as AbiEvent,
      values: fields.map(([{ value }]) => value),
      isNamed,
    }
  })

/** viem does not encode tuples and lists as topics, only their hashes when it decodes. */
function canBeTopic(input: Input): boolean {
  return !input.components && !input.type.endsWith(']')
}

function encode(abi: AbiEvent, values: unknown[]): EvmLog {
  const indexed = abi.inputs.map((input) => ('indexed' in input && input.indexed) === true)
  const topics = abi.inputs.flatMap((input, index) => (indexed[index] ? [topicOf(input.type, values[index])] : []))
  const data = encodeAbiParameters(
    abi.inputs.filter((_, index) => !indexed[index]),
    values.filter((_, index) => !indexed[index]),
  )
  const [topic0 = '0x'] = encodeEventTopics({ abi: [abi] })
  return { ...place, address: `0x${'11'.repeat(20)}`, topics: [String(topic0), ...topics], data }
}

function topicOf(type: string, value: unknown): Hex {
  if (type === 'string') return keccak256(Buffer.from(String(value)))
  if (type === 'bytes') return keccak256(value as Hex)
  return encodeAbiParameters([{ type }], [value])
}

const place = { transactionHash: `0x${'22'.repeat(32)}`, transactionIndex: 0, index: 0 }

/** What viem says, as triggers see it. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
  return typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : value
}

test('generated events decode to the same values as with viem', async () => {
  await fc.assert(
    fc.asyncProperty(event, async ({ abi, values, isNamed }) => {
      const log = encode(abi, values)
      const [item] = await abiItems(abi, 'event')
      const ours = eventDecoder(item!).decode(log)
      const theirs = decodeEventLog({ abi: [abi], topics: log.topics as [Hex], data: log.data as Hex })
      expect(ours?.event).toBe('Happened')
      if (isNamed) expect(ours?.params).toEqual(plain(theirs.args ?? {}))
      else expect(ours?.args).toEqual(plain(Object.values(theirs.args ?? [])))
      expect(JSON.parse(JSON.stringify(ours))).toEqual(ours)
    }),
    { numRuns: 400 },
  )
})

test('a decoder never throws, whatever the topics and data', async () => {
  const word = hex(32)
  const anyLog = fc.record({
    topics: fc.array(word, { maxLength: 4 }),
    data: fc.integer({ min: 0, max: 200 }).chain(hex),
  })
  await fc.assert(
    fc.asyncProperty(event, anyLog, fc.boolean(), async ({ abi }, { topics, data }, anonymous) => {
      const decoder = eventDecoder((await abiItems({ ...abi, anonymous }, 'event'))[0]!)
      const topic0 = decoder.forms[0]?.topic0
      const named = topic0 === undefined ? topics : [topic0, ...topics.slice(1)]
      decoder.decode({ ...place, address: `0x${'11'.repeat(20)}`, topics: named, data })
    }),
    { numRuns: 300 },
  )
})
