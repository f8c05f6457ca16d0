export type Read = { ok: true; value: unknown } | { ok: false; message: string }

/** What was typed as JSON; nothing typed is undefined. */
export function readJson(text: string): Read {
  if (text.trim() === '') return { ok: true, value: undefined }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch (error) {
    return { ok: false, message: `Not JSON yet: ${error instanceof Error ? error.message : 'cannot be read'}` }
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
