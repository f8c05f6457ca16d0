import { groupDigits } from '@tocsin/contract'
import { isAnyAddress } from '../sources/addresses.ts'
import { showAddress } from './addresses.ts'
import { spendOn, spendOnLetters, spendSteps } from './budget.ts'
import { type Call, textOf } from './helper-call.ts'

const hex = /^0x[0-9a-f]+$/i
/** Longer whole numbers are not read digit by digit, so they are grouped. */
const digitsMax = 6
const wholeNumber = /^-?\d+$/
const textMax = 300

type Naming = Pick<Call, 'book' | 'network' | 'budget'>

/**
 * What an address, a hash, a role or a function is called: by the address book and the names of the network, else what everybody
 * calls it (well-known roles and functions), else its first and last characters.
 */
export function showName(value: unknown, { book, network, budget }: Naming): string {
  const text = textOf(value, budget)
  spendOnLetters(budget, text)
  const known = book(text) ?? network.knownName(text)
  if (known !== undefined) return known
  return hex.test(text) || isAnyAddress(text) ? showAddress(text, book) : text
}

/**
 * Lists a value for people, one field a line: addresses and hashes by their names or short, long numbers grouped. `yaml` shows
 * the same for programs, with each value as it is on the chain.
 */
export function listValues(value: unknown, naming: Naming): string {
  const lines: string[] = []
  addLines(value, '', lines, naming)
  return lines.join('\n')
}

function addLines(value: unknown, indent: string, lines: string[], naming: Naming): void {
  for (const [key, inner] of entriesOf(value)) {
    spendSteps(naming.budget, 1)
    if (entriesOf(inner).length === 0) lines.push(`${indent}${key}: ${shown(key, inner, naming)}`)
    else {
      lines.push(`${indent}${key}:`)
      addLines(inner, `${indent}  `, lines, naming)
    }
  }
}

/** Positions of a list begin with 1, as people count. */
function entriesOf(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.map((item, index) => [String(index + 1), item])
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function shown(key: string, value: unknown, naming: Naming): string {
  spendOn(naming.budget, value)
  if (value === null || value === undefined || (typeof value === 'object' && entriesOf(value).length === 0))
    return 'none'
  const text = textOf(value, naming.budget)
  spendOnLetters(naming.budget, text)
  if (wholeNumber.test(text) && text.length > digitsMax) return groupDigits(text)
  // The role with the hash 0 is the default admin; other values that are 0 are not.
  if (/^0x0+$/.test(text) && !/role/i.test(key)) return showAddress(text, naming.book)
  const named = showName(text, naming)
  return named.length > textMax ? `${named.slice(0, textMax)}…`.toWellFormed() : named
}
