import fc from 'fast-check'
import * as z from 'zod'

type JsonSchema = Record<string, unknown>

/** Payloads that a schema of the contract nearly always accepts; refinements that JSON Schema cannot express are unknown here. */
export function payloadsOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const { $defs, ...root } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  return arbitraryOf(root, ($defs ?? {}) as Record<string, JsonSchema>, 0)
}

function arbitraryOf(schema: JsonSchema, defs: Record<string, JsonSchema>, depth: number): fc.Arbitrary<unknown> {
  const inner = (part: unknown) => arbitraryOf((part ?? {}) as JsonSchema, defs, depth + 1)
  if (depth > 7) return fc.constantFrom<unknown>(null, 'x', {})
  if (typeof schema.$ref === 'string') return inner(defs[schema.$ref.replace('#/$defs/', '')])
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (Array.isArray(choices)) return fc.oneof(...choices.map(inner))
  if (Array.isArray(schema.allOf)) return inner(Object.assign({}, ...schema.allOf))
  switch (schema.type) {
    case 'object':
      return objects(schema, inner)
    case 'array':
      return fc.array(inner(schema.items), { minLength: Number(schema.minItems ?? 0), maxLength: 3 })
    case 'string':
      return strings(schema)
    case 'integer':
    case 'number':
      return numbers(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function objects(schema: JsonSchema, inner: (part: unknown) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, unknown>)
  if (properties.length === 0)
    return fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), inner(schema.additionalProperties), { maxKeys: 3 })
  const required = new Set((schema.required ?? []) as string[])
  return fc.record(Object.fromEntries(properties.map(([key, part]) => [key, inner(part)])), {
    requiredKeys: properties.map(([key]) => key).filter((key) => required.has(key)),
  })
}

function strings(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.format === 'date-time') return fc.constantFrom('2031-01-01T00:00:00.000Z', '2001-01-01T00:00:00Z', 'soon')
  if (schema.format === 'email') return fc.emailAddress()
  const useful = fc.constantFrom(
    'http://127.0.0.1:9/a?b=c',
    '{{inputs.wallet}}',
    '1m',
    '0x',
    'main',
    'moves',
    'a.b',
    '../..',
  )
  const free = fc.string({ unit: 'binary', minLength: Number(schema.minLength ?? 0), maxLength: 24 })
  return fc.oneof(useful, free)
}

function numbers(schema: JsonSchema): fc.Arbitrary<unknown> {
  const [min, max] = [Number(schema.minimum ?? -1000), Number(schema.maximum ?? 1_000_000)]
  return fc.oneof(
    fc.integer({ min: Math.max(min, -(2 ** 31)), max: Math.min(max, 2 ** 31 - 1) }),
    fc.constantFrom(min, max, 0.5),
  )
}

export type Mutation = { at: number; to: unknown; kind: 'replace' | 'drop' | 'add' }

export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    at: fc.nat(1000),
    kind: fc.constantFrom('replace' as const, 'drop' as const, 'add' as const),
    to: fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom<unknown>(
        null,
        '',
        -1,
        1e308,
        [],
        {},
        'x'.repeat(5000),
        '\u0000',
        '\ud800',
        '__proto__',
        'constructor',
      ),
    ),
  }),
  { maxLength: 2 },
)

/** Changes the payload in one place: replaces a value, removes a key, or adds an unknown one. */
export function mutate(value: unknown, changes: Mutation[]): unknown {
  return changes.reduce((payload, change) => mutateOnce(payload, change), structuredClone(value))
}

function mutateOnce(root: unknown, change: Mutation): unknown {
  const places = placesIn(root)
  const place = places[change.at % Math.max(1, places.length)]
  if (!place) return change.to
  if (change.kind === 'add') Object.assign(place.holder, { [`extra${change.at}`]: change.to })
  else if (change.kind === 'drop' && !Array.isArray(place.holder))
    delete (place.holder as Record<string, unknown>)[place.key]
  else Object.assign(place.holder, { [place.key]: change.to })
  return root
}

function placesIn(value: unknown): { holder: object; key: string }[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [{ holder: value, key }, ...placesIn(inner)])
}
