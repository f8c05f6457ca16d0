import type { SourceKind } from '@tocsin/contract'
import { isEvmReadingMethod } from './evm/reading-methods.ts'
import { isSolanaReadingMethod } from './solana/reading-methods.ts'
import { isSubstrateReadingMethod } from './substrate/reading-methods.ts'

const byKind: Readonly<Record<SourceKind, (method: string) => boolean>> = {
  evm: isEvmReadingMethod,
  substrate: isSubstrateReadingMethod,
  solana: isSolanaReadingMethod,
}

/** Without a kind: whether any chain knows it as a method that reads. No two chains share a name. */
export function isReadingMethod(method: string, kind?: SourceKind): boolean {
  return kind ? byKind[kind](method) : Object.values(byKind).some((reads) => reads(method))
}

/** The message for a method that a source does not serve to this caller; undefined where it does. */
export function whyNotServed(method: string, allowMethods: readonly string[], kind?: SourceKind): string | undefined {
  if (isReadingMethod(method, kind) || allowMethods.includes(method)) return undefined
  const shown = method.length > 80 ? `${method.slice(0, 80)}…` : method
  return `"${shown}" is not a reading method of the data source; its developers can add it to the source's allowMethods for triggers of its workspace`
}
