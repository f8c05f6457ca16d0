/** Matches the JSON escapes of characters that PostgreSQL cannot store: NUL and surrogates. Texts on chains are often padded with NUL. */
const unstorable = /\\u(?:0000|d[89a-f])/i

/** Removes from a value the characters that jobs and rows cannot hold. */
export function storable<T>(value: T): T {
  const text = JSON.stringify(value) ?? 'null'
  return text.includes('\\u') && unstorable.test(text) ? JSON.parse(text, clean) : value
}

/** The same, as JSON text. */
export function storableJson(value: unknown): string {
  return storableText(JSON.stringify(value) ?? 'null')
}

/** The same for JSON text. */
export function storableText(text: string): string {
  return text.includes('\\u') && unstorable.test(text) ? JSON.stringify(JSON.parse(text, clean)) : text
}

function clean(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
}
