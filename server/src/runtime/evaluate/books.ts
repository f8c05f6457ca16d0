import { makeAddressBook } from '../../engine/message/index.ts'
import type { Store } from '../../store/index.ts'
import type { Listener, LiveTrigger } from '../listeners/listener.ts'
import { earOf } from './fan-out/index.ts'

type AddressBook = (address: string) => string | undefined
/** Accounts' address books, kept for a moment: an alias that is changed shows soon enough. */
export type Books = Map<string, { book: AddressBook; untilMs: number }>

const keepMs = 5_000
const booksMax = 1_000
const entriesMax = 100_000

/** Only of accounts whose messages show addresses. */
export async function readBooks(
  books: Books,
  store: Store,
  trigger: LiveTrigger,
  listeners: readonly Listener[],
): Promise<(accountId: string) => AddressBook | undefined> {
  const accounts = new Set<string>()
  for (const listener of listeners) if (earOf(trigger, listener).usesAddresses) accounts.add(listener.accountId)
  if (books.size > booksMax) books.clear()
  const nowMs = performance.now()
  const read = new Map<string, AddressBook>()
  for (const accountId of accounts) {
    const known = books.get(accountId)
    const book = known && known.untilMs > nowMs ? known.book : await readBook(store, accountId)
    books.set(accountId, { book, untilMs: known?.book === book ? known.untilMs : nowMs + keepMs })
    read.set(accountId, book)
  }
  return (accountId) => read.get(accountId)
}

async function readBook(store: Store, accountId: string): Promise<AddressBook> {
  const { rows } = await store.addresses.list(accountId, { limit: entriesMax })
  return makeAddressBook(rows)
}
