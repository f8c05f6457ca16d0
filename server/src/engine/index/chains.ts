import { type Requirement, sameKey } from '../conditions/index.ts'
import { readDecimal } from '../decimals.ts'
import { parsePath, readPath } from '../paths.ts'
import { placeInLog } from './evm-log-fields.ts'
import { type Fields, type Placed, placeByBound, valueField } from './field.ts'
import type {
  EvmLogKeys,
  EvmTransactionKeys,
  RawLog,
  RawSolanaEvent,
  RawSubstrateEvent,
  RawTransaction,
  SolanaEventKeys,
  SubstrateEventKeys,
} from './keys.ts'
import { orderOf } from './order.ts'
import type { Lookup, Part } from './shelf.ts'

/** What one kind of item gives the index to look entries up by. */
export type Indexing<Keys, Raw> = Lookup<Raw> & {
  /** The parts of an entry's keys, the most telling one not first: what many entries share comes first. */
  parts(keys: Keys): Part[]
  /** What else the keys ask, of which few kinds stand in one place, as a number. */
  shapeOf(keys: Keys): number
  /** Where the decoded item's value is read from a raw one; undefined when only decoding tells. */
  placeOf(requirement: Requirement, keys: Keys, fields: Fields<Raw>): Placed<Raw> | undefined
}

const shapeless = { shapeOf: () => 0, hasShape: () => true }

export const evmLogs: Indexing<EvmLogKeys, RawLog> = {
  parts: ({ address, topic0 }) => [topic0?.toLowerCase(), address?.toLowerCase()],
  probes: [({ topics }) => topics[0], ({ address }) => address],
  /** Topics and bytes of data in one number, each with room for a wildcard; no log has five topics. */
  shapeOf: ({ topicsCount = -1, dataBytes = -1 }) => (dataBytes + 1) * 8 + topicsCount + 1,
  hasShape({ topics, data }, shape) {
    const topicsCount = shape % 8
    if (topicsCount > 0 && topics.length !== topicsCount - 1) return false
    return shape < 8 || data.length - 2 === 2 * (Math.floor(shape / 8) - 1)
  },
  placeOf: placeInLog,
}

const transactionFields = new Set(['from', 'to', 'methodId', 'hash', 'value', 'nonce', 'type', 'status'])

export const evmTransactions: Indexing<EvmTransactionKeys, RawTransaction> = {
  ...shapeless,
  parts: () => [],
  probes: [],
  placeOf: (requirement, _, fields) =>
    transactionFields.has(requirement.path) ? placeInItem(fields, requirement, '', ({ item }) => item) : undefined,
}

/** Metadata writes `Balances` and `Transfer`, people also `balances` and `transfer`. */
function folded(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1)
}

export const substrateEvents: Indexing<SubstrateEventKeys, RawSubstrateEvent> = {
  ...shapeless,
  parts: ({ pallet, event }) => [pallet && folded(pallet), event && folded(event)],
  probes: [({ pallet }) => folded(pallet), ({ event }) => folded(event)],
  placeOf: (requirement, _, fields) => placeInItem(fields, requirement, '', ({ item }) => item),
}

export const solanaEvents: Indexing<SolanaEventKeys, RawSolanaEvent> = {
  ...shapeless,
  parts: ({ programId, discriminator }) => [discriminator?.toLowerCase(), programId],
  probes: [({ discriminator }) => lower(discriminator), ({ programId }) => programId],
  placeOf: (requirement, { decoder }, fields) =>
    decoder === undefined ? undefined : placeInItem(fields, requirement, decoder, (raw) => raw.item(decoder)),
}

function lower(text: string | readonly string[]): string | string[] {
  return typeof text === 'string' ? text.toLowerCase() : text.map((each) => each.toLowerCase())
}

function placeInItem<Raw>(
  fields: Fields<Raw>,
  requirement: Requirement,
  decoder: string,
  itemOf: (raw: Raw) => unknown,
): Placed<Raw> | undefined {
  const segments = parsePath(requirement.path)
  const name = `${decoder} ${requirement.path}`
  const valueIn = (raw: Raw) => readPath(itemOf(raw), segments)
  if (requirement.is !== 'same')
    return placeByBound(fields, name, requirement, {
      read: (raw) => orderOf(valueIn(raw)),
      readExact: (raw) => readDecimal(valueIn(raw)) ?? { digits: 0n, scale: 0 },
    })
  const read = (raw: Raw) => (itemOf(raw) === undefined ? undefined : sameKey(valueIn(raw)))
  return { field: valueField(fields, name, read), key: sameKey(requirement.value) }
}
