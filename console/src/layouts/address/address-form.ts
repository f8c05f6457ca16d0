import { type ChainDescription, hasAddressForm, type SourceKind } from '@tocsin/contract'
import { chainOf, listChains } from '../../data/chains.ts'

/** The chain whose addresses have this form; undefined if the text is no address. */
export function chainOfAddress(text: string): ChainDescription | undefined {
  return listChains().find(({ address }) => hasAddressForm(address.form, text))
}

/** The chain on which the text is a name that stands for an address. */
export function chainOfName(text: string): ChainDescription | undefined {
  return listChains().find(
    ({ address: { namePattern } }) => namePattern !== undefined && new RegExp(namePattern, 'i').test(text),
  )
}

/**
 * True for a text with the form of an address of this kind of network. If the kind is not known, only forms count that no
 * hash of another network has.
 */
export function isAddress(text: string, kind: SourceKind | undefined): boolean {
  if (kind === undefined) return chainOfAddress(text)?.address.differsFromHashes ?? false
  const chain = chainOf(kind)
  return chain !== undefined && hasAddressForm(chain.address.form, text)
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
