import { compiledListener } from '../../../engine/fan-out/index.ts'
import { makeAddressBook } from '../../../engine/message/index.ts'
import type { AddressBook } from '../../../engine/render/addresses.ts'
import type { Store } from '../../../store/index.ts'
import type { Listener, LiveTrigger } from '../../listeners/listener.ts'

/** Address books by account, cached for a few seconds: a changed alias shows soon enough. */
export type AddressBooks = Map<string, { book: AddressBook; untilMs: number }>

const keepMs = 5_000
const booksMax = 1_000

/** Reads the books of the accounts whose messages show addresses, and no others. */
export async function addressBooksOf(
  books: AddressBooks,
  store: Store,
  trigger: LiveTrigger,
  listeners: readonly Listener[],
): Promise<(accountId: string) => AddressBook | undefined> {
  const accounts = new Set<string>()
  for (const listener of listeners)
    if (compiledListener(trigger, listener).usesAddresses) accounts.add(listener.accountId)
  if (books.size > booksMax) books.clear()
  const nowMs = performance.now()
  const read = new Map<string, AddressBook>()
  for (const accountId of accounts) {
    const known = books.get(accountId)
    const isFresh = known !== undefined && known.untilMs > nowMs
    const book = isFresh ? known.book : makeAddressBook(await store.addresses.listForBook(accountId))
    if (!isFresh) books.set(accountId, { book, untilMs: nowMs + keepMs })
    read.set(accountId, book)
  }
  return (accountId) => read.get(accountId)
}
