import type { SourceKind } from '@tocsin/contract'
import { chains } from './chains.ts'

/** Whether the text is an address of the chain, by its shape. */
export function isAddressOf(kind: SourceKind, text: string): boolean {
  return chains.get(kind)?.rules.isAddress(text) ?? false
}

/** Whether the text is an address of any chain, by its shape. */
export function isAnyAddress(text: string): boolean {
  return [...chains.values()].some(({ rules }) => rules.isAddress(text))
}
