import * as z from 'zod'

/**
 * A schema in the style of JSON Schema: a string is a type name, anything else an object. Schemas are free-form and
 * stored as sent; the server checks them when it validates the definition.
 */
export const FieldSchema = z.union([z.string(), z.record(z.string(), z.unknown())], {
  error: 'must be the name of a type or a schema object',
})
export type FieldSchema = z.output<typeof FieldSchema>

/** A map from names to schemas. */
export const SchemaMap = z.record(z.string(), FieldSchema)

export const InputsSchema = SchemaMap
/** A field may have a `sourcePath`, which lets the engine filter before any provider or script runs. */
export const FiltersSchema = SchemaMap
/** A map, or `{raw: map, human?: map}`. */
export const OutputSchema = SchemaMap
