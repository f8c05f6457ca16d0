import { type Requirement, sameKey } from '../conditions/index.ts'
import { parsePath, readPath } from '../paths.ts'
import { placeInLog } from './evm-log-fields.ts'
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
import type { Placed } from './place.ts'
import type { Part, Probe } from './shelf.ts'

/** What one kind of item gives the index to look entries up by. */
export type Indexing<Keys, Raw> = {
  /** The parts of an entry's keys, the most telling one not first: what many entries share comes first. */
  parts(keys: Keys): Part[]
  /** For each part, what an item can be found under; asked only where there is something to find. */
  probes: readonly Probe<Raw>[]
  placeOf(requirement: Requirement, keys: Keys): Placed<Raw> | undefined
}

/** Topics and bytes of data in one number, each with room for a wildcard; no log has five topics. */
function shapeOf(topicsCount: number | undefined, dataBytes: number | undefined): number {
  return (dataBytes === undefined ? 0 : dataBytes + 1) * 8 + (topicsCount === undefined ? 0 : topicsCount + 1)
}

export const evmLogs: Indexing<EvmLogKeys, RawLog> = {
  parts: ({ address, topic0, topicsCount, dataBytes }) => [
    topic0?.toLowerCase(),
    address?.toLowerCase(),
    shapeOf(topicsCount, dataBytes),
  ],
  probes: [
    ({ topics: [topic0] }) => (topic0 === undefined ? [undefined] : [topic0, undefined]),
    ({ address }) => [address.toLowerCase(), undefined],
    ({ topics: { length: count }, data }) => {
      const bytes = (data.length - 2) >> 1
      return [shapeOf(count, bytes), shapeOf(count, undefined), shapeOf(undefined, bytes), 0]
    },
  ],
  placeOf: placeInLog,
}

const transactionFields = new Set(['from', 'to', 'methodId', 'hash', 'value', 'nonce', 'type', 'status'])

export const evmTransactions: Indexing<EvmTransactionKeys, RawTransaction> = {
  parts: () => [],
  probes: [],
  placeOf: (requirement) =>
    transactionFields.has(requirement.path) ? placeInItem(requirement, '', ({ item }) => item) : undefined,
}

/** Metadata writes `Balances` and `Transfer`, people also `balances` and `transfer`. */
function folded(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1)
}

export const substrateEvents: Indexing<SubstrateEventKeys, RawSubstrateEvent> = {
  parts: ({ pallet, event }) => [pallet && folded(pallet), event && folded(event)],
  probes: [({ pallet }) => [folded(pallet), undefined], ({ event }) => [folded(event), undefined]],
  placeOf: (requirement) => placeInItem(requirement, '', ({ item }) => item),
}

export const solanaEvents: Indexing<SolanaEventKeys, RawSolanaEvent> = {
  parts: ({ programId, discriminator }) => [discriminator?.toLowerCase(), programId],
  probes: [({ discriminator }) => [discriminator.toLowerCase(), undefined], ({ programId }) => [programId, undefined]],
  placeOf: (requirement, { decoder }) =>
    decoder === undefined ? undefined : placeInItem(requirement, decoder, (raw) => raw.item(decoder)),
}

function placeInItem<Raw>(
  { path, is, value }: Requirement,
  decoder: string,
  itemOf: (raw: Raw) => unknown,
): Placed<Raw> {
  const segments = parsePath(path)
  const field = `${decoder} ${path} ${is}`
  const reading =
    <Key>(keyOf: (value: unknown) => Key | undefined) =>
    (raw: Raw) => {
      const item = itemOf(raw)
      return item === undefined ? undefined : keyOf(readPath(item, segments))
    }
  if (is === 'same') return { field, is, read: reading(sameKey), key: sameKey(value) }
  return { field, is, read: reading(orderOf), key: orderOf(value) }
}
