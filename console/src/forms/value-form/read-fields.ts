import { isObject } from '../json.ts'

/** The input that a field of a schema needs. */
export type FieldKind = 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'address' | 'balance' | 'list' | 'json'
export type Field = {
  name: string
  title: string
  description: string | undefined
  kind: FieldKind
  isRequired: boolean
  choices: string[]
  /** The type of an address, or of the addresses in a list. */
  addressType: string | undefined
  /** Of a balance; `token` are those of the item's own token. */
  decimals?: number | 'token' | undefined
  initial: unknown
}
/** Props of the input of one field. */
export type FieldProps = {
  field: Field
  value: unknown
  onChange: (value: unknown) => void
  error: string | undefined
}
type Fields = Record<string, unknown>

/** Reads a map of names to schemas, or a JSON Schema of an object. `required` overrides the schema's own list. */
export function fieldsOf(schema: Fields, required?: readonly string[]): Field[] {
  const { properties, required: listed } = schema
  if (schema.type !== 'object' || !isObject(properties))
    return Object.entries(schema).map(([name, part]) => fieldOf(name, part, required?.includes(name)))
  const names = required ?? (Array.isArray(listed) ? listed : [])
  return Object.entries(properties).map(([name, part]) => fieldOf(name, part, names.includes(name)))
}

function fieldOf(name: string, part: unknown, isRequired: boolean | undefined): Field {
  const schema = flatten(part)
  const items = flatten(schema.items)
  const choices = [schema.enum, schema.values, schema.options].find(Array.isArray) ?? []
  return {
    name,
    title: typeof schema.title === 'string' ? schema.title : titleFrom(name),
    description: typeof schema.description === 'string' ? schema.description : undefined,
    kind: kindOf(schema, items, choices.length > 0),
    isRequired: isRequired ?? (schema.optional !== true && schema.default === undefined),
    choices: choices.map(String),
    addressType: [schema.addressType, items.addressType].find((type) => typeof type === 'string'),
    decimals: decimalsOf(schema),
    initial: schema.default,
  }
}

function decimalsOf({ type, decimals }: Fields): Field['decimals'] {
  const isKnown = type === 'balance' && (typeof decimals === 'number' || decimals === 'token')
  return isKnown ? decimals : undefined
}

function kindOf({ type }: Fields, items: Fields, hasChoices: boolean): FieldKind {
  if (hasChoices) return 'choice'
  if (type === 'array') return ['string', 'address', 'balance'].includes(String(items.type)) ? 'list' : 'json'
  switch (type) {
    case 'number':
    case 'integer':
    case 'boolean':
    case 'address':
    case 'balance':
      return type
    case 'string':
      return 'text'
    default:
      return 'json'
  }
}

/** A string is a type name. A schema may contain another schema as its type. */
function flatten(part: unknown): Fields {
  if (typeof part === 'string') return { type: part }
  if (!isObject(part)) return {}
  return isObject(part.type) ? { ...flatten(part.type), ...part, type: flatten(part.type).type } : part
}

/** `minAmount` and `min_amount` become “Min amount”; `url` becomes “URL”. */
export function titleFrom(name: string): string {
  if (/^(url|id|abi|idl)$/i.test(name)) return name.toUpperCase()
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The given values, else the defaults of the schema. */
export function initialValues(fields: Field[], given: Fields = {}): Fields {
  const defaults = fields.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial] as const]))
  return { ...Object.fromEntries(defaults), ...given }
}

/** Issues of required fields that are empty. The service checks the rest. */
export function missingIn(fields: Field[], values: Fields): { path: string; message: string }[] {
  return fields.flatMap(({ name, isRequired, kind }) => {
    const value = values[name]
    const isEmpty =
      value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
    return isRequired && kind !== 'boolean' && isEmpty ? [{ path: name, message: 'This field is required' }] : []
  })
}
