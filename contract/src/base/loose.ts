import * as z from 'zod'

/** An object of any form, in the code. */
export type Loose = z.ZodRecord<z.ZodString, z.ZodUnknown>

const looseByShape = new Map<z.ZodType, Loose>()
const shapes = new Map<z.ZodType, z.ZodType>()

/**
 * A part of a definition that may be unfinished, or shown in part. Every object is accepted. The API reference describes it
 * as `shape` with all fields optional.
 */
export function loose(shape: z.ZodType): Loose {
  const known = looseByShape.get(shape)
  if (known) return known
  const made = z.record(z.string(), z.unknown())
  looseByShape.set(shape, made)
  shapes.set(made, shape)
  return made
}

/** The schema that a loose one was made for. */
export function shapeOf(schema: z.ZodType): z.ZodType | undefined {
  return shapes.get(schema)
}
