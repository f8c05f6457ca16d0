import * as z from 'zod'
import { shapeOf } from '../base/loose.ts'
import { type Io, isRecord, type Json, mapObjects, openForAdditions, refsIn, refTo } from './json-schema.ts'
import { NamedSchemas } from './named-schemas.ts'

/** Turns zod schemas into JSON Schema and collects the named ones as components of the document. */
export type Schemas = {
  /** The schema itself, or a reference if it has a name. `place` names nameless recursive schemas. */
  of(schema: z.ZodType, io: Io, place: string): Json
  /** The collected components that `document` refers to, directly or through others. */
  usedBy(document: unknown): Json
}

export function collectSchemas(own: Json): Schemas {
  const registries = { input: new NamedSchemas('input'), output: new NamedSchemas('output') }
  const components: Json = { ...own }

  function add(name: string, schema: unknown): void {
    const known = components[name]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`Two schemas have the name ${name}: ${JSON.stringify(known)} and ${JSON.stringify(schema)}`)
    components[name] = schema
  }

  function of(schema: z.ZodType, io: Io, place: string): Json {
    const shapes = new Map<string, z.ZodType>()
    const metadata = registries[io]
    const made = z.toJSONSchema(schema, {
      io,
      metadata,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        if (isOverlapping(zodSchema)) Object.assign(jsonSchema, { anyOf: jsonSchema.oneOf, oneOf: undefined })
        const shape = zodSchema instanceof z.ZodType ? shapeOf(zodSchema) : undefined
        if (shape && zodSchema instanceof z.ZodType) shapes.set(metadata.nameOf(zodSchema) ?? '', shape)
      },
    })
    const { $schema, $defs, ...root } = named(io === 'output' ? openForAdditions(made) : made, `${place}${io}`)
    for (const [name, definition] of Object.entries(isRecord($defs) ? $defs : {}))
      if (!shapes.has(name)) add(renamed(name, `${place}${io}`), definition)
    for (const [name, shape] of shapes) if (!(name in components)) add(name, relaxed(shape, place))
    return root
  }

  /** The shape with all fields optional: of a union, every alternative. */
  function relaxed(shape: z.ZodType, place: string): Json {
    const whole = of(shape, 'output', place)
    const { oneOf, anyOf, discriminator, ...rest } = resolved(whole)
    const alternatives = oneOf ?? anyOf
    const { required, ...open } = rest
    if (!Array.isArray(alternatives)) return open
    return { ...open, anyOf: alternatives.flatMap((each) => alternativesOf(each)) }
  }

  function alternativesOf(schema: Json): Json[] {
    const { oneOf, anyOf, required, ...open } = resolved(schema)
    const inner = oneOf ?? anyOf
    return Array.isArray(inner) ? inner.flatMap((each) => alternativesOf(each)) : [open]
  }

  function resolved(schema: Json): Json {
    const [name] = typeof schema.$ref === 'string' ? refsIn(schema) : []
    const target = name === undefined ? undefined : components[name]
    return isRecord(target) ? resolved(target) : schema
  }

  function usedBy(document: unknown): Json {
    const used = new Set<string>()
    const visit = (value: unknown) => {
      for (const name of refsIn(value))
        if (!used.has(name)) {
          used.add(name)
          visit(components[name])
        }
    }
    visit(document)
    return Object.fromEntries([...used].sort().map((name) => [name, components[name]]))
  }

  return { of, usedBy }
}

/** Points references at the document's components. */
function named(schema: unknown, place: string): Json {
  const changed = mapObjects(schema, (object) => {
    if (typeof object.$ref !== 'string') return object
    return { ...object, ...refTo(renamed(object.$ref.replace('#/$defs/', ''), place)) }
  })
  return isRecord(changed) ? changed : {}
}

/** zod calls nameless recursive schemas `__schema0`. */
function renamed(name: string, place: string): string {
  return name.replace(/^__/, `${place}_`)
}

/** True for a union whose discriminator may be missing: then its alternatives do not exclude each other. */
function isOverlapping(schema: z.core.$ZodType): boolean {
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return false
  const { discriminator } = schema.def
  return schema.options.some((option) => {
    const field = option instanceof z.ZodObject ? option.shape[discriminator] : undefined
    return field instanceof z.ZodType && field.safeParse(undefined).success
  })
}
