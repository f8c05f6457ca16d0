import { compiledListener } from '../../../engine/fan-out/index.ts'
import { makeAddressBook } from '../../../engine/message/index.ts'
import type { AddressBook } from '../../../engine/render/addresses.ts'
import type { Store } from '../../../store/index.ts'
import type { Listener, LiveTrigger } from '../../listeners/live-trigger.ts'

/** Address books by account. They are cached for five seconds, so a changed alias appears within that time. */
export type AddressBooks = Map<string, { book: AddressBook; untilMs: number }>

const cachedMs = 5_000
const booksMax = 1_000

/** Reads the address books of those accounts whose messages show addresses. */
export async function addressBooksOf(
  addressBooks: AddressBooks,
  store: Store,
  trigger: LiveTrigger,
  listeners: readonly Listener[],
): Promise<(accountId: string) => AddressBook | undefined> {
  const accounts = new Set<string>()
  for (const listener of listeners)
    if (compiledListener(trigger, listener).usesAddresses) accounts.add(listener.accountId)
  if (addressBooks.size > booksMax) addressBooks.clear()
  const nowMs = performance.now()
  const read = new Map<string, AddressBook>()
  for (const accountId of accounts) {
    const known = addressBooks.get(accountId)
    const isFresh = known !== undefined && known.untilMs > nowMs
    const book = isFresh ? known.book : makeAddressBook(await store.addresses.listForBook(accountId))
    if (!isFresh) addressBooks.set(accountId, { book, untilMs: nowMs + cachedMs })
    read.set(accountId, book)
  }
  return (accountId) => read.get(accountId)
}
