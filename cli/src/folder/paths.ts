/** A place in a payload, from the outside in. */
export type Path = readonly (string | number)[]

/** A dotted path of the API. A dot inside a name is written `\.`. */
export function parsePath(text: string): Path {
  if (text === '') return []
  return text
    .split(/(?<!\\)\./)
    .map((part) => part.replaceAll('\\.', '.'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part))
}

export function pathText(path: Path): string {
  return path.map((part) => String(part).replaceAll('.', '\\.')).join('.')
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value at a path, or undefined. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)]
    return isRecord(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }, value)
}

/** A copy of a JSON value in which every scalar has passed through `change`. */
export function mapScalars(value: unknown, change: (scalar: unknown, path: Path) => unknown, path: Path = []): unknown {
  if (Array.isArray(value)) return value.map((each, index) => mapScalars(each, change, [...path, index]))
  if (!isRecord(value)) return change(value, path)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapScalars(each, change, [...path, key])]))
}
