export type Read = { ok: true; value: unknown } | { ok: false; message: string }

/** Parses JSON text. Empty text is undefined. */
export function readJson(text: string): Read {
  if (text.trim() === '') return { ok: true, value: undefined }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    return { ok: false, message: `Invalid JSON: ${error instanceof Error ? error.message : 'syntax error'}` }
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
