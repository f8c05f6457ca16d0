/** An integer of 16 digits or more where a value may stand; other texts are spared the slow parsing. */
const bigIntegerWithin = /[\s:,[]-?\d{16}/
const bigIntegerFirst = /^-?\d{16}/

/** JSON that somebody else wrote: integers beyond 2^53 become decimal strings instead of other numbers. */
export function parseExactJson(text: string): unknown {
  const isBig = bigIntegerWithin.test(text) || bigIntegerFirst.test(text)
  return isBig ? JSON.parse(text, exact) : JSON.parse(text)
}

function exact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  const source = context?.source ?? ''
  return /^-?\d+$/.test(source) ? source : value
}
