import fc from 'fast-check'
import { type AbiParameter, encodeAbiParameters, encodeFunctionData, parseAbi, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { abiItems } from '../../sources/evm/abi/abi-items.ts'
import { eventDecoder } from '../../sources/evm/abi/event-decoder.ts'
import { hashSignature } from '../../sources/evm/abi/keccak.ts'
import { type Scripts, startScripts } from '../index.ts'
import { makeAbiReader } from './guest-abi.ts'
import { addAbiHelpers } from './guest-abi-helpers.ts'
import { makeCodec } from './guest-codec.ts'
import { makeKeccak } from './guest-keccak.ts'

const who = '0x00000000000000000000000000000000000000aa'
const transferLine = 'event Transfer(address indexed from, address indexed to, uint256 value)'
const [topic0, topicFrom] = [hashSignature('Transfer(address,address,uint256)'), `0x${who.slice(2).padStart(64, '0')}`]
const transferLog = { topics: [topic0, topicFrom, topicFrom], data: `0x${'5'.padStart(64, '0')}` }
const order = 'function place((address who, uint48 at, string[] tags) order, bytes32 id, int8[2] pair) external'
const data = encodeFunctionData({
  abi: parseAbi([order]),
  args: [{ who, at: 7, tags: ['é', ''] }, `0x${'ab'.repeat(32)}`, [-1, 2]],
})

let scripts: Scripts
beforeAll(() => {
  // The limit of CPU time decides here. On a busy machine the process may take much longer than usual to answer.
  scripts = startScripts({ children: 1, graceMs: 5_000 })
})
afterAll(() => scripts.close())
const call = async (source: string, item: unknown = {}, kind: 'raw' | 'activation' = 'raw') => {
  const [result] = await scripts.run({ kind, source }, [{ source: item }], { nowMs: 0 })
  return result?.ok ? result.value : result
}

test('scripts decode a call with its names, and encode it again', async () => {
  const item = { abi: [order], data }
  const args = [{ who, at: 7, tags: ['é', ''] }, `0x${'ab'.repeat(32)}`, [-1, 2]]
  expect(await call('helpers.decodeFunction(source.abi, source.data)', item)).toEqual({
    name: 'place',
    signature: 'place((address,uint48,string[]),bytes32,int8[2])',
    args,
    params: { order: args[0], id: args[1], pair: args[2] },
  })
  expect(
    await call('({ source, helpers }) => helpers.encodeFunction(source.abi, source.args)', { ...item, args }),
  ).toBe(data)
  expect(await call('helpers.decodeFunction("function other()", source.data)', item)).toBeNull()
  expect(await call('helpers.decodeFunction(source.abi, source.data.slice(0, 200))', item)).toBeNull()
})

test('scripts decode a log, also within the limits of an activation', async () => {
  const decoded = { event: 'Transfer', args: [who, who, '5'], params: { from: who, to: who, value: '5' } }
  const item = { abi: transferLine, log: transferLog }
  expect(await call('helpers.decodeLog(source.abi, source.log)', item, 'activation')).toEqual(decoded)
  expect(await call('helpers.decodeLog(["event Other()"], source.log)', item)).toBeNull()
})

test('a log and a call are found in a large ABI within the limits of an activation', async () => {
  const inputs = ['from', 'to', 'value'].map((name, at) => ({
    ...{ name, type: at < 2 ? 'address' : 'uint256', indexed: at < 2 },
  }))
  const items = Array.from({ length: 300 }, (_, at) => ({
    ...{ type: at % 5 === 0 ? 'event' : 'function', name: at === 295 ? 'Transfer' : `item${at}`, inputs },
  }))
  const item = { abi: items, text: JSON.stringify(items), log: transferLog }
  expect(await call('helpers.decodeLog(source.abi, source.log)', item, 'activation')).toMatchObject({
    event: 'Transfer',
  })
  expect(await call('helpers.decodeLog(source.text, source.log)', item, 'activation')).toMatchObject({
    params: { value: '5' },
  })
  const lines = items.slice(0, 60).map(({ name }) => transferLine.replace('Transfer', name))
  const found = await call('helpers.decodeLog(source.abi, source.log)', { ...item, abi: [...lines, transferLine] })
  expect(found).toMatchObject({ event: 'Transfer' })
  expect(await call('helpers.decodeLog(source.abi, { topics: [], data: "0x" })', item, 'activation')).toBeNull()
})

test('a script cannot reach the hash of the helpers, nor use it after it changed the built-ins', async () => {
  const source = '(Object.assign = null, helpers.decodeLog(source.abi, source.log).event + typeof arguments[1])'
  expect(await call(source, { abi: transferLine, log: transferLog })).toBe('Transferundefined')
})

test.each([
  ['helpers.decodeLog("nonsense", source)', 'TypeError: the ABI is not valid: cannot read the line nonsense'],
  ['helpers.decodeLog([{ type: "event" }], source)', 'TypeError: the ABI is not valid: an item has no name'],
  ['helpers.decodeLog("event Transfer(address,address,uint256)", source)', 'write indexed before'],
  ['helpers.decodeFunction("function f(uint7 a)", "0x")', 'unknown type uint7'],
  ['helpers.decodeFunction("[{", "0x")', 'the ABI is not valid: it is not JSON'],
  ['helpers.decodeFunction("function f()", "12")', 'data must be bytes as 0x hex'],
  ['helpers.encodeFunction("function f(uint8 a)", [256])', 'args.0 must be within uint8'],
  ['helpers.encodeFunction("function f(address a)", ["0x12"])', 'args.0 must be 20 bytes as 0x hex'],
  ['helpers.encodeFunction("function f(address a)", [])', 'args must be a list of 1'],
  ['helpers.encodeFunction(["struct A { B b; }", "struct B { A a; }", "function f(A a)"], [[]])', 'contain themselves'],
])('%s fails with a clear message', async (source, message) => {
  const result = await call(`\n${source}`, transferLog)
  expect(result).toMatchObject({ ok: false, kind: 'throw', message: expect.stringContaining(message), line: 2 })
})

const context = addAbiHelpers(Number.POSITIVE_INFINITY, makeAbiReader(), makeCodec())({ helpers: {} }, makeKeccak())
const helpers = context.helpers as ReturnType<typeof readHelpers>
function readHelpers() {
  return {} as {
    decodeLog(abi: unknown, log: unknown): unknown
    decodeFunction(abi: unknown, data: string): unknown
    encodeFunction(abi: unknown, args: unknown): string
  }
}

type Typed = { parameter: AbiParameter; value: unknown }
const bytes = (size: number) =>
  fc.uint8Array({ minLength: size, maxLength: size }).map((value) => `0x${Buffer.from(value).toString('hex')}`)
const leaf: fc.Arbitrary<Typed> = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((value) => ({ parameter: { type: 'uint256' }, value })),
  fc.integer({ min: -128, max: 127 }).map((value) => ({ parameter: { type: 'int8' }, value })),
  fc.boolean().map((value) => ({ parameter: { type: 'bool' }, value })),
  bytes(20).map((value) => ({ parameter: { type: 'address' }, value })),
  bytes(4).map((value) => ({ parameter: { type: 'bytes4' }, value })),
  fc.string({ unit: 'grapheme', maxLength: 50 }).map((value) => ({ parameter: { type: 'string' }, value })),
  fc
    .uint8Array({ maxLength: 70 })
    .map((value) => ({ parameter: { type: 'bytes' }, value: `0x${Buffer.from(value).toString('hex')}` })),
)
const typed: fc.Arbitrary<Typed> = fc.letrec<{ typed: Typed }>((tie) => ({
  typed: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.tuple(tie('typed'), fc.integer({ min: 0, max: 3 }), fc.boolean()).map(([inner, count, isFixed]) => ({
      parameter: { ...inner.parameter, type: `${inner.parameter.type}[${isFixed && count > 0 ? count : ''}]` },
      value: Array.from({ length: count }, () => inner.value),
    })),
    fc.array(tie('typed'), { minLength: 1, maxLength: 3 }).map((inner) => ({
      parameter: { type: 'tuple', components: inner.map(({ parameter }, at) => ({ ...parameter, name: `f${at}` })) },
      value: Object.fromEntries(inner.map(({ value }, at) => [`f${at}`, value])),
    })),
  ),
})).typed

test('helpers give the same values as the decoding of logs, and encode as viem does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(typed, { maxLength: 4 }), async (values) => {
      const inputs = values.map(({ parameter }, at) => ({ ...parameter, name: `p${at}` }))
      const args = values.map(({ value }) => value)
      const encoded = encodeAbiParameters(inputs, args)
      const [event] = await abiItems([{ type: 'event', name: 'E', inputs }], 'event')
      const log = { topics: [hashSignature(event!.signature)], data: encoded }
      const expected = eventDecoder(event!).decode(log as never)
      expect(helpers.decodeLog({ type: 'event', name: 'E', inputs }, log)).toEqual(expected ?? null)
      const abi = { type: 'function', name: 'f', inputs }
      const selector = toFunctionSelector({ type: 'function', name: 'f', inputs, outputs: [], stateMutability: 'view' })
      expect(helpers.encodeFunction(abi, args)).toBe(selector + encoded.slice(2))
      expect(helpers.decodeFunction(abi, selector + encoded.slice(2))).toMatchObject({ args: expected?.args })
    }),
    { numRuns: 150 },
  )
})

test('text that is not UTF-8 decodes as in logs', async () => {
  const [event] = await abiItems('event E(string a)', 'event')
  const decoder = eventDecoder(event!)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), (value) => {
      const log = {
        topics: [hashSignature('E(string)')],
        data: encodeAbiParameters([{ type: 'bytes' }], [`0x${Buffer.from(value).toString('hex')}`]),
      }
      expect(helpers.decodeLog('event E(string a)', log)).toEqual(decoder.decode(log as never))
    }),
    { numRuns: 500 },
  )
})

test('items of other types are skipped, and an event is read only if its topics fit', () => {
  const read = makeAbiReader()
  const indexed = (count: number) => [0, 1, 2].map((at) => ({ type: 'uint8', name: `p${at}`, indexed: at < count }))
  const abi = [
    ...[0, 1, 2, 3].map((count) => ({ type: 'event', name: `E${count}`, inputs: indexed(count) })),
    { type: 'event', name: 'Hidden', anonymous: true, inputs: indexed(2) },
    { name: 'f', inputs: [] },
    { type: 'error', name: 'Bad', inputs: [{ type: 'nonsense' }] },
    'event Marked(uint8 indexed a, uint8 indexedb)',
    'event Unmarked(uint8 a)',
    'event Anonymous(uint8 indexed a, uint8 indexed b) anonymous',
    'function g(uint8 a)',
  ]
  const names = (expected: string, topics?: number) => read(abi, expected, topics).map(({ name }) => name)
  expect(names('event', 2)).toEqual(['E1', 'Hidden', 'Marked', 'Unmarked', 'Anonymous'])
  expect(names('event', 1)).toEqual(['E0', 'Marked', 'Unmarked'])
  expect(names('function')).toEqual(['f', 'g'])
  expect(() => read([{ type: 'rain' }], 'event')).toThrow('an item has an unknown type')
})

test('the hash is Keccak-256 for texts of every length', () => {
  const keccak = makeKeccak()
  for (let length = 0; length < 300; length += 7) {
    const text = 'a(b,c)'.repeat(60).slice(0, length)
    expect(keccak(text)).toBe(hashSignature(text))
  }
})
