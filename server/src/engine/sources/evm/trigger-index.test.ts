import type { Condition } from '@tocsin/contract'
import { expect, test } from 'vitest'
import {
  everyIndexing,
  type AnyEntry as IndexEntry,
  type AnyRawItem as RawItem,
} from '../../../../../tests/harness/raw-items.ts'
import { readRequirements } from '../../conditions/requirements.ts'
import { makeTriggerIndex, type TriggerIndex } from '../../match/index.ts'
import { evmIndexing } from './indexing.ts'
import type { EvmLogKeys } from './match-keys.ts'

const inputs = [
  { name: 'from', type: 'address', indexed: true },
  { name: 'to', type: 'address', indexed: true },
  { name: 'value', type: 'uint256', indexed: false },
]
const topic0 = `0x${'ab'.repeat(32)}`
const wallets = ['1', '2', '3'].map((digit) => `0x${digit.repeat(39)}a`)
const filtersSchema = {
  from: { type: 'address', sourcePath: 'params.from' },
  to: { type: 'address', sourcePath: 'args[1]' },
  value: { type: 'balance', decimals: 1, sourcePath: 'params.value' },
  later: 'string',
}
const low = (text: string) => text.toLowerCase()
const foundIn = (index: TriggerIndex<IndexEntry>, raw: RawItem) =>
  index.matches(raw).flatMap(({ proven, candidates }) => [...proven, ...candidates])
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).sort()

test('only the wallets in the log are candidates, however many wallets the index holds', () => {
  const index = makeTriggerIndex<IndexEntry>(everyIndexing)
  const spec = { type: 'evm_log' as const, topic0, inputs }
  for (let at = 0; at < 10_000; at++) {
    const value = `0x${at.toString(16).padStart(40, '0')}`
    const terms = readRequirements(
      {
        any: [
          { param: 'from', op: 'eq', value },
          { param: 'to', op: 'eq', value: '{{inputs.wallet}}' },
        ],
      },
      { filtersSchema, inputs: { wallet: value } },
    )
    index.add({ id: String(at), keys: spec, ...terms })
  }
  const topics = [topic0, 77, 99].map((part) =>
    typeof part === 'string' ? part : `0x${part.toString(16).padStart(64, '0')}`,
  )
  expect(ids(foundIn(index, { type: 'evm_log', address: wallets[0]!, topics, data: '0x' }))).toEqual(['77', '99'])
})

const word = (value: bigint) => value.toString(16).padStart(64, '0')

function transferOf(value: bigint): RawItem {
  const topics = [topic0, ...wallets.slice(0, 2).map((each) => `0x${low(each.slice(2)).padStart(64, '0')}`)]
  return { type: 'evm_log', address: wallets[2]!, topics, data: `0x${word(value)}` }
}

/** Which of the conditions, by their places, a transfer finds proven, and which it only finds. */
function findings(asked: (Condition | null)[], value: bigint) {
  const index = makeTriggerIndex<IndexEntry>(everyIndexing)
  const keys = { type: 'evm_log' as const, topic0, inputs }
  for (const [at, one] of asked.entries())
    index.add({ id: String(at), keys, ...readRequirements(one, { filtersSchema }) })
  const [group] = index.matches(transferOf(value))
  return { proven: ids(group?.proven ?? []), candidates: ids(group?.candidates ?? []) }
}

test('values, bounds, negations and conjunctions of them are proven; alternatives of conjunctions stay candidates', () => {
  const to = { param: 'to', op: 'eq', value: wallets[1]! } as const
  const much = { param: 'value', op: 'gt', value: '0.9' } as const
  const later = { param: 'later', op: 'eq', value: 'x' } as const
  const other = { param: 'from', op: 'ne', value: wallets[2]! } as const
  const provable: (Condition | null)[] = [
    ...[null, to, much, other, { any: [to, much] }, { all: [to, later] }, { any: [later, to] }],
    ...[{ not: { not: to } }, { all: [to, { not: later }] }, { all: [much, other] }],
    { not: { param: 'to', op: 'in', value: wallets.slice(2) } },
    { all: [much, { not: { param: 'value', op: 'gte', value: '1.1' } }] },
    { not: { any: [{ not: much }, { not: other }] } },
  ]
  expect(findings(provable, 10n)).toEqual({
    proven: ids(provable.map((_, at) => ({ id: String(at) }))),
    candidates: [],
  })
  const others: Condition[] = [{ any: [{ all: [to, much] }, other] }, { all: [much, { any: [other, to] }] }]
  expect(findings(others, 10n)).toEqual({ proven: [], candidates: ['0', '1'] })
})

test('a negated value excludes the entries that name it, and no others', () => {
  const not = (value: string): Condition => ({
    all: [{ param: 'value', op: 'gt', value: '0' }, { not: { param: 'from', op: 'eq', value } }],
  })
  expect(findings([...wallets, ...wallets].map(not), 10n)).toEqual({ proven: ['1', '2', '4', '5'], candidates: [] })
})

test('prefixes are proven: alone, as alternatives, beside other conditions, and negated', () => {
  const starts = (param: string, value: unknown): Condition => ({ param, op: 'startsWith', value }) as Condition
  const much = { param: 'value', op: 'gt', value: '0' } as const
  const [from, to] = [wallets[0]!, wallets[1]!.toUpperCase()]
  const holding: Condition[] = [
    ...['', '0', '0x', from.slice(0, 12), from.slice(0, 20), from].map((value) => starts('from', value)),
    ...[starts('to', '0X222'), starts('value', 10), starts('value', '1')],
    { any: [starts('from', '0x1'), starts('to', to)] },
    ...[{ all: [much, { not: starts('from', '0x12') }] }, { all: [much, { not: starts('from', `${from}1`) }] }],
    ...[{ not: starts('value', true) }, { not: starts('from', '1x') }, { not: starts('from', '0'.repeat(65)) }],
  ]
  const failing: Condition[] = [
    ...['0x12', '1', 'x', `${from}1`, '0x'.repeat(40), true, null].map((value) => starts('from', value)),
    ...[starts('value', '11'), starts('value', '100')],
    ...[{ all: [much, { not: starts('from', '') }] }, { all: [much, { not: starts('from', from.slice(0, 30)) }] }],
    { any: [starts('from', '0x2'), starts('to', '0x1')] },
  ]
  const both: Condition = { all: [much, starts('from', from.slice(0, 30))] }
  const asked = [both, ...failing, ...holding, both]
  const holds = asked.flatMap((one, at) => (at > 0 && !failing.includes(one) ? [String(at)] : []))
  expect(findings(asked, 10n)).toEqual({ proven: holds.sort(), candidates: ['0'] })
})

test('an entry is looked up by its prefix, however many prefixes and lengths the index holds', () => {
  const index = makeTriggerIndex<IndexEntry>(everyIndexing)
  const keys = { type: 'evm_log' as const, topic0, inputs }
  const prefixes = Array.from({ length: 4_000 }, (_, at) =>
    at % 50 === 0 ? wallets[0]!.slice(0, 3 + (at % 40)) : `0x1${at.toString(16).padStart(1 + (at % 37), '0')}`,
  )
  for (const [at, value] of prefixes.entries())
    index.add({ id: `${at}`, keys, ...readRequirements({ param: 'from', op: 'startsWith', value }, { filtersSchema }) })
  const expected = () => ids(prefixes.flatMap((each, at) => (wallets[0]!.startsWith(each) ? [{ id: `${at}` }] : [])))
  expect(expected().length).toBeGreaterThan(79)
  const [group] = index.matches(transferOf(1n))
  expect([ids(group?.proven ?? []), group?.candidates]).toEqual([expected(), []])
  for (const at of prefixes.keys()) index.remove(String(at))
  expect(foundIn(index, transferOf(1n))).toEqual([])
})

test('an entry that is alone under a value stays a candidate; of several entries the later ones are proven by their own row', () => {
  const both = (value: string): Condition => ({
    all: [
      { param: 'to', op: 'eq', value: wallets[1]! },
      { param: 'value', op: 'gte', value },
    ],
  })
  expect(findings([both('1')], 10n)).toEqual({ proven: [], candidates: ['0'] })
  expect(findings(['1', '1', '1.1', '0'].map(both), 10n)).toEqual({ proven: ['1', '3'], candidates: ['0'] })
})

test('entries with more combinations than a key path distinguishes are still found, and each can be removed', () => {
  const fields = ['from', 'to', 'value', 'flag', 'more', 'last'].map((name) => ({ name, type: 'uint256' }))
  const filters = Object.fromEntries(fields.map(({ name }) => [name, { type: 'number', sourcePath: `params.${name}` }]))
  const subsets = Array.from({ length: 2 ** fields.length }, (_, set) => fields.filter((_, at) => (set >> at) & 1))
  const index = makeTriggerIndex<IndexEntry>(everyIndexing)
  const keys = { type: 'evm_log' as const, topic0, inputs: fields }
  for (const [at, some] of subsets.entries()) {
    const asked = { all: some.map(({ name }) => ({ param: name, op: 'ne', value: '5' })) } as Condition
    index.add({ id: String(at), keys, ...readRequirements(asked, { filtersSchema: filters }) })
  }
  const log = (value: bigint): RawItem => ({
    type: 'evm_log',
    address: '0x1',
    topics: [topic0],
    data: `0x${word(value).repeat(6)}`,
  })
  expect(foundIn(index, log(1n))).toHaveLength(subsets.length)
  const [group] = index.matches(log(5n))
  expect(ids(group?.proven ?? [])).toEqual(['0'])
  for (const at of subsets.keys()) index.remove(String(at))
  expect(foundIn(index, log(1n))).toEqual([])
})

test('an entry with several values is stored under the most selective one', () => {
  const index = makeTriggerIndex<IndexEntry>(everyIndexing)
  const keys: EvmLogKeys = { type: 'evm_log', topic0, inputs: [...inputs, { name: 'flag', type: 'bool' }] }
  const filters = { ...filtersSchema, flag: { type: 'boolean', sourcePath: 'params.flag' } }
  const flag = { param: 'flag', op: 'eq', value: true } as const
  for (const [at, value] of wallets.entries())
    for (const both of [
      [flag, { param: 'to', op: 'eq', value } as const],
      [{ param: 'to', op: 'eq', value } as const, flag],
    ])
      index.add({
        id: `${at}${both.indexOf(flag)}`,
        keys,
        ...readRequirements({ all: both }, { filtersSchema: filters }),
      })
  const transfer = transferOf(1n)
  if (transfer.type === 'evm_log') transfer.data += word(1n)
  expect(ids(foundIn(index, transfer))).toEqual(['10', '11'])
})

test('bounds are exact to the last digit, beyond the precision of doubles', () => {
  const [least, most] = [2n ** 255n, 2n ** 255n + 1n]
  const bounds = (['gt', 'gte', 'lt', 'lte'] as const).map((op) => ({ param: 'value', op, value: `${least / 10n}.8` }))
  expect(findings(bounds, least)).toEqual({ proven: ['1', '3'], candidates: [] })
  expect(findings(bounds, most)).toEqual({ proven: ['0', '1'], candidates: [] })
  expect(findings(bounds, least - 1n)).toEqual({ proven: ['2', '3'], candidates: [] })
})

test('hits are grouped by their decoder, each entry once', () => {
  const index = makeTriggerIndex<IndexEntry & { decoder: string }>(everyIndexing)
  const keys = { type: 'evm_log' as const, topic0, inputs }
  const either = {
    any: wallets.slice(0, 2).flatMap((value) => ['from', 'to'].map((param) => ({ param, op: 'eq', value }))),
  }
  const terms = readRequirements(either as Condition, { filtersSchema })
  for (const [at, decoder] of ['x', 'y', 'x', 'y', 'z'].entries())
    index.add({ id: String(at), keys, decoder, ...(at % 2 === 0 ? terms : {}) })
  const groups = index
    .matches(transferOf(1n))
    .map(({ decoder, proven, candidates }) => [decoder, ids(proven), ids(candidates)])
  expect(groups.sort()).toEqual([
    ['x', ['0', '2'], []],
    ['y', [], ['1', '3']],
    ['z', ['4'], []],
  ])
})

test('an address in a topic is compared by its last twenty bytes, as decoders read it', () => {
  const index = makeTriggerIndex<IndexEntry>(everyIndexing)
  index.add({
    id: 'a',
    keys: { type: 'evm_log', topic0, inputs },
    requirements: [[{ path: 'params.from', is: 'same', value: wallets[0] }]],
  })
  const dirty = `0x${'f'.repeat(24)}${wallets[0]!.slice(2).toLowerCase()}`
  expect(foundIn(index, { type: 'evm_log', address: '0x1', topics: [topic0, dirty], data: '0x' })).toHaveLength(1)
})

test('an anonymous event has its first indexed input in its first topic', () => {
  const index = makeTriggerIndex<IndexEntry>(everyIndexing)
  const keys: EvmLogKeys = { type: 'evm_log', addresses: [wallets[0]!], anonymous: true, inputs }
  index.add({ id: 'a', keys, requirements: [[{ path: 'params.from', is: 'same', value: wallets[1] }]] })
  const raw = (topic: string): RawItem => ({ type: 'evm_log', address: wallets[0]!, topics: [topic], data: '0x' })
  expect(foundIn(index, raw(low(`0x${wallets[1]!.slice(2).padStart(64, '0')}`)))).toHaveLength(1)
  expect(foundIn(index, raw(low(`0x${wallets[2]!.slice(2).padStart(64, '0')}`)))).toHaveLength(0)
})

test('an entry that names many contracts is found once for each of them, and can be removed', () => {
  const index = makeTriggerIndex<IndexEntry>(everyIndexing)
  const addresses = Array.from({ length: 1000 }, (_, at) => `0x${at.toString(16).padStart(40, '0')}`)
  index.add({ id: 'list', keys: { type: 'evm_log', addresses, topic0 } })
  index.add({ id: 'one', keys: { type: 'evm_log', addresses: addresses.slice(7, 8), topic0 } })
  const found = (address: string) => ids(foundIn(index, { type: 'evm_log', address, topics: [topic0], data: '0x' }))
  expect(addresses.map(found)).toEqual(addresses.map((_, at) => (at === 7 ? ['list', 'one'] : ['list'])))
  expect(found(wallets[0]!)).toEqual([])
  index.remove('list')
  expect(addresses.slice(6, 9).map(found)).toEqual([[], ['one'], []])
})

test('transactions are found by sender, receiver and method', () => {
  const index = makeTriggerIndex<IndexEntry>(everyIndexing)
  const add = (id: string, path: string, value: unknown) =>
    index.add({ id, keys: { type: 'evm_transaction' }, requirements: [[{ path, is: 'same', value }]] })
  add('from', 'from', '0xAA')
  add('to', 'to', '0xbb')
  add('creation', 'to', null)
  add('method', 'methodId', '0xA9059CBB')
  add('deep', 'block.number', 5)
  const found = (item: Record<string, unknown>) => ids(foundIn(index, { type: 'evm_transaction', item }))
  expect(found({ from: '0xaa', to: '0xBB', methodId: '0xa9059cbb' })).toEqual(['deep', 'from', 'method', 'to'])
  expect(found({ from: '0x1', to: null })).toEqual(['creation', 'deep'])
})

test('blocks are found by the divisors of their number, however many an index has', () => {
  const index = makeTriggerIndex<IndexEntry>(everyIndexing)
  const all = [1, 2, 3, 5, 7, 360, 100_000]
  for (const every of all) index.add({ id: String(every), keys: { type: 'evm_block', every } })
  index.add({
    id: 'full',
    keys: { type: 'evm_block', every: 1 },
    requirements: [[{ path: 'gasUsed', is: 'atLeast', value: 9 }]],
  })
  const found = (number: number, gasUsed = 1) =>
    foundIn(index, { type: 'evm_block', number, item: { number, gasUsed } }).map(({ id }) => id)
  for (const number of [0, 1, 7, 36, 49, 720, 100_000, 300_000, 23_000_003])
    expect(found(number).sort()).toEqual(all.flatMap((every) => (number % every === 0 ? String(every) : [])).sort())
  expect(found(11, 9).sort()).toEqual(['1', 'full'])
})

test('Substrate events are found by pallet and event, first letter folded, and by their params', () => {
  const index = makeTriggerIndex<IndexEntry>(everyIndexing)
  index.add({ id: 'all', keys: { type: 'substrate_event' } })
  index.add({ id: 'pallet', keys: { type: 'substrate_event', pallet: 'balances' } })
  index.add({ id: 'event', keys: { type: 'substrate_event', pallet: 'Balances', event: 'transfer' } })
  const requirements = [[{ path: 'params.who', is: 'same' as const, value: '5ABC' }]]
  index.add({ id: 'who', keys: { type: 'substrate_event', pallet: 'balances', event: 'Transfer' }, requirements })
  const found = (pallet: string, event: string, who: string) =>
    ids(foundIn(index, { type: 'substrate_event', pallet, event, item: { pallet, event, params: { who } } }))
  expect(found('Balances', 'Transfer', '5aBc')).toEqual(['all', 'event', 'pallet', 'who'])
  expect(found('Balances', 'Deposit', '5ABC')).toEqual(['all', 'pallet'])
  expect(found('System', 'Transfer', '5ABC')).toEqual(['all'])
})

test('Solana events are decoded by an IDL only if an entry needs a value', () => {
  const index = makeTriggerIndex<IndexEntry>(everyIndexing)
  const keys = { type: 'solana_event' as const, programId: 'P', discriminator: '0102', decoder: 'idl' }
  const raw = (programId: string, item: (decoder: string) => Record<string, unknown> | undefined): RawItem => ({
    type: 'solana_event',
    programId,
    discriminator: '0102',
    item,
  })
  const unread = () => expect.fail('was decoded')
  index.add({ id: 'plain', keys })
  expect(ids(foundIn(index, raw('P', unread)))).toEqual(['plain'])
  index.add({ id: 'mine', keys, requirements: [[{ path: 'params.mint', is: 'same', value: 'So1' }]] })
  expect(ids(foundIn(index, raw('Q', unread)))).toEqual([])
  expect(
    ids(
      foundIn(
        index,
        raw('P', (decoder) => ({ params: { mint: decoder === 'idl' ? 'so1' : '' } })),
      ),
    ),
  ).toEqual(['mine', 'plain'])
  expect(
    ids(
      foundIn(
        index,
        raw('P', () => undefined),
      ),
    ),
  ).toEqual(['plain'])
})

test('an entry that is added again replaces the earlier one', () => {
  const index = makeTriggerIndex<IndexEntry>(everyIndexing)
  index.add({ id: 'a', keys: { type: 'substrate_event', pallet: 'x' } })
  index.add({ id: 'a', keys: { type: 'substrate_event', pallet: 'y' } })
  const raw = (pallet: string): RawItem => ({ type: 'substrate_event', pallet, event: 'e', item: {} })
  expect([index.size, foundIn(index, raw('x')).length, foundIn(index, raw('y')).length]).toEqual([1, 0, 1])
})

test('a type of items that the chain does not have is an error, when it is added and when it is looked up', () => {
  const index = makeTriggerIndex<IndexEntry>(evmIndexing)
  const keys = { type: 'substrate_event' as const, pallet: 'Balances' }
  expect(() => index.add({ id: 'a', keys })).toThrow('no items of type substrate_event')
  expect(index.size).toBe(0)
  expect(() => index.matches({ type: 'substrate_event' })).toThrow('no items of type substrate_event')
})
