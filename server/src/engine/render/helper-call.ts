import { readDecimal, roundDecimal, showDecimal } from '../base/decimals.ts'
import type { AddressBook } from './addresses.ts'
import type { Budget } from './budget.ts'
import { textOf } from './text-of.ts'

/** What a template can show of the network of its item. */
export type ShownNetwork = {
  /** Undefined if the network has no explorer, or no page for the value. */
  linkTo(value: unknown): string | undefined
  /** The metadata of a token; without an argument of the item's contract. Undefined if it is not known. */
  tokenOf(token?: string): { symbol: string | null; decimals: number } | undefined
}

/** A call of a helper: positional values in `params`, named values in `hash`. */
export type Call = {
  params: unknown[]
  hash: Record<string, unknown>
  book: AddressBook
  network: ShownNetwork
  budget: Budget
}

/** The text of the first value. */
export function subject({ params: [value], budget }: Call): string {
  return textOf(value, budget)
}

/** Reads a named argument (`digits=2`) or a positional one. */
export function argument({ params, hash }: Call, name: string, at: number): unknown {
  return Object.hasOwn(hash, name) ? hash[name] : params[at]
}

export function wholeNumber(value: unknown, min = -1e9, max = 1e9): number | undefined {
  const decimal = readDecimal(value)
  return decimal ? Math.min(Math.max(Number(showDecimal(roundDecimal(decimal, 0))), min), max) : undefined
}
