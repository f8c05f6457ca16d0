import { UpstreamError } from '../outbound/upstream-error.ts'

/** Converts JSON values from tenants or placeholders to the types that chains have in common. */

/** `type` is for example `u8`, `uint256`, `i64` or `int128`: the sign and the number of bits. */
export function coerceInteger(type: string, value: unknown, path: string): bigint {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string' || text.length > 80 || !/^(?:-?\d+|0x[0-9a-f]+)$/i.test(text))
    throw wrong(path, 'an integer: a number up to 2^53, a decimal string or 0x hex')
  const integer = BigInt(text)
  const bits = Number(type.replace(/\D/g, ''))
  const fitted = type.startsWith('u') ? BigInt.asUintN(bits, integer) : BigInt.asIntN(bits, integer)
  if (fitted !== integer) throw wrong(path, `within ${type}`)
  return integer
}

export function coerceBoolean(value: unknown, path: string): boolean {
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw wrong(path, 'true or false')
}

export function wrong(path: string, expected: string): UpstreamError {
  return new UpstreamError('refused', `${path} must be ${expected}.`)
}
