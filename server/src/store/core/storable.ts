/** PostgreSQL stores neither NUL nor half a surrogate pair; texts on chains are often padded with NUL. */
const unstorable = /\\u(?:0000|d[89a-f])/i

/** A value as jobs and rows can hold it. */
export function storable<T>(value: T): T {
  const text = JSON.stringify(value) ?? 'null'
  return text.includes('\\u') && unstorable.test(text) ? JSON.parse(text, clean) : value
}

/** The same, as JSON: looked at once, and nearly always as it is. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  // Nearly every text is done with after the first look.
  return text.includes('\\u') && unstorable.test(text) ? JSON.stringify(JSON.parse(text, clean)) : text
}

function clean(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
}
