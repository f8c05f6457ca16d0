import { isObject } from './json.ts'

/** A schema of a definition in normal form. Saving checks schemas, so a malformed part is ignored here. */
export type Schema = {
  /** The allowed types; an empty list allows any value. */
  types: string[]
  addressType?: string
  /** `token`: those of the item's own token. */
  decimals?: number | 'token'
  choices?: unknown[]
  optional: boolean
  sourcePath?: string
  properties?: SchemaMap
  /** One schema for all items, or a list with one for each index. */
  items?: unknown
  additionalProperties?: Record<string, unknown>
  anyOf?: unknown[]
  oneOf?: unknown[]
  allOf?: unknown[]
}
export type SchemaMap = Record<string, unknown>

const jsonTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']
export const schemaTypes: readonly string[] = [...jsonTypes, 'address', 'balance', 'enum']
/** The fields in which an enum may list its values. */
export const choiceFields = ['enum', 'values', 'options'] as const
const levelsMax = 16

/** A bare string is a type. `{type: schema, description?}` is that schema plus the wrapper's fields. */
export function readSchema(schema: unknown): Schema {
  let fields: Record<string, unknown> = {}
  let at = schema
  for (let level = 0; isObject(at) && level < levelsMax; level++) {
    fields = { ...at, ...fields, type: at.type }
    at = isObject(at.type) ? at.type : undefined
  }
  return readFields(typeof schema === 'string' ? { type: schema } : fields)
}

function readFields(fields: Record<string, unknown>): Schema {
  const { type, addressType, decimals, optional, sourcePath, properties, items, additionalProperties } = fields
  const choices = choiceFields.map((field) => fields[field]).find(Array.isArray)
  return {
    types: [...new Set((Array.isArray(type) ? type : [type]).filter(isTypeName))],
    optional: optional === true,
    ...(typeof addressType === 'string' && { addressType }),
    ...(isDecimals(decimals) && { decimals }),
    ...(choices && { choices }),
    ...(typeof sourcePath === 'string' && { sourcePath }),
    ...(isObject(properties) && { properties }),
    ...(items !== undefined && { items }),
    ...(isObject(additionalProperties) && { additionalProperties }),
    ...(Array.isArray(fields.anyOf) && { anyOf: fields.anyOf }),
    ...(Array.isArray(fields.oneOf) && { oneOf: fields.oneOf }),
    ...(Array.isArray(fields.allOf) && { allOf: fields.allOf }),
  }
}

/** Accepts `{raw: map, human?: map}` or the raw map alone. */
export function splitOutputSchema(schema: SchemaMap): { raw: SchemaMap; human?: SchemaMap } {
  if (!isSplit(schema)) return { raw: schema }
  const { raw, human } = schema
  return { raw: isObject(raw) ? raw : {}, ...(isObject(human) && { human }) }
}

/** True for `{raw, human?}`. A raw map with a field named `raw` is not split: its `raw` is a schema, not a map of schemas. */
export function isSplit(schema: SchemaMap): boolean {
  const parts = Object.keys(schema)
  if (!parts.includes('raw') || parts.some((part) => part !== 'raw' && part !== 'human')) return false
  return Object.values(schema).every((map) => isObject(map) && !isTypeName(map.type))
}

export function isTypeName(type: unknown): type is string {
  return typeof type === 'string' && schemaTypes.includes(type)
}

export function isDecimals(value: unknown): value is number | 'token' {
  if (value === 'token') return true
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255
}
