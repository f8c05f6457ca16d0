/** The trigger index: a raw item → the triggers and subscriptions that it can concern, in constant time. */
import { evmLogs, evmTransactions, type Indexing, solanaEvents, substrateEvents } from './chains.ts'
import type {
  EvmLogKeys,
  EvmTransactionKeys,
  IndexEntry,
  RawItem,
  RawLog,
  RawSolanaEvent,
  RawSubstrateEvent,
  RawTransaction,
  SolanaEventKeys,
  SubstrateEventKeys,
} from './keys.ts'
import { choosePlaces } from './place.ts'
import { addToShelf, collect, makeShelf, removeFromShelf } from './shelf.ts'

export type {
  EventInput,
  EvmLogKeys,
  EvmTransactionKeys,
  IndexEntry,
  MatchKeys,
  RawItem,
  RawLog,
  RawSolanaEvent,
  RawSubstrateEvent,
  RawTransaction,
  SolanaEventKeys,
  SubstrateEventKeys,
} from './keys.ts'

/**
 * One source's index. It never misses an entry whose keys match and of whose requirements one of each list holds; it may give
 * entries that decoding and the conditions then refuse. Whoever asks verifies on the decoded item.
 */
export type TriggerIndex<T extends IndexEntry> = {
  readonly size: number
  /** An entry with the id of another takes its place. */
  add(entry: T): void
  remove(id: string): void
  candidates(raw: RawItem): T[]
}

export function makeTriggerIndex<T extends IndexEntry>(): TriggerIndex<T> {
  const entries = new Map<string, T>()
  const logs = makeKind<T, EvmLogKeys, RawLog>(evmLogs)
  const transactions = makeKind<T, EvmTransactionKeys, RawTransaction>(evmTransactions)
  const substrate = makeKind<T, SubstrateEventKeys, RawSubstrateEvent>(substrateEvents)
  const solana = makeKind<T, SolanaEventKeys, RawSolanaEvent>(solanaEvents)

  const change = (how: 'add' | 'remove', entry: T) => {
    const { keys } = entry
    if (keys.type === 'evm_log') logs[how](keys, entry)
    else if (keys.type === 'evm_transaction') transactions[how](keys, entry)
    else if (keys.type === 'substrate_event') substrate[how](keys, entry)
    else solana[how](keys, entry)
  }
  const remove = (id: string) => {
    const entry = entries.get(id)
    if (entry) change('remove', entry)
    entries.delete(id)
  }
  return {
    get size() {
      return entries.size
    },
    add(entry) {
      remove(entry.id)
      entries.set(entry.id, entry)
      change('add', entry)
    },
    remove,
    candidates(raw) {
      if (raw.type === 'evm_log') return logs.candidates(raw)
      if (raw.type === 'evm_transaction') return transactions.candidates(raw)
      return raw.type === 'substrate_event' ? substrate.candidates(raw) : solana.candidates(raw)
    },
  }
}

function makeKind<T extends IndexEntry, Keys, Raw>(indexing: Indexing<Keys, Raw>) {
  const shelf = makeShelf<Raw, T>()
  /** Only what stands in several places can be found twice. */
  let mayRepeat = false
  const placesOf = (keys: Keys, { requirements = [] }: T) =>
    choosePlaces(requirements, (requirement) => indexing.placeOf(requirement, keys))
  return {
    add(keys: Keys, entry: T): void {
      const places = placesOf(keys, entry)
      if (places && places.length > 1) mayRepeat = true
      addToShelf(shelf, indexing.parts(keys), places, entry)
    },
    remove(keys: Keys, entry: T): void {
      removeFromShelf(shelf, indexing.parts(keys), placesOf(keys, entry), entry)
    },
    candidates(raw: Raw): T[] {
      const found: T[] = []
      collect(shelf, indexing.probes, raw, found)
      return mayRepeat && found.length > 1 ? [...new Set(found)] : found
    },
  }
}
