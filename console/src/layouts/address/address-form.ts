import type { SourceKind } from '@tocsin/contract'

/** What a text is, as far as its form tells. */
export type AddressForm = 'evm' | 'ss58' | 'solana' | 'ens'

export const formOfKind: Record<SourceKind, AddressForm> = { evm: 'evm', substrate: 'ss58', solana: 'solana' }

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

export function formOf(text: string): AddressForm | undefined {
  if (/^0x[0-9a-f]{40}$/i.test(text)) return 'evm'
  if (/^[^\s.]+(\.[^\s.]+)*\.eth$/i.test(text)) return 'ens'
  const bytes = base58Length(text)
  if (bytes === 32) return 'solana'
  // A prefix of one or two bytes, 32 bytes of the account, and two of the checksum.
  return bytes === 35 || bytes === 36 ? 'ss58' : undefined
}

/**
 * True for a text with the form of an address of this kind of network. If the kind is not known, only the EVM form counts,
 * because hashes of other networks have the form of their addresses.
 */
export function isAddress(text: string, kind: SourceKind | undefined): boolean {
  return formOf(text) === formOfKind[kind ?? 'evm']
}

export type TextPart = { text: string; at: number; isAddress: boolean }

/** Long words that are not inside a URL. */
const words = /(?<![\w/=#.-])\w{32,50}(?![\w/-])/g

/** Splits a text into addresses and what is between them. */
export function splitAddresses(text: string, kind: SourceKind | undefined): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  const add = (from: number, to: number, isAddress: boolean) => {
    if (to > from) parts.push({ text: text.slice(from, to), at: from, isAddress })
    end = to
  }
  for (const { 0: word, index } of text.matchAll(words)) {
    if (!isAddress(word, kind)) continue
    add(end, index, false)
    add(index, index + word.length, true)
  }
  add(end, text.length, false)
  return parts
}

/** `0x1234…abcd` */
export function shortAddress(address: string): string {
  return address.length <= 13 ? address : `${address.slice(0, address.startsWith('0x') ? 6 : 4)}…${address.slice(-4)}`
}

/** The number of bytes that a base58 text stands for; undefined if it is no base58. */
function base58Length(text: string): number | undefined {
  if (text.length < 32 || text.length > 50) return undefined
  let value = 0n
  for (const letter of text) {
    const digit = alphabet.indexOf(letter)
    if (digit === -1) return undefined
    value = value * 58n + BigInt(digit)
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return zeros + (value === 0n ? 0 : Math.ceil(value.toString(16).length / 2))
}
