/** The trigger index: a raw item → the triggers and subscriptions that it can concern, in constant time. */

import { evmLogs, evmTransactions, type Indexing, solanaEvents, substrateEvents } from './chains.ts'
import { makeFields } from './field.ts'
import { type Group, makeFound } from './found.ts'
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
import { type Layouts, makePlan } from './plan.ts'
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
 * One source's index. It never misses an entry whose keys match and of whose requirements one of each list holds, and
 * gives an entry once.
 */
export type TriggerIndex<T extends IndexEntry> = {
  readonly size: number
  /** An entry with the id of another takes its place. */
  add(entry: T): void
  remove(id: string): void
  /** One group for each decoder of those who are found, each entry in one of them and once. */
  matches(raw: RawItem): readonly Matches<T>[]
}

/**
 * `proven` entries are concerned if the item decodes by their decoder at all: their conditions need no look at it. The
 * `candidates` may yet be refused by decoding and by the early filter.
 */
export type Matches<T extends IndexEntry> = {
  readonly decoder: T['decoder']
  readonly proven: readonly T[]
  readonly candidates: readonly T[]
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
  const matches = (raw: RawItem): Group<T>[] => {
    if (raw.type === 'evm_log') return logs.matches(raw)
    if (raw.type === 'evm_transaction') return transactions.matches(raw)
    return raw.type === 'substrate_event' ? substrate.matches(raw) : solana.matches(raw)
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
    matches,
  }
}

function makeKind<T extends IndexEntry, Keys, Raw>(indexing: Indexing<Keys, Raw>) {
  const shelf = makeShelf<Raw, T>()
  const fields = makeFields<Raw>()
  const layouts: Layouts<Raw> = new Map()
  const planOf = (keys: Keys, entry: T) =>
    makePlan(entry, (requirement) => indexing.placeOf(requirement, keys, fields), layouts)
  return {
    add(keys: Keys, entry: T): void {
      addToShelf(shelf, indexing.partsOf(keys), planOf(keys, entry), entry)
    },
    remove(keys: Keys, entry: T): void {
      removeFromShelf(shelf, indexing.partsOf(keys), planOf(keys, entry), entry)
    },
    matches(raw: Raw): Group<T>[] {
      const found = makeFound<T>()
      collect(shelf, indexing, raw, found)
      return found.groups
    },
  }
}
