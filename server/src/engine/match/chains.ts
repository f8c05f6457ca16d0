import { readDecimal } from '../base/decimals.ts'
import { parsePath, readPath } from '../base/paths.ts'
import { type Requirement, sameKey } from '../conditions/index.ts'
import { placeInLog } from '../sources/evm/log-fields.ts'
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
import type { Lookup, Parts } from './shelf.ts'

/** What one kind of item gives the index to look entries up by. */
export type Indexing<Keys, Raw> = Lookup<Raw> & {
  partsOf(keys: Keys): Parts
  /** Where the decoded item's value is read from a raw one; undefined when only decoding tells. */
  placeOf(requirement: Requirement, keys: Keys, fields: Fields<Raw>): Placed<Raw> | undefined
}

const shapeless = { hasShape: () => true, shapesOf: () => [0] }

/** Topics and bytes of data in one number, each with room for a wildcard; no log has five topics. */
function logShape(topicsCount = -1, dataBytes = -1): number {
  return (dataBytes + 1) * 8 + topicsCount + 1
}

export const evmLogs: Indexing<EvmLogKeys, RawLog> = {
  partsOf: ({ topic0, address, topicsCount, dataBytes }) => ({
    first: topic0?.toLowerCase(),
    second: address?.toLowerCase(),
    shape: logShape(topicsCount, dataBytes),
  }),
  firstOf: ({ topics }) => topics[0],
  secondOf: ({ address }) => address,
  hasShape({ topics, data }, shape) {
    const topicsCount = shape % 8
    if (topicsCount > 0 && topics.length !== topicsCount - 1) return false
    return shape < 8 || data.length - 2 === 2 * (Math.floor(shape / 8) - 1)
  },
  shapesOf({ topics, data }) {
    const dataBytes = (data.length - 2) / 2
    return [logShape(), logShape(topics.length), logShape(undefined, dataBytes), logShape(topics.length, dataBytes)]
  },
  placeOf: placeInLog,
}

const transactionFields = new Set(['from', 'to', 'methodId', 'hash', 'value', 'nonce', 'type', 'status'])

export const evmTransactions: Indexing<EvmTransactionKeys, RawTransaction> = {
  ...shapeless,
  partsOf: () => ({ shape: 0 }),
  firstOf: () => undefined,
  secondOf: () => undefined,
  placeOf: (requirement, _, fields) =>
    transactionFields.has(requirement.path) ? placeInItem(fields, requirement, '', ({ item }) => item) : undefined,
}

/** Metadata writes `Balances` and `Transfer`, people also `balances` and `transfer`. */
function folded(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1)
}

export const substrateEvents: Indexing<SubstrateEventKeys, RawSubstrateEvent> = {
  ...shapeless,
  partsOf: ({ pallet, event }) => ({ first: pallet && folded(pallet), second: event && folded(event), shape: 0 }),
  firstOf: ({ pallet }) => folded(pallet),
  secondOf: ({ event }) => folded(event),
  placeOf: (requirement, _, fields) => placeInItem(fields, requirement, '', ({ item }) => item),
}

export const solanaEvents: Indexing<SolanaEventKeys, RawSolanaEvent> = {
  ...shapeless,
  partsOf: ({ programId, discriminator }) => ({ first: eventName(discriminator, programId), shape: 0 }),
  firstOf({ programId, discriminator }) {
    const all = typeof discriminator === 'string' ? [discriminator] : discriminator
    const named = all.flatMap((one) => [eventName(one, programId), eventName(one)])
    return [...named, eventName(undefined, programId)].filter((name) => name !== undefined)
  },
  secondOf: () => undefined,
  placeOf: (requirement, { decoder }, fields) =>
    decoder === undefined ? undefined : placeInItem(fields, requirement, decoder, (raw) => raw.item(decoder)),
}

/** Both in one: an event that is another program's must not be decoded to be told apart. */
function eventName(discriminator?: string, programId?: string): string | undefined {
  if (discriminator === undefined && programId === undefined) return undefined
  return `${discriminator?.toLowerCase() ?? ''} ${programId ?? ''}`
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
