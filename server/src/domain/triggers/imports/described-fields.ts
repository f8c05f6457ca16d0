import type { FieldSchema } from '@tocsin/contract'
import { at, balance } from '../../../engine/sources/action-fields.ts'
import type { DescribedField } from '../../../engine/sources/connection.ts'

const identifier = /^[A-Za-z_]\w*$/

/** A schema for each field with a plain value. */
function schemaOf({ shape }: DescribedField): FieldSchema | undefined {
  if (shape === undefined) return undefined
  const plain = { integer: 'integer', 'big-integer': balance(0), boolean: 'boolean', text: 'string' } as const
  return typeof shape === 'object' ? { type: 'address', addressType: shape.address } : plain[shape]
}

/** Filters by the plain values of an event or a call. A field without a name is found by its position. */
export function filtersOf(fields: readonly DescribedField[], holder: 'params' | 'args'): Record<string, FieldSchema> {
  return Object.fromEntries(
    fields.flatMap((field, index) => {
      const schema = schemaOf(field)
      if (schema === undefined) return []
      const { name, type } = field
      if (name === undefined) return [[`arg${index}`, at(`args.${index}`, schema, type)]]
      return identifier.test(name) ? [[name, at(`${holder}.${name}`, schema, type)]] : []
    }),
  )
}

/** The schema of the object with the named values. */
export function objectOf(fields: readonly DescribedField[]): FieldSchema {
  const properties = fields.flatMap((field) => {
    const schema = schemaOf(field)
    const { name } = field
    if (name === undefined || schema === undefined || !identifier.test(name)) return []
    const whole = typeof schema === 'string' ? { type: schema } : schema
    return [[name, { ...whole, optional: true }] as const]
  })
  return properties.length === 0 ? 'object' : { type: 'object', properties: Object.fromEntries(properties) }
}

const descriptionMax = 1_000

/** The documentation of an event or a call; undefined if it has none. */
export function descriptionOf(docs: readonly string[]): string | undefined {
  const text = docs.join('\n').trim()
  return text === '' ? undefined : text.slice(0, descriptionMax)
}
