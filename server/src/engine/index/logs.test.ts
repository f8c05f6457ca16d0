import type { Condition } from '@tocsin/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileEarlyFilter, readRequirements } from '../conditions/index.ts'
import type { EvmLog } from '../sources/evm/contents.ts'
import { type LogDecoder, type LogMatcher, logMatcher } from '../sources/evm/index.ts'
import { hashSignature } from '../sources/evm/keccak.ts'
import type { EvmLogSpec } from '../sources/evm/spec-events.ts'
import { type IndexEntry, makeTriggerIndex, type TriggerIndex } from './index.ts'

/** Overloads that share a topic, in two of which even the topics are as many; dynamic and anonymous ones; odd names. */
const events: [signature: string, line: string | Record<string, unknown>][] = [
  ['T(address,address,uint256)', 'event T(address indexed a, address indexed b, uint256 c)'],
  ['T(address,address,uint256)', 'event T(address indexed a, address b, uint256 indexed c)'],
  ['T(address,address,uint256)', 'event T(address indexed a, address indexed b, uint256 indexed c)'],
  ['S(uint8,int256,bool)', 'event S(uint8 a, int256 b, bool c)'],
  ['I(int16,uint48,bytes32)', 'event I(int16 indexed a, uint48 b, bytes32 indexed c)'],
  ['D(string,uint256,bytes4)', 'event D(string a, uint256 b, bytes4 c)'],
  [
    'H(string,uint8[2],(uint8,address),int24)',
    'event H(string indexed a, uint8[2] b, (uint8 x, address y) c, int24 d)',
  ],
  ['B(uint256,bytes4)', 'event B(uint256 a, bytes4 b)'],
  ['', anonymous()],
  ['O(uint256,address,uint8,bool)', oddNames()],
]

function anonymous() {
  const inputs = [
    { name: 'a', type: 'address', indexed: true },
    { name: 'b', type: 'uint256' },
  ]
  return { type: 'event', name: 'A', inputs, anonymous: true }
}

function oddNames() {
  const names = ['a', 'a', '', '__proto__']
  const types = ['uint256', 'address', 'uint8', 'bool']
  return { type: 'event', name: 'O', inputs: names.map((name, at) => ({ name, type: types[at], indexed: at === 1 })) }
}

const wallets = ['1', '2'].map((digit) => `0x${digit.repeat(39)}a`)
const contracts = ['8', '9'].map((digit) => `0x${digit.repeat(39)}c`)
const word = (value: bigint) => BigInt.asUintN(256, value).toString(16).padStart(64, '0')
const numbers = [
  0n,
  1n,
  2n,
  5n,
  255n,
  256n,
  -1n,
  -5n,
  32n,
  64n,
  96n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 200n + 1n,
  2n ** 200n,
]
const words = [
  ...numbers.map(word),
  ...wallets.map((wallet) => wallet.slice(2).padStart(64, '0')),
  ...wallets.map((wallet) => wallet.slice(2).padStart(64, 'f')),
  'deadbeef'.padEnd(64, '0'),
  'deadbeef'.padEnd(64, '1'),
]
const anyWord = fc.constantFrom(...words)
const topic0 = fc.constantFrom(...events.filter(([signature]) => signature !== '').map(([each]) => hashSignature(each)))
const log: fc.Arbitrary<EvmLog> = fc
  .record({
    address: fc.constantFrom(...contracts),
    first: fc.option(topic0, { nil: undefined }),
    topics: fc.array(anyWord, { maxLength: 3 }),
    data: fc.array(anyWord, { maxLength: 8 }),
    cut: fc.constantFrom(0, 0, 0, 2, 56, 62),
  })
  .map(({ address, first, topics, data, cut }) => ({
    address,
    topics: [...(first ? [first] : []), ...topics.map((each) => `0x${each}`)],
    data: `0x${data.join('').slice(0, Math.max(0, 64 * data.length - cut))}`,
    ...{ transactionHash: `0x${'77'.repeat(32)}`, transactionIndex: 1, index: 2 },
  }))

const paths = ['a', 'b', 'c', 'd', '', '__proto__', 'zzz', 'a.x', 'c.x'].map((name) => `params.${name}`)
const others = ['params', 'args', 'args.0', 'args[1]', 'args.2', 'args.01', 'args.1e0', 'args.-1', 'args.9', 'topics']
const raws = ['address', 'topics.0', 'topics[1]', 'topics.3', 'topics.4', 'data', 'event', 'blockNumber', 'nothing']
const filtersSchema = Object.fromEntries([
  ...[...paths, ...others, ...raws].map((sourcePath) => [sourcePath, { type: 'string', sourcePath }]),
  ['units', { type: 'balance', decimals: 1, sourcePath: 'params.c' }],
  ['later', { type: 'string' }],
])
const param = fc.constantFrom(...Object.keys(filtersSchema))
const value = fc.constantFrom<string | number | boolean | null>(
  ...numbers.map(String),
  ...[
    '0.5',
    '0.1',
    '25.5',
    '1e2',
    '1e300',
    '-1e300',
    '+1',
    '007',
    '',
    'hello',
    '0xdeadbeef',
    '0XDEADBEEF',
    'T',
    'A',
    'S',
  ],
  ...wallets.flatMap((wallet) => [wallet, wallet.toUpperCase()]),
  ...contracts,
  ...words.slice(-4).map((each) => `0x${each}`),
  ...[0, 1, 255, -1, 0.5, true, false, null, 18],
)
const comparison = fc.oneof(
  fc.record({ param, op: fc.constantFrom('eq', 'eq', 'ne'), value }),
  fc.record({ param, op: fc.constantFrom('gt', 'gte', 'lt', 'lte'), value }),
  fc.record({ param, op: fc.constantFrom('in', 'nin'), value: fc.array(value, { maxLength: 4 }) }),
)
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { arbitrary: comparison, weight: 3 },
    fc.record({ all: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ not: tie('condition') }),
  ) as fc.Arbitrary<Condition>,
}))

const maybe = <A>(values: fc.Arbitrary<A>) => fc.option(values, { nil: undefined })
const named = fc.oneof(
  fc.subarray(events, { minLength: 1, maxLength: 3 }).map((some) => ({ abiFragment: some.map(([, line]) => line) })),
  fc
    .constantFrom('T(address,address,uint256)', 'S(uint8,int256,bool)', 'B(uint256 a, bytes4 b)')
    .map((event) => ({ event })),
  fc.constant({}),
)
const spec: fc.Arbitrary<EvmLogSpec> = fc
  .record({
    contract: maybe(fc.constantFrom(...contracts.map((each) => each.toUpperCase().replace('X', 'x')))),
    topicsCount: maybe(fc.constantFrom(1, 2, 3)),
    dataBytes: maybe(fc.constantFrom(32, 96)),
    named,
  })
  .map(({ named, ...rest }) => ({ type: 'evm_log', dataSource: 'x', ...rest, ...named }))

type Entry = IndexEntry & { decoder: LogDecoder; asker: Asker }
type Asker = { at: number; matcher: LogMatcher; meets: (item: unknown) => boolean; asked: Condition | null }

async function asker(given: EvmLogSpec, asked: Condition | null, at: number): Promise<Asker> {
  return { at, asked, matcher: await logMatcher(given), meets: compileEarlyFilter(asked, { filtersSchema }) }
}

function entriesOf(one: Asker): Entry[] {
  const { at, asked, matcher } = one
  const requirements = readRequirements(asked, { filtersSchema })
  return matcher.keys.map((keys, key) => ({
    id: `${at}/${key}`,
    keys,
    decoder: matcher.decoder,
    asker: one,
    ...requirements,
  }))
}

const block = { number: 18, hash: '0xb', parentHash: '0xa', contents: undefined }

/** What ingestion does. */
function search(index: TriggerIndex<Entry>, log: EvmLog): number[] {
  const { address, topics, data } = log
  return index.matches({ type: 'evm_log', address, topics, data }).flatMap(({ decoder, proven, candidates }) => {
    const item = decoder.itemOf(block, 1, log)
    if (!item) return []
    for (const { asker } of proven) expect(asker.meets(item)).toBe(true)
    return [...proven, ...candidates.filter(({ asker }) => asker.meets(item))].map(({ asker }) => asker.at)
  })
}

function linear(askers: Asker[], log: EvmLog): number[] {
  const isConcerned = ({ matcher, meets }: Asker) => {
    const item = matcher.matchLog(block, 1, { ...log })
    return item !== undefined && meets(item)
  }
  return askers.filter(isConcerned).map(({ at }) => at)
}

const sorted = (list: number[]) => list.toSorted((a, b) => a - b)

test('logs: what the index finds, once and of it nothing proven wrongly, is what a linear evaluation finds', async () => {
  const given = fc.array(fc.tuple(spec, fc.option(condition)), { minLength: 1, maxLength: 10 })
  const logs = fc.array(log, { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(given, logs, fc.array(fc.nat(9)), async (wanted, logs, removed) => {
      const askers = await Promise.all(wanted.map(([spec, asked], at) => asker(spec, asked, at)))
      const index = makeTriggerIndex<Entry>()
      for (const one of askers) for (const entry of entriesOf(one)) index.add(entry)
      for (const log of logs) expect(sorted(search(index, log))).toEqual(linear(askers, log))
      const gone = askers.filter(({ at }) => removed.includes(at))
      for (const one of gone) for (const { id } of entriesOf(one)) index.remove(id)
      const left = askers.filter((one) => !gone.includes(one))
      for (const log of logs) expect(sorted(search(index, log))).toEqual(linear(left, log))
      for (const one of gone) for (const entry of entriesOf(one)) index.add(entry)
      for (const log of logs) expect(sorted(search(index, log))).toEqual(linear(askers, log))
    }),
    { numRuns: 1500 },
  )
}, 60_000)
