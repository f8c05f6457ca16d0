import type { Condition } from '@tocsin/contract'
import fc from 'fast-check'
import { AbiEvent } from 'ox'
import { expect, test } from 'vitest'
import { compileEarlyFilter, requirementsOf } from '../conditions/index.ts'
import { type EvmLogKeys, type IndexEntry, makeTriggerIndex, type RawItem, type RawLog } from './index.ts'

const inputs = [
  { name: 'from', type: 'address', indexed: true },
  { name: 'kind', type: 'uint8', indexed: false },
  { name: 'to', type: 'address', indexed: true },
  {
    name: 'pair',
    type: 'tuple',
    indexed: false,
    components: [
      { name: 'a', type: 'bool' },
      { name: 'b', type: 'int8[2]' },
    ],
  },
  { name: 'memo', type: 'string', indexed: false },
  { name: 'flag', type: 'bool', indexed: false },
  { name: 'tag', type: 'bytes4', indexed: true },
  { name: 'delta', type: 'int256', indexed: false },
] as const
const event = AbiEvent.from({ type: 'event', name: 'Moved', inputs })
const topic0 = AbiEvent.getSelector(event)
const other = `0x${'ab'.repeat(32)}`
const wallets = ['1', '2', '3'].map((digit) => `0x${digit.repeat(39)}A`)
const tags = ['0xdeadbeef', '0x00000001']
const wallet = fc.constantFrom(...wallets)

const filtersSchema = {
  from: { type: 'address', sourcePath: 'params.from' },
  to: { type: 'address', sourcePath: 'args[2]' },
  tag: { type: 'string', sourcePath: 'params.tag' },
  kind: { type: 'integer', sourcePath: 'params.kind' },
  flag: { type: 'boolean', sourcePath: 'args.5' },
  delta: { type: 'balance', decimals: 1, sourcePath: 'params.delta' },
  memo: { type: 'string', sourcePath: 'params.memo' },
  contract: { type: 'address', sourcePath: 'address' },
  topic: { type: 'string', sourcePath: 'topics.1' },
  later: 'string',
}

const wanted: [string, fc.Arbitrary<string | number | boolean | null>][] = [
  ['from', wallet.map((address) => address.toLowerCase())],
  ['to', wallet],
  ['tag', fc.constantFrom(...tags, '0xDEADBEEF', 'x')],
  ['kind', fc.constantFrom(0, '1', 256, 'x')],
  ['flag', fc.constantFrom(true, false, 'true')],
  ['delta', fc.constantFrom('0.5', -1, '0.05', 0)],
  ['memo', fc.constantFrom('HELLO', 'x')],
  ['contract', wallet],
  ['topic', wallet.map((address) => `0x${address.slice(2).padStart(64, '0')}`)],
  ['later', fc.constant('x')],
]
const ordered = fc.record({
  param: fc.constantFrom('kind', 'delta', 'memo'),
  op: fc.constantFrom('gt', 'gte', 'lt', 'lte'),
  value: fc.constantFrom(0, '0.5', -1, '-1.05', 1, '1e300', 'hello'),
})
const leaf = fc.constantFrom(...wanted).chain(([param, values]) =>
  fc.oneof(
    fc.record({ param: fc.constant(param), op: fc.constantFrom('eq', 'ne'), value: values }),
    fc.record({
      param: fc.constant(param),
      op: fc.constantFrom('in', 'nin'),
      value: fc.array(values, { maxLength: 3 }),
    }),
  ),
)
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    ordered,
    fc.record({ all: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ not: tie('condition') }),
  ) as fc.Arbitrary<Condition>,
}))
const maybe = <A>(values: fc.Arbitrary<A>) => fc.option(values, { nil: undefined })
const keys: fc.Arbitrary<EvmLogKeys> = fc.record({
  type: fc.constant('evm_log' as const),
  address: maybe(wallet),
  topic0: maybe(fc.constantFrom(topic0, other)),
  topicsCount: maybe(fc.constantFrom(3, 4)),
  dataBytes: maybe(fc.constantFrom(0, 288)),
  inputs: fc.constant(inputs),
})
type Entry = IndexEntry & { keys: EvmLogKeys; meets: (item: unknown) => boolean }
const entries = fc.array(fc.tuple(keys, condition), { maxLength: 12 }).map((list) =>
  list.map(
    ([spec, asked], index): Entry => ({
      id: String(index),
      keys: spec,
      requirements: requirementsOf(asked, { filtersSchema }),
      meets: compileEarlyFilter(asked, { filtersSchema }),
    }),
  ),
)
const log = fc
  .record({
    address: wallet,
    from: wallet,
    to: wallet,
    tag: fc.constantFrom(...tags),
    kind: fc.constantFrom(0, 1),
    flag: fc.boolean(),
    delta: fc.constantFrom(5n, -10n, 0n),
  })
  .map(({ address, kind, flag, delta, ...indexed }): RawLog => {
    const { topics } = AbiEvent.encode(event, {
      ...indexed,
      from: low(indexed.from),
      to: low(indexed.to),
      tag: low(indexed.tag),
    })
    return { type: 'evm_log', address, topics: topics.map(String), data: encodeData(kind, flag, delta) }
  })
const low = (text: string) => text.toLowerCase() as `0x${string}`

/** kind, (a, b0, b1), the offset of memo, flag, delta; then memo. */
function encodeData(kind: number, flag: boolean, delta: bigint): string {
  const words = [BigInt(kind), 1n, 1n, -1n, 7n * 32n, flag ? 1n : 0n, delta, 5n]
  const memo = Buffer.from('hello').toString('hex').padEnd(64, '0')
  return `0x${words.map((word) => BigInt.asUintN(256, word).toString(16).padStart(64, '0')).join('')}${memo}`
}

function decode({ address, topics, data }: RawLog) {
  const params = AbiEvent.decode(event, { topics: topics as [`0x${string}`], data: low(data) }) as Record<
    string,
    unknown
  >
  const item = { address, topics, params, args: inputs.map(({ name }) => params[name]) }
  return JSON.parse(JSON.stringify(item, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
}

function isMatch({ keys }: Entry, { address, topics, data }: RawLog): boolean {
  const same = (a: string | undefined, b: string | undefined) => a === undefined || a.toLowerCase() === b?.toLowerCase()
  if (!same(keys.address, address) || !same(keys.topic0, topics[0])) return false
  if (keys.topicsCount !== undefined && keys.topicsCount !== topics.length) return false
  return keys.dataBytes === undefined || keys.dataBytes === data.length / 2 - 1
}

const ids = (list: { id: string }[]) => list.map(({ id }) => id).sort()

test('logs: what is found and then verified is what a linear evaluation finds', () => {
  fc.assert(
    fc.property(entries, log, fc.array(fc.nat(11), { maxLength: 4 }), (given, raw, removed) => {
      const index = makeTriggerIndex<Entry>()
      for (const entry of given) index.add(entry)
      for (const at of removed) index.remove(String(at))
      const left = given.filter(({ id }) => !removed.includes(Number(id)))
      const item = decode(raw)
      const linear = left.filter((entry) => isMatch(entry, raw) && entry.meets(item))
      const candidates = index.candidates(raw)
      expect(ids(candidates.filter((entry) => entry.meets(item)))).toEqual(ids(linear))
      expect(candidates.every((entry) => isMatch(entry, raw))).toBe(true)
      expect(new Set(candidates).size).toBe(candidates.length)
      expect(index.size).toBe(left.length)
    }),
    { numRuns: 1000 },
  )
})

test('a million wallets are not looked at: only those in the log are candidates', () => {
  const index = makeTriggerIndex()
  const spec = { type: 'evm_log' as const, topic0, inputs }
  for (let at = 0; at < 10_000; at++) {
    const value = `0x${at.toString(16).padStart(40, '0')}`
    const requirements = requirementsOf(
      {
        any: [
          { param: 'from', op: 'eq', value },
          { param: 'to', op: 'eq', value: '{{inputs.wallet}}' },
        ],
      },
      { filtersSchema, inputs: { wallet: value } },
    )
    index.add({ id: String(at), keys: spec, requirements })
  }
  const topics = [topic0, 77, 99].map((part) =>
    typeof part === 'string' ? part : `0x${part.toString(16).padStart(64, '0')}`,
  )
  expect(ids(index.candidates({ type: 'evm_log', address: wallets[0]!, topics, data: '0x' }))).toEqual(['77', '99'])
})

test('an address in a topic counts by its last twenty bytes, as decoders read it', () => {
  const index = makeTriggerIndex()
  index.add({
    id: 'a',
    keys: { type: 'evm_log', topic0, inputs },
    requirements: [[{ path: 'params.from', is: 'same', value: wallets[0] }]],
  })
  const dirty = `0x${'f'.repeat(24)}${wallets[0]!.slice(2).toLowerCase()}`
  expect(index.candidates({ type: 'evm_log', address: '0x1', topics: [topic0, dirty], data: '0x' })).toHaveLength(1)
})

test('an anonymous event has its first indexed input in its first topic', () => {
  const index = makeTriggerIndex()
  const keys: EvmLogKeys = { type: 'evm_log', address: wallets[0]!, anonymous: true, inputs }
  index.add({ id: 'a', keys, requirements: [[{ path: 'params.from', is: 'same', value: wallets[1] }]] })
  const raw = (topic: string): RawItem => ({ type: 'evm_log', address: wallets[0]!, topics: [topic], data: '0x' })
  expect(index.candidates(raw(low(`0x${wallets[1]!.slice(2).padStart(64, '0')}`)))).toHaveLength(1)
  expect(index.candidates(raw(low(`0x${wallets[2]!.slice(2).padStart(64, '0')}`)))).toHaveLength(0)
})

test('transactions are found by who sends, who receives and which method', () => {
  const index = makeTriggerIndex()
  const add = (id: string, path: string, value: unknown) =>
    index.add({ id, keys: { type: 'evm_transaction' }, requirements: [[{ path, is: 'same', value }]] })
  add('from', 'from', '0xAA')
  add('to', 'to', '0xbb')
  add('creation', 'to', null)
  add('method', 'methodId', '0xA9059CBB')
  add('deep', 'block.number', 5)
  const found = (item: Record<string, unknown>) => ids(index.candidates({ type: 'evm_transaction', item }))
  expect(found({ from: '0xaa', to: '0xBB', methodId: '0xa9059cbb' })).toEqual(['deep', 'from', 'method', 'to'])
  expect(found({ from: '0x1', to: null })).toEqual(['creation', 'deep'])
})

test('Substrate events are found by pallet and event, first letter folded, and by their params', () => {
  const index = makeTriggerIndex()
  index.add({ id: 'all', keys: { type: 'substrate_event' } })
  index.add({ id: 'pallet', keys: { type: 'substrate_event', pallet: 'balances' } })
  index.add({ id: 'event', keys: { type: 'substrate_event', pallet: 'Balances', event: 'transfer' } })
  const requirements = [[{ path: 'params.who', is: 'same' as const, value: '5ABC' }]]
  index.add({ id: 'who', keys: { type: 'substrate_event', pallet: 'balances', event: 'Transfer' }, requirements })
  const found = (pallet: string, event: string, who: string) =>
    ids(index.candidates({ type: 'substrate_event', pallet, event, item: { pallet, event, params: { who } } }))
  expect(found('Balances', 'Transfer', '5aBc')).toEqual(['all', 'event', 'pallet', 'who'])
  expect(found('Balances', 'Deposit', '5ABC')).toEqual(['all', 'pallet'])
  expect(found('System', 'Transfer', '5ABC')).toEqual(['all'])
})

test('Solana events are decoded by an IDL only when an entry asks for a value', () => {
  const index = makeTriggerIndex()
  const keys = { type: 'solana_event' as const, programId: 'P', discriminator: '0102', decoder: 'idl' }
  const raw = (programId: string, item: (decoder: string) => Record<string, unknown> | undefined): RawItem => ({
    type: 'solana_event',
    programId,
    discriminator: '0102',
    item,
  })
  const unread = () => expect.fail('was decoded')
  index.add({ id: 'plain', keys })
  expect(ids(index.candidates(raw('P', unread)))).toEqual(['plain'])
  index.add({ id: 'mine', keys, requirements: [[{ path: 'params.mint', is: 'same', value: 'So1' }]] })
  expect(ids(index.candidates(raw('Q', unread)))).toEqual([])
  expect(ids(index.candidates(raw('P', (decoder) => ({ params: { mint: decoder === 'idl' ? 'so1' : '' } }))))).toEqual([
    'mine',
    'plain',
  ])
  expect(ids(index.candidates(raw('P', () => undefined)))).toEqual(['plain'])
})

test('an entry added again takes its own place', () => {
  const index = makeTriggerIndex()
  index.add({ id: 'a', keys: { type: 'substrate_event', pallet: 'x' } })
  index.add({ id: 'a', keys: { type: 'substrate_event', pallet: 'y' } })
  const raw = (pallet: string): RawItem => ({ type: 'substrate_event', pallet, event: 'e', item: {} })
  expect([index.size, index.candidates(raw('x')).length, index.candidates(raw('y')).length]).toEqual([1, 0, 1])
})
