import type { Condition } from '@tocsin/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  conditionsOn,
  expectFairShare,
  makeTally,
  type Tally,
  testedInputs,
} from '../../../../../tests/harness/conditions.ts'
import { linearLog } from '../../../../../tests/harness/linear-match/evm.ts'
import { propertyRuns } from '../../../../../tests/harness/property-runs.ts'
import { readRequirements } from '../../conditions/requirements.ts'
import { compileEarlyFilter } from '../../conditions/trigger-conditions.ts'
import { type IndexEntry, makeTriggerIndex, type TriggerIndex } from '../../match/index.ts'
import { hashSignature } from './abi/keccak.ts'
import type { EvmLog } from './contents.ts'
import { evmIndexing } from './indexing.ts'
import { type LogDecoder, logDecoder } from './log-decoder.ts'
import { logKeys } from './log-keys.ts'
import type { EvmLogKeys, RawLog } from './match-keys.ts'
import type { EvmLogSpec } from './spec-events.ts'

type Input = { name: string; type: string; indexed?: boolean; components?: Input[] }
type Event = { type: 'event'; name: string; inputs: Input[]; anonymous?: boolean }

/** `a:address*` is an indexed one. */
function event(name: string, inputs: string, anonymous = false): Event {
  const read = (text: string): Input => {
    const [name = '', type = ''] = text.split(':')
    const input = { name, type: type.replace('*', ''), indexed: type.endsWith('*') }
    return type === 'tuple' ? { ...input, components: [read('x:uint8'), read('y:address')] } : input
  }
  return { type: 'event', name, inputs: inputs.split(' ').map(read), ...(anonymous && { anonymous }) }
}

/** Overloads that share a topic, in two of which even the topics are as many; dynamic and anonymous ones; odd names. */
const events = [
  event('T', 'a:address* b:address* c:uint256'),
  event('T', 'a:address* b:address c:uint256*'),
  event('T', 'a:address* b:address* c:uint256*'),
  event('T', 'b:address c:address a:uint256'),
  event('S', 'a:uint8 b:int256 c:bool'),
  event('I', 'a:int16* b:uint48 c:bytes32*'),
  event('D', 'a:string b:uint256 c:bytes4'),
  event('H', 'a:string* b:uint8[2] d:tuple c:int24'),
  event('B', 'a:uint256 c:bytes4'),
  event('O', 'a:uint256 a:address* :uint8 __proto__:bool c:uint256'),
  event('A', 'a:address* c:uint256', true),
]

const wallets = [`0x${'1'.repeat(39)}a`, `0x${'2'.repeat(39)}b`]
const contracts = [`0x${'8'.repeat(39)}c`, `0x${'9'.repeat(39)}d`]
const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, '0')
const near = [0n, 1n, 2n ** 53n, 2n ** 53n + 1n].map(word)
const hashes = ['deadbeef'.padEnd(64, '0'), 'deadbeef'.padEnd(64, '1')]
/** Now and then a word that is no value of its type, or one with dirt where decoders do not look. */
const wordsOf: Record<string, string[]> = {
  address: [...wallets.map((each) => each.slice(2).padStart(64, '0')), wallets[0]!.slice(2).padStart(64, 'f')],
  uint256: near,
  int256: [...near, word(-1n)],
  uint8: [word(0n), word(1n), word(1n), word(256n)],
  uint48: near.slice(0, 2),
  int16: [word(-1n), word(0n), word(1n), word(-1n), word(2n ** 15n)],
  int24: [word(-1n), word(0n), word(1n)],
  bool: [word(0n), word(1n), word(0n), word(1n), word(2n)],
  bytes32: hashes,
  bytes4: hashes,
}

function wordsFor({ type, indexed, components = [] }: Input): fc.Arbitrary<string> {
  if (indexed && type === 'string') return fc.constantFrom(...hashes)
  const parts =
    type === 'uint8[2]'
      ? [
          { name: '', type: 'uint8' },
          { name: '', type: 'uint8' },
        ]
      : components
  if (parts.length > 0) return fc.tuple(...parts.map(wordsFor)).map((words) => words.join(''))
  if (type === 'string') return fc.constantFrom(word(96n), word(96n), word(32n))
  return fc.constantFrom(...(wordsOf[type] ?? []))
}

const hello = `${word(5n)}${Buffer.from('hello').toString('hex').padEnd(64, '0')}`

/** Mostly as the event is encoded; sometimes longer, or cut in its last word. */
function logOf({ name, inputs, anonymous }: Event): fc.Arbitrary<EvmLog> {
  const types = inputs.map(({ type }) => (type === 'tuple' ? '(uint8,address)' : type))
  const indexed = inputs.filter((input) => input.indexed)
  const tail = inputs.some(({ type, indexed }) => type === 'string' && !indexed) ? hello : ''
  return fc
    .record({
      address: fc.constantFrom(...contracts),
      topics: fc.tuple(...indexed.map(wordsFor)),
      data: fc.tuple(...inputs.filter((input) => !input.indexed).map(wordsFor)),
      more: fc.constantFrom('', '', '', '', word(1n)),
      cut: fc.constantFrom(0, 0, 0, 2, 56, 58, 64),
    })
    .map(({ address, topics, data, more, cut }) => ({
      address,
      topics: [
        ...(anonymous ? [] : [hashSignature(`${name}(${types.join(',')})`)]),
        ...topics.map((each) => `0x${each}`),
      ],
      data: `0x${(data.join('') + tail).slice(0, cut === 0 ? undefined : -cut)}${cut === 0 ? more : ''}`,
      ...{ transactionHash: `0x${'77'.repeat(32)}`, transactionIndex: 1, index: 2 },
    }))
}

const main = ['a', 'b', 'c'].map((name) => `params.${name}`)
const others = [
  'params.',
  'params.__proto__',
  'params.zzz',
  'params.d.x',
  'params',
  'args',
  'args.0',
  'args[1]',
  'args.2',
]
const odd = [
  'args.01',
  'args.1e0',
  'args.-1',
  'args.9',
  'topics',
  'topics.0',
  'topics[1]',
  'topics.2',
  'topics.3',
  'topics.4',
]
const plain = ['address', 'data', 'event', 'blockNumber', 'nothing']
const filtersSchema = Object.fromEntries([
  ...[...main, ...others, ...odd, ...plain].map((sourcePath) => [sourcePath, { type: 'string', sourcePath }]),
  ['units', { type: 'balance', decimals: 1, sourcePath: 'params.c' }],
  ['later', { type: 'string' }],
])
const values = [
  ...['0', '1', '0.1', '0.5', '-1', '+1', '1e300', '-1e300', String(2n ** 53n), String(2n ** 53n + 1n), 'hello', 'T'],
  ...[...wallets, contracts[0]!].flatMap((each) => [each, each.toUpperCase()]),
  ...['0xdeadbeef', '0XDEADBEEF', ...hashes.map((each) => `0x${each}`)],
  ...[0, 1, -1, 18, true, false, null, null],
]
/** Those that most events have, more often than the others. */
const params = [...main, 'units', ...main, 'units', ...main, ...Object.keys(filtersSchema)]
/** What the index could prove one by one, and must not take for proven together. */
const placeable = fc.record({
  param: fc.constantFrom(...main, 'address', 'topics[2]', 'topics.3', 'args.9'),
  op: fc.constantFrom('eq', 'eq', 'gt', 'gte', 'lt', 'lte'),
  value: fc.constantFrom(...values, null, null, null, null),
})
const both = fc.record({ all: fc.tuple(placeable, placeable) })
const condition = fc.oneof(
  { arbitrary: conditionsOn(params, values), weight: 4 },
  placeable as fc.Arbitrary<Condition>,
  fc.record({ any: fc.tuple(placeable, placeable, placeable) }) as fc.Arbitrary<Condition>,
  both as fc.Arbitrary<Condition>,
  fc.record({ any: fc.tuple(both, both) }) as fc.Arbitrary<Condition>,
)

const rarely = <A>(values: fc.Arbitrary<A>) => fc.option(values, { nil: undefined, freq: 2 })
const written = contracts.map((each) => `0x${each.slice(2).toUpperCase()}`)
const specOf = (some: Event[]): fc.Arbitrary<EvmLogSpec> =>
  fc
    .record({
      // A list may name a contract twice, in two spellings.
      contract: rarely(
        fc.oneof(fc.constantFrom(...written), fc.subarray([...written, ...contracts, wallets[0]!], { minLength: 1 })),
      ),
      topicsCount: rarely(fc.constantFrom(1, 2, 3)),
      dataBytes: rarely(fc.constantFrom(32, 64, 96)),
      named: fc.oneof(
        { arbitrary: fc.subarray(some, { minLength: 1 }).map((abiFragment) => ({ abiFragment })), weight: 4 },
        fc.constantFrom('T(address,address,uint256)', 'B(uint256 a, bytes4 c)').map((event) => ({ event })),
        fc.constant({}),
      ),
    })
    .map(({ named, ...rest }) => ({ type: 'evm_log', dataSource: 'x', ...rest, ...named }))

type Entry = IndexEntry & { decoder: LogDecoder; asker: Asker }
type Asker = {
  at: number
  keys: EvmLogKeys[]
  decoder: LogDecoder
  match: Awaited<ReturnType<typeof linearLog>>
  meets: (item: unknown) => boolean
  asked: Condition | null
}

const options = { filtersSchema, inputs: testedInputs }

async function asker(given: EvmLogSpec, asked: Condition | null, at: number): Promise<Asker> {
  const decoder = await logDecoder(given)
  const keys = logKeys(given, decoder.forms)
  return { at, asked, keys, decoder, match: await linearLog(given), meets: compileEarlyFilter(asked, options) }
}

function entriesOf(one: Asker): Entry[] {
  const { at, asked, keys, decoder } = one
  const terms = readRequirements(asked, options)
  return keys.map((each, key) => ({ id: `${at}/${key}`, keys: each, decoder, asker: one, ...terms }))
}

const block = { number: 18, hash: '0xb', parentHash: '0xa', contents: undefined }

/** What ingestion does. */
function search(index: TriggerIndex<Entry>, log: EvmLog, tally: Tally): number[] {
  const { address, topics, data } = log
  const raw: RawLog = { type: 'evm_log', address, topics, data }
  const groups = index.matches(raw)
  expect(new Set(groups.map(({ decoder }) => decoder)).size).toBe(groups.length)
  return groups.flatMap(({ decoder, proven, candidates }) => {
    const item = decoder.itemOf(block, 1, log)
    if (!item) return []
    for (const { asker } of proven) expect(asker.meets(item)).toBe(true)
    const verified = candidates.filter(({ asker }) => asker.meets(item))
    tally.proven += proven.length
    tally.refused += candidates.length - verified.length
    return [...proven, ...verified].map(({ asker }) => asker.at)
  })
}

function linear(askers: Asker[], log: EvmLog, tally: Tally): number[] {
  const decoded = askers.flatMap((one) => {
    const item = one.match(block, 1, { ...log })
    return item ? [{ ...one, item }] : []
  })
  const concerned = decoded.filter(({ meets, item }) => meets(item))
  tally.asked += decoded.length
  tally.met += concerned.length
  return concerned.map(({ at }) => at)
}

const sorted = (list: number[]) => list.toSorted((a, b) => a - b)
const given = fc.subarray(events, { minLength: 1, maxLength: 3 }).chain((some) =>
  fc.record({
    wanted: fc.array(fc.tuple(specOf(some), fc.option(condition, { freq: 8 })), { minLength: 1, maxLength: 12 }),
    logs: fc.array(fc.oneof(...some.map(logOf)), { minLength: 1, maxLength: 8 }),
    removed: fc.array(fc.nat(11)),
  }),
)

test('logs: the index finds each hit of a linear evaluation once, and proves none wrongly', async () => {
  const tally = makeTally()
  await fc.assert(
    fc.asyncProperty(given, async ({ wanted, logs, removed }) => {
      const askers = await Promise.all(wanted.map(([spec, asked], at) => asker(spec, asked, at)))
      const index = makeTriggerIndex<Entry>(evmIndexing)
      const expectAll = (left: Asker[]) => {
        for (const log of logs) expect(sorted(search(index, log, tally))).toEqual(linear(left, log, tally))
      }
      for (const one of askers) for (const entry of entriesOf(one)) index.add(entry)
      expectAll(askers)
      const gone = askers.filter(({ at }) => removed.includes(at))
      for (const one of gone) for (const { id } of entriesOf(one)) index.remove(id)
      expectAll(askers.filter((one) => !gone.includes(one)))
      for (const one of gone) for (const entry of entriesOf(one)) index.add(entry)
      expectAll(askers)
    }),
    { numRuns: propertyRuns(800) },
  )
  expectFairShare(tally)
})
