import * as z from 'zod'

/**
 * A JSON-Schema-like schema: a bare string is its type, anything else an object. Schemas are free-form, so what is
 * inside is kept as sent; the server checks it when the definition is validated.
 */
export const FieldSchema = z.union([z.string(), z.record(z.string(), z.unknown())], {
  error: 'must be the name of a type or a schema object',
})
export type FieldSchema = z.output<typeof FieldSchema>

/** A map of names to schemas. */
export const SchemaMap = z.record(z.string(), FieldSchema)

export const InputsSchema = SchemaMap
/** Its fields may carry a `sourcePath`, by which the engine filters before any provider or script runs. */
export const FiltersSchema = SchemaMap
/** A map, or `{raw: map, human?: map}`. */
export const OutputSchema = SchemaMap
