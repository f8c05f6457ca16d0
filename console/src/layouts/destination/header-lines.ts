type Headers = Record<string, string>

/** Headers as lines of text: `Name: value`. */
export function linesOfHeaders(headers: unknown): string {
  if (typeof headers !== 'object' || headers === null) return ''
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n')
}

/** Undefined for no header. A line without a colon is a name with an empty value, which the service then checks. */
export function headersOfLines(text: string): Headers | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) return undefined
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':')
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}
