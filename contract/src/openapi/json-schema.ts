export type Json = Record<string, unknown>
/** `input`: what a caller sends. `output`: what the service answers. */
export type Io = 'input' | 'output'

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A copy in which `change` was applied to every object, the innermost first. */
export function mapObjects(value: unknown, change: (object: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((each) => mapObjects(each, change))
  if (!isRecord(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapObjects(inner, change)])))
}

/** A service of a later version may answer further fields, so no schema of an answer refuses them. */
export function openForAdditions(schema: unknown): unknown {
  return mapObjects(schema, (object) => {
    if (object.additionalProperties !== false) return object
    const { additionalProperties: _closed, ...open } = object
    return open
  })
}

/** Where references of the document point. */
export function refTo(name: string): Json {
  return { $ref: `#/components/schemas/${name}` }
}

/** The schema names that a value refers to. */
export function refsIn(value: unknown): Set<string> {
  const names = new Set<string>()
  mapObjects(value, (object) => {
    if (typeof object.$ref === 'string') names.add(object.$ref.split('/').at(-1) ?? '')
    return object
  })
  return names
}
