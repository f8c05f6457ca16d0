import { base58 } from '@scure/base'
import type { AddressBook } from '../render/addresses.ts'
import type { Templates } from './templates.ts'

export type AddressEntry = { address: string; normal: string; alias: string }

/** Finds the alias of an address in an output. Hex addresses match in any case; base58 addresses are case-sensitive. */
export function makeAddressBook(entries: readonly AddressEntry[]): AddressBook {
  const byAddress = new Map<string, string>()
  for (const { address, normal, alias } of entries) {
    byAddress.set(keyOf(normal), alias)
    byAddress.set(keyOf(address), alias)
  }
  return (address) => byAddress.get(keyOf(address)) ?? byAddress.get(publicKeyOf(address) ?? '')
}

/** Each Substrate network writes the same account differently, so the address book stores its public key. */
function publicKeyOf(address: string): string | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]{46,50}$/.test(address)) return undefined
  const bytes = base58.decode(address)
  const prefixLength = (bytes[0] ?? 0) < 64 ? 1 : 2
  return `0x${Buffer.from(bytes.subarray(prefixLength, -2)).toString('hex')}`
}

/** Only these helpers use the address book, so most messages need not load it. */
export function mayUseAddresses(templates: Templates): boolean {
  return /\b(address|make)\b/.test(JSON.stringify(templates))
}

function keyOf(address: string): string {
  return /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address
}
