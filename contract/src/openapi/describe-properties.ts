import { isRecord, type Json } from './json-schema.ts'
import { wordsOf } from './property-words.ts'

/** Names of schemas whose properties have words under another name: specs, providers and policies are one thing each. */
const families: readonly (readonly [RegExp, string])[] = [
  [/Spec$/, 'triggerSpec'],
  [/Provider$/, 'providers'],
  [/Policy$/, 'policy'],
  [/^Subscription(?:Create|Save)?$/, 'subscription'],
]

/** Payloads of examples may hold schemas too, as values. */
const values = new Set(['example', 'examples', 'default', 'enum', 'const'])

/** Gives every property of a schema, and of those inside it, a description unless it has one. */
export function describeProperties(schema: unknown, id = ''): unknown {
  return walk(schema, parentsOf(id))
}

/** The same for the named schemas of a document. */
export function describeSchemas(schemas: Json): Json {
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, describeProperties(schema, id)]))
}

function parentsOf(id: string): string[] {
  const plain = id.replace(/^Loose/, '').replace(/View$/, '')
  const family = families.flatMap(([pattern, name]) => (pattern.test(plain) ? name : []))
  return [...new Set([id, plain, ...family, plain.charAt(0).toLowerCase() + plain.slice(1)])]
}

function walk(value: unknown, parents: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => walk(each, parents))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (values.has(key)) return [key, inner]
      return [key, key === 'properties' && isRecord(inner) ? describe(inner, parents) : walk(inner, parents)]
    }),
  )
}

function describe(properties: Json, parents: readonly string[]): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const inner = walk(property, [name])
      const text = isRecord(inner) && inner.description === undefined ? wordsOf(parents, name) : undefined
      return [name, text === undefined || !isRecord(inner) ? inner : { ...inner, description: text }]
    }),
  )
}
