import { isObject } from '../../../base/json.ts'
import { UpstreamError } from '../../../outbound/upstream-error.ts'

/** Converts the hex of JSON-RPC to numbers, decimal strings and bytes. Anything else is a bad answer. */

export function toHex(number: number): string {
  return `0x${number.toString(16)}`
}

/** An integer that stays below 2^53 on every chain: block numbers, indexes, times. */
export function requireNumber(value: unknown, what: string): number {
  const number = typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(number)) throw badAnswer(what)
  return number
}

/** An integer as a number if it is exact, else as a decimal string. */
export function requireInteger(value: unknown, what: string): number | string {
  const integer = requireBigInt(value, what)
  return integer <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(integer) : integer.toString()
}

/** An amount, always as a decimal string. */
export function requireAmount(value: unknown, what: string): string {
  return requireBigInt(value, what).toString()
}

export function requireBytes(value: unknown, what: string, length?: number): string {
  if (typeof value !== 'string' || value.length % 2 === 1) throw badAnswer(what)
  if (length !== undefined && value.length !== 2 + 2 * length) throw badAnswer(what)
  // Most nodes answer in lower case, and a regular expression that ignores the case is slower.
  if (/^0x[0-9a-f]*$/.test(value)) return value
  if (!/^0x[0-9a-f]*$/i.test(value)) throw badAnswer(what)
  return value.toLowerCase()
}

export function requireRecord(value: unknown, what: string): Record<string, unknown> {
  if (!isObject(value)) throw badAnswer(what)
  return value
}

export function requireList(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) throw badAnswer(what)
  return value
}

/** The answer has a format that this service cannot read, so repeating the call does not help. */
export class UnreadableAnswer extends UpstreamError {
  constructor(message: string) {
    super('bad_answer', message)
  }
}

export function badAnswer(what: string): UnreadableAnswer {
  return new UnreadableAnswer(missing(what))
}

/** Nodes answer null for data that they do not have yet, so null is not an unreadable answer. */
export function requireGiven(value: unknown, what: string): unknown {
  if (value === null) throw new UpstreamError('bad_answer', missing(what))
  return value
}

function missing(what: string): string {
  return `The node's answer has no valid ${what}.`
}

/** An integer of the virtual machine has 256 bits. To show one of eight million digits would take eight seconds. */
function requireBigInt(value: unknown, what: string): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(value)) throw badAnswer(what)
  return BigInt(value)
}
