import { AddressType, type Issue } from '@tocsin/contract'
import { isObject } from '../base/json.ts'
import { choiceFields, isDecimals, isSplit, isTypeName, schemaTypes } from '../base/read-schema.ts'

const addressTypes: readonly string[] = AddressType.options
const levelsMax = 16
const inputName = /^[A-Za-z0-9_$-]{1,128}$/
const sourcePathPattern = /^[A-Za-z0-9_$-]+(?:\.[A-Za-z0-9_$-]+|\[\d+\])*$/

/** Placeholders use the names of inputs, so a name may contain only what a placeholder accepts. */
export function checkInputs(inputs: Record<string, unknown>, path: string): Issue[] {
  const badNames = Object.keys(inputs).filter((name) => !inputName.test(name))
  return [
    ...badNames.map((name) => ({
      path: `${path}.${name}`,
      message: 'a name may contain only letters, digits, _, $ and -',
    })),
    ...checkSchemaMap(inputs, path),
  ]
}

export function checkSchemaMap(map: Record<string, unknown>, path: string): Issue[] {
  return checkMap(map, path, 0)
}

/** Accepts `{raw: map, human?: map}` or the raw map alone. */
export function checkOutputSchema(schema: Record<string, unknown>, path: string): Issue[] {
  if (!isSplit(schema)) return checkSchemaMap(schema, path)
  return Object.entries(schema).flatMap(([part, map]) => checkMap(map, `${path}.${part}`, 0))
}

function checkMap(map: unknown, path: string, level: number): Issue[] {
  if (!isObject(map)) return [{ path, message: 'must be a map of names to schemas' }]
  return Object.entries(map).flatMap(([name, schema]) => checkSchema(schema, `${path}.${name}`, level + 1))
}

/** Checks one schema: the name of a type, or an object like JSON Schema. */
export function checkSchema(schema: unknown, path: string, level = 0): Issue[] {
  if (level > levelsMax) return [{ path, message: `is nested deeper than ${levelsMax} levels` }]
  if (typeof schema === 'string') return checkTypeName(schema, path)
  if (!isObject(schema)) return [{ path, message: 'must be the name of a type or a schema object' }]
  return [...checkType(schema, path, level), ...checkOwnFields(schema, path), ...checkInner(schema, path, level)]
}

function checkType({ type }: Record<string, unknown>, path: string, level: number): Issue[] {
  if (type === undefined) return []
  if (isObject(type)) return checkSchema(type, `${path}.type`, level + 1)
  if (!Array.isArray(type)) return checkTypeName(type, `${path}.type`)
  return type.flatMap((each, index) => checkTypeName(each, `${path}.type.${index}`))
}

function checkTypeName(type: unknown, path: string): Issue[] {
  if (isTypeName(type)) return []
  return [{ path, message: `must be one of ${schemaTypes.join(', ')}` }]
}

function checkOwnFields(schema: Record<string, unknown>, path: string): Issue[] {
  const { type, addressType, decimals, optional, sourcePath, description } = schema
  const issues: Issue[] = []
  const requireField = (isValid: boolean, field: string, message: string) => {
    if (!isValid) issues.push({ path: `${path}.${field}`, message })
  }
  requireField(
    addressType === undefined || (typeof addressType === 'string' && addressTypes.includes(addressType)),
    'addressType',
    `must be one of ${addressTypes.join(', ')}`,
  )
  requireField(
    decimals === undefined || isDecimals(decimals),
    'decimals',
    'must be a whole number from 0 to 255, or "token"',
  )
  requireField(optional === undefined || typeof optional === 'boolean', 'optional', 'must be true or false')
  requireField(
    sourcePath === undefined || isSourcePath(sourcePath),
    'sourcePath',
    'must be a dotted path in the source item',
  )
  requireField(description === undefined || typeof description === 'string', 'description', 'must be text')
  requireField(schema.enum === undefined || Array.isArray(schema.enum), 'enum', 'must be a list')
  requireField(type !== 'enum' || hasChoices(schema), 'enum', 'must list the values of the enum')
  return issues
}

/** Checks the schemas inside this one. */
function checkInner(schema: Record<string, unknown>, path: string, level: number): Issue[] {
  const { properties, items, additionalProperties: others } = schema
  const choices = ['anyOf', 'oneOf', 'allOf'].filter((choice) => Array.isArray(schema[choice]))
  return [
    ...(properties === undefined ? [] : checkMap(properties, `${path}.properties`, level)),
    ...(items === undefined ? [] : checkOneOrMany(items, `${path}.items`, level)),
    ...(isObject(others) ? checkSchema(others, `${path}.additionalProperties`, level + 1) : []),
    ...choices.flatMap((choice) => checkOneOrMany(schema[choice], `${path}.${choice}`, level)),
  ]
}

function checkOneOrMany(schemas: unknown, path: string, level: number): Issue[] {
  if (!Array.isArray(schemas)) return checkSchema(schemas, path, level + 1)
  return schemas.flatMap((schema, index) => checkSchema(schema, `${path}.${index}`, level + 1))
}

function hasChoices(schema: Record<string, unknown>): boolean {
  return choiceFields.some((field) => Array.isArray(schema[field]) && schema[field].length > 0)
}

function isSourcePath(value: unknown): boolean {
  return typeof value === 'string' && value.length <= 256 && sourcePathPattern.test(value)
}
