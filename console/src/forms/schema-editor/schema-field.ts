import { isObject } from '../json.ts'

export type Schemas = Record<string, unknown>

/** One field of a schema map as a row edits it. `rest` holds the properties that a row does not show. */
export type SchemaField = {
  type: string
  optional: boolean
  description: string
  sourcePath: string
  addressType: string
  decimals: number | undefined
  choices: string[]
  rest: Record<string, unknown>
}

export const fieldTypes = ['string', 'number', 'integer', 'boolean', 'address', 'balance', 'enum', 'object', 'array']
/** The type of schemas that a row cannot edit, such as `anyOf` or a list of types. */
export const custom = 'custom'

export function readField(schema: unknown): SchemaField {
  const { type, optional, description, sourcePath, addressType, decimals, enum: choices, ...rest } = flat(schema)
  const isPlain = typeof type === 'string' && fieldTypes.includes(type)
  return {
    type: isPlain ? type : custom,
    optional: optional === true,
    description: typeof description === 'string' ? description : '',
    sourcePath: typeof sourcePath === 'string' ? sourcePath : '',
    addressType: typeof addressType === 'string' ? addressType : '',
    decimals: typeof decimals === 'number' ? decimals : undefined,
    choices: Array.isArray(choices) ? choices.map(String) : [],
    rest: isPlain || type === undefined ? rest : { ...rest, type },
  }
}

/** The shortest form: a field with only a type is the name of the type. */
export function writeField(field: SchemaField): unknown {
  const { type, optional, description, sourcePath, addressType, decimals, choices, rest } = field
  const written = {
    ...(type !== custom && { type }),
    ...(type === 'address' && addressType !== '' && { addressType }),
    ...(type === 'balance' && decimals !== undefined && { decimals }),
    ...(type === 'enum' && { enum: choices }),
    ...rest,
    ...(optional && { optional }),
    ...(description !== '' && { description }),
    ...(sourcePath !== '' && { sourcePath }),
  }
  return type !== custom && Object.keys(written).length === 1 ? type : written
}

/** `{type: {type: 'address', …}, description}` means the same as one flat object. */
function flat(schema: unknown): Record<string, unknown> {
  if (typeof schema === 'string') return { type: schema }
  if (!isObject(schema)) return {}
  if (!isObject(schema.type)) return schema
  const { type, ...outer } = schema
  return { ...flat(type), ...outer }
}

/** Renames one field and keeps the order. */
export function renamed(schemas: Schemas, from: string, to: string): Schemas {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name === from ? to : name, schema]))
}
