/** Finds an integer of 16 or more digits at the position of a value. Other texts use the fast parser. */
const bigIntegerWithin = /[\s:,[]-?\d{16}/
const bigIntegerFirst = /^-?\d{16}/

/** Parses foreign JSON. Integers beyond 2^53 become decimal strings, because a double would change them. */
export function parseExactJson(text: string): unknown {
  const isBig = bigIntegerWithin.test(text) || bigIntegerFirst.test(text)
  return isBig ? JSON.parse(text, keepBigInteger) : JSON.parse(text)
}

function keepBigInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source ?? ''
  return /^-?\d+$/.test(source) ? source : value
}
