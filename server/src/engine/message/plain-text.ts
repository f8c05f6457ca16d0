const valuesMax = 10
const nameMax = 60
const valueMax = 200

/** The first values of an output, one a line and cut. It reads no more than the names of the output and these values. */
export function plainText(raw: unknown): string {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return shown(raw)
  const names = Object.keys(raw)
  const lines = names.slice(0, valuesMax).map((name) => `${cut(name, nameMax)}: ${shown(Reflect.get(raw, name))}`)
  return (names.length > valuesMax ? [...lines, '…'] : lines).join('\n')
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return cut(String(value ?? ''), valueMax)
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…`.toWellFormed() : text
}
