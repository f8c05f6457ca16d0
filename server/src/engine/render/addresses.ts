import { isAnyAddress } from '../sources/addresses.ts'
import { type Budget, spendOn } from './budget.ts'

export type AddressBook = (address: string) => string | undefined

/** Shows the alias, else the first and last characters, which people compare. */
export function showAddress(address: string, book: AddressBook): string {
  return book(address) ?? (address.length > 12 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address)
}

/** Replaces every address inside a value by its short form. Other values stay unchanged. */
export function showAddresses(value: unknown, book: AddressBook, budget: Budget): unknown {
  spendOn(budget, value)
  if (typeof value === 'string') return showInText(value, book)
  if (Array.isArray(value)) return value.map((item) => showAddresses(item, book, budget))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      spendOn(budget, key)
      return [key, showAddresses(inner, book, budget)]
    }),
  )
}

const evmInText = /\b0x[0-9a-fA-F]{40}\b/g

function showInText(text: string, book: AddressBook): string {
  if (isAnyAddress(text) || book(text) !== undefined) return showAddress(text, book)
  return text.replaceAll(evmInText, (address) => showAddress(address, book))
}
