import type { Condition } from '@tocsin/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { conditionsOn, expectFairShare, makeTally, testedInputs } from '../../../../tests/harness/conditions.ts'
import { propertyRuns } from '../../../../tests/harness/property-runs.ts'
import {
  everyIndexing,
  type AnyEntry as IndexEntry,
  type AnyKeys as MatchKeys,
  type AnyRawItem as RawItem,
} from '../../../../tests/harness/raw-items.ts'
import type { SourceItem } from '../base/source-item.ts'
import { readRequirements } from '../conditions/requirements.ts'
import { compileEarlyFilter } from '../conditions/trigger-conditions.ts'
import { makeTriggerIndex } from '../match/index.ts'

/** Each kind: generated keys, generated items, and what an entry with such keys sees in a raw one, told plainly. */
type Kind<Keys extends MatchKeys, Raw extends RawItem> = {
  paths: readonly string[]
  keys: fc.Arbitrary<Keys>
  raw: fc.Arbitrary<Raw>
  /** Undefined when the keys do not match, or the item does not decode. */
  itemOf(keys: Keys, raw: Raw): SourceItem | undefined
}

const scalars = [
  ...['0', 0, 1, '1', '1.0', -1, 0.5, '0.5', String(2n ** 64n), String(2n ** 64n + 1n), 'Abc', 'aBC', '0x1A', '0X1a'],
  ...['', 'true', '1e400', '5Gx', true, false, null],
]
const value = fc.constantFrom<string | number | boolean | null>(...scalars)
const field = fc.oneof(
  { arbitrary: value, weight: 3 },
  fc.constantFrom<unknown>([], ['a'], {}, { x: 1 }, ['1', 'Abc'], [{ x: '1' }, { x: null }], [[1]]),
)
const maybe = <A>(values: fc.Arbitrary<A>) => fc.option(values, { nil: undefined })

type Entry<Keys> = IndexEntry & { keys: Keys; meets: (item: unknown) => boolean }

/** The linear evaluation and the index over generated entries and items; entries come and go in between. */
function agrees<Keys extends MatchKeys, Raw extends RawItem>({ paths, keys, raw, itemOf }: Kind<Keys, Raw>): void {
  const filters = paths.flatMap((sourcePath) => [
    [sourcePath, { type: 'string', sourcePath }],
    [`${sourcePath} units`, { type: 'balance', decimals: 1, sourcePath }],
  ])
  const filtersSchema = Object.fromEntries([...filters, ['later', 'string']])
  const conditions = fc.option(conditionsOn(Object.keys(filtersSchema), scalars), { freq: 8 })
  const entries = fc
    .array(fc.tuple(keys, conditions), { maxLength: 12 })
    .map((list) => list.map(([keys, asked], at) => entryOf(keys, asked, at)))
  const tally = makeTally()
  const entryOf = (keys: Keys, asked: Condition | null, at: number): Entry<Keys> => {
    const options = { filtersSchema, inputs: testedInputs }
    return { id: `${at}`, keys, ...readRequirements(asked, options), meets: compileEarlyFilter(asked, options) }
  }
  fc.assert(
    fc.property(entries, fc.array(raw, { minLength: 1, maxLength: 6 }), fc.array(fc.nat(11)), (given, raws, gone) => {
      const index = makeTriggerIndex<Entry<Keys>>(everyIndexing)
      const expectAll = (left: Entry<Keys>[]) => {
        for (const raw of raws) {
          const linear = left.filter((entry) => meets(entry, itemOf(entry.keys, raw)))
          tally.asked += left.filter((entry) => itemOf(entry.keys, raw)).length
          tally.met += linear.length
          expect(found(raw)).toEqual(linear.map(({ id }) => id).sort())
        }
        expect(index.size).toBe(left.length)
      }
      const found = (raw: Raw) => {
        const all = index.matches(raw).flatMap(({ proven, candidates }) => {
          const decoded = proven.filter((entry) => itemOf(entry.keys, raw))
          for (const entry of decoded) expect(meets(entry, itemOf(entry.keys, raw))).toBe(true)
          tally.proven += decoded.length
          tally.refused += candidates.filter((entry) => !meets(entry, itemOf(entry.keys, raw))).length
          return [...proven, ...candidates]
        })
        return all
          .filter((entry) => meets(entry, itemOf(entry.keys, raw)))
          .map(({ id }) => id)
          .sort()
      }
      for (const entry of given) index.add(entry)
      expectAll(given)
      for (const at of gone) index.remove(String(at))
      expectAll(given.filter(({ id }) => !gone.includes(Number(id))))
      for (const entry of given) index.add(entry)
      expectAll(given)
    }),
    { numRuns: propertyRuns(700) },
  )
  expectFairShare(tally)
}

function meets<Keys>(entry: Entry<Keys>, item: SourceItem | undefined): boolean {
  return item !== undefined && entry.meets(item)
}

test('transactions: the index and a linear evaluation agree, and nothing is proven wrongly', () => {
  agrees({
    paths: ['from', 'to', 'value', 'methodId', 'status', 'input', 'block.number', 'nothing'],
    keys: fc.constant({ type: 'evm_transaction' }),
    raw: fc
      .record({
        from: value,
        to: value,
        value,
        methodId: field,
        status: value,
        input: value,
        block: fc.record({ number: value }),
      })
      .map((item) => ({ type: 'evm_transaction', item })),
    itemOf: (_, { item }) => item,
  })
})

const pallets = ['Balances', 'balances', 'System']
const names = ['Transfer', 'transfer', 'Deposit']
const isNamed = (wanted: string | undefined, name: string) => {
  const fold = (text: string) => `${text[0]?.toLowerCase()}${text.slice(1)}`
  return wanted === undefined || fold(wanted) === fold(name)
}

test('Substrate events: the index and a linear evaluation agree, and nothing is proven wrongly', () => {
  agrees({
    paths: ['params.who', 'params.amount', 'args[0]', 'args.1.x', 'pallet', 'phase'],
    keys: fc.record({
      type: fc.constant('substrate_event' as const),
      pallet: maybe(fc.constantFrom(...pallets)),
      event: maybe(fc.constantFrom(...names)),
    }),
    raw: fc
      .record({
        pallet: fc.constantFrom(...pallets),
        event: fc.constantFrom(...names),
        params: fc.record({ who: field, amount: value }, { requiredKeys: [] }),
        args: fc.array(field, { maxLength: 2 }),
      })
      .map((item) => ({ type: 'substrate_event', pallet: item.pallet, event: item.event, item })),
    itemOf: (keys, { pallet, event, item }) =>
      isNamed(keys.pallet, pallet) && isNamed(keys.event, event) ? item : undefined,
  })
})

const callNames = ['transfer_all', 'transferAll', 'remark']
const foldCall = (text: string) => text.replace('_', '').toLowerCase()

test('Substrate calls: the index and a linear evaluation agree, and nothing is proven wrongly', () => {
  agrees({
    paths: ['params.who', 'params.amount', 'args[0]', 'sender', 'nonce', 'success', 'path'],
    keys: fc.record({
      type: fc.constant('substrate_call' as const),
      pallet: maybe(fc.constantFrom(...pallets)),
      call: maybe(fc.constantFrom(...callNames)),
      nested: fc.boolean(),
      success: maybe(fc.boolean()),
    }),
    raw: fc
      .record({
        pallet: fc.constantFrom(...pallets),
        call: fc.constantFrom(...callNames),
        path: fc.constantFrom('0', '0.1'),
        success: fc.boolean(),
        sender: field,
        nonce: value,
        params: fc.record({ who: field, amount: value }, { requiredKeys: [] }),
        args: fc.array(field, { maxLength: 2 }),
      })
      .map((item) => {
        const { pallet, call, path, success } = item
        return { type: 'substrate_call' as const, pallet, call, isNested: path !== '0', success, item }
      }),
    itemOf: (keys, raw) => {
      const isOf = isNamed(keys.pallet, raw.pallet) && (!keys.call || foldCall(keys.call) === foldCall(raw.call))
      const isShaped = (keys.nested || !raw.isNested) && (keys.success ?? raw.success) === raw.success
      return isOf && isShaped ? raw.item : undefined
    },
  })
})

const programs = ['Prog1', 'prog1', 'Prog2']
const beginnings = ['0a', '0A0b', '0a0b0c']

test('Solana events: the index and a linear evaluation agree, and nothing is proven wrongly', () => {
  agrees({
    paths: ['params.mint', 'params.amount', 'programId', 'params.list.0'],
    keys: fc.record({
      type: fc.constant('solana_event' as const),
      programId: maybe(fc.constantFrom(...programs)),
      discriminator: maybe(fc.constantFrom(...beginnings)),
      decoder: maybe(fc.constantFrom('one', 'other')),
    }),
    raw: fc
      .record({
        programId: fc.constantFrom(...programs),
        count: fc.constantFrom(1, 2, 3),
        params: fc.record({ mint: field, amount: value, list: field }, { requiredKeys: [] }),
        unknownTo: fc.constantFrom('one', 'nobody'),
      })
      .map(({ programId, count, params, unknownTo }) => {
        const item = (decoder: string) =>
          decoder === unknownTo
            ? undefined
            : { programId, params: { ...params, ...(decoder === 'other' && { mint: 1 }) } }
        const all = beginnings.slice(0, count).map((each) => each.toLowerCase())
        return { type: 'solana_event', programId, discriminator: count === 1 ? '0a' : all, item }
      }),
    itemOf: ({ programId, discriminator, decoder }, raw) => {
      if (programId !== undefined && programId !== raw.programId) return undefined
      const all = typeof raw.discriminator === 'string' ? [raw.discriminator] : raw.discriminator
      const isOf = discriminator === undefined || all.includes(discriminator.toLowerCase())
      return isOf ? raw.item(decoder ?? 'other') : undefined
    },
  })
})
