import { type Decimal, exponentMax, readDecimal, roundDecimal, showDecimal } from '../base/decimals.ts'
import type { SpokenEvent } from '../sources/chain-rules.ts'
import type { AddressBook } from './addresses.ts'
import { type Budget, spendOn, spendOnLetters, spendSteps } from './budget.ts'

/** What a template can show of the network of its item. */
export type ShownNetwork = {
  /** Undefined if the network has no explorer, or no page for the value. */
  linkTo(value: unknown): string | undefined
  /** The metadata of a token; without an argument of the item's contract. Undefined if it is not known. */
  tokenOf(token?: string): { symbol: string | null; decimals: number } | undefined
  /** What a contract or a role of it is called on the network; undefined if nobody has looked it up. */
  nameOf(text: string): string | undefined
  /** What a well-known role or function is called. */
  knownName(text: string): string | undefined
  /** What an event of the item says in words. */
  tellEvent(told: Pick<SpokenEvent, 'event' | 'params' | 'name' | 'amount'>): string | undefined
}

/** A call of a helper: positional values in `params`, named values in `hash`. */
export type Call = {
  params: unknown[]
  hash: Record<string, unknown>
  book: AddressBook
  network: ShownNetwork
  budget: Budget
}

/** As in Handlebars, an empty list is false, and so is 0. */
export function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

/** The text of the first value. */
export function subject({ params: [value], budget }: Call): string {
  return textOf(value, budget)
}

/** As `subject`, for helpers that touch each letter. */
export function subjectLetters(call: Call): string {
  const text = subject(call)
  spendOnLetters(call.budget, text)
  return text
}

/**
 * The first value as an amount; undefined if it is not one. Reading, shifting, rounding and showing an amount cost steps by
 * its digits. `decimals` is how far it will be shifted.
 */
export function readAmount({ params: [value], budget }: Call, decimals = 0): Decimal | undefined {
  const decimal = readDecimal(value)
  if (decimal) spendSteps(budget, 1 + ((digitsMax(String(value)) + decimals) >> 3))
  return decimal
}

/** The most digits that a number can have when it is written without its exponent. */
function digitsMax(text: string): number {
  return text.length + (/e/i.test(text) ? exponentMax : 0)
}

/** Reads a named argument (`digits=2`) or a positional one. */
export function argument({ params, hash }: Call, name: string, at: number): unknown {
  return Object.hasOwn(hash, name) ? hash[name] : params[at]
}

export function wholeArgument(call: Call, name: string, at: number, [min, max] = [-1e9, 1e9]): number | undefined {
  const decimal = readAmount({ ...call, params: [argument(call, name, at)] })
  return decimal ? Math.min(Math.max(Number(showDecimal(roundDecimal(decimal, 0))), min), max) : undefined
}

/** Shows a value as text: a missing value is empty, a number is never in the form 1e+21, a list shows its items, an object is JSON. */
export function textOf(value: unknown, budget: Budget): string {
  spendOn(budget, value)
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return textOfNumber(value, budget)
  if (Array.isArray(value)) return value.map((item) => textOf(item, budget)).join(', ')
  if (typeof value !== 'object') return String(value)
  const text = JSON.stringify(value)
  spendOn(budget, text)
  return text
}

function textOfNumber(value: number | bigint, budget: Budget): string {
  const decimal = readDecimal(value)
  const text = decimal ? showDecimal(decimal) : String(value)
  spendOnLetters(budget, text)
  return text
}
