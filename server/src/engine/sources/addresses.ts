import type { SourceKind } from '@tocsin/contract'
import { chains } from './chains.ts'

/** True if the text has the format of an address of the chain. */
export function isAddressOf(kind: SourceKind, text: string): boolean {
  return chains.get(kind)?.rules.isAddress(text) ?? false
}

/** True if the text has the format of an address of any chain. */
export function isAnyAddress(text: string): boolean {
  return [...chains.values()].some(({ rules }) => rules.isAddress(text))
}
