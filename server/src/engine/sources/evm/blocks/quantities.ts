import { isObject } from '../../../base/is-object.ts'
import { UpstreamError } from '../../../outbound/upstream-error.ts'

/** The hex of JSON-RPC becomes numbers, decimal strings and bytes here; what is neither is a bad answer. */

export function toHex(number: number): string {
  return `0x${number.toString(16)}`
}

/** An integer that no chain lets grow beyond 2^53: block numbers, indexes, times. */
export function requireNumber(value: unknown, what: string): number {
  const number = typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(number)) throw badAnswer(what)
  return number
}

/** An integer that is a number as long as it can be one exactly. */
export function requireInteger(value: unknown, what: string): number | string {
  const integer = requireBigInt(value, what)
  return integer <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(integer) : integer.toString()
}

/** An amount: a decimal string whatever its size. */
export function requireAmount(value: unknown, what: string): string {
  return requireBigInt(value, what).toString()
}

export function requireBytes(value: unknown, what: string, length?: number): string {
  if (typeof value !== 'string' || value.length % 2 === 1 || !/^0x[0-9a-f]*$/i.test(value)) throw badAnswer(what)
  if (length !== undefined && value.length !== 2 + 2 * length) throw badAnswer(what)
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

/** The answer has a form that this service cannot read; the same answer will not be readable later. */
export class UnreadableAnswer extends UpstreamError {
  constructor(message: string) {
    super('bad_answer', message)
  }
}

export function badAnswer(what: string): UnreadableAnswer {
  return new UnreadableAnswer(missing(what))
}

/** Nodes answer null for what they do not have yet, so null is not an unreadable answer. */
export function requireGiven(value: unknown, what: string): unknown {
  if (value === null) throw new UpstreamError('bad_answer', missing(what))
  return value
}

function missing(what: string): string {
  return `The node's answer holds no ${what}.`
}

function requireBigInt(value: unknown, what: string): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-f]+$/i.test(value)) throw badAnswer(what)
  return BigInt(value)
}
