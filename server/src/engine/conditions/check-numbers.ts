import type { Condition, Issue } from '@tocsin/contract'
import { readDecimal } from '../base/decimals.ts'
import { type SchemaMap, splitOutputSchema } from '../base/read-schema.ts'
import type { Comparison } from './comparison.ts'
import { type Fields, fieldsOfElement, fieldsOfOutcome } from './fields.ts'

type Schemas = { filtersSchema?: SchemaMap | undefined; outputSchema?: SchemaMap | undefined }

const orders = ['gt', 'gte', 'lt', 'lte']
const numeric = ['number', 'integer', 'balance']

/**
 * Finds comparisons by size that can never be true: the field is a number and the wanted value is not. The type of a field
 * comes from its filter, else from the schema of the raw output.
 */
export function checkNumbers(condition: Condition, { filtersSchema, outputSchema }: Schemas, path: string): Issue[] {
  return check(condition, fieldsOfOutcome({ ...splitOutputSchema(outputSchema ?? {}).raw, ...filtersSchema }), path)
}

function check<Root>(condition: Condition, fields: Fields<Root>, path: string): Issue[] {
  if ('not' in condition) return check(condition.not, fields, `${path}.not`)
  if ('all' in condition) return condition.all.flatMap((part, at) => check(part, fields, `${path}.all.${at}`))
  if ('any' in condition) return condition.any.flatMap((part, at) => check(part, fields, `${path}.any.${at}`))
  const schema = fields(condition.param)?.schema
  if (!schema) return []
  if ('contains' in condition) return check(condition.contains, fieldsOfElement(schema), `${path}.contains`)
  const types = schema.types.filter((type) => type !== 'null')
  const isNumber = types.length > 0 && types.every((type) => numeric.includes(type))
  return isNumber && !hasNumber(condition)
    ? [{ path: `${path}.value`, message: `must be a number or {{inputs.x}}, because ${condition.param} is a number` }]
    : []
}

/** The value of a placeholder is known only in a subscription. The contract checks amounts. */
function hasNumber({ op, value }: Comparison): boolean {
  if (typeof value === 'object' || !orders.includes(op) || (typeof value === 'string' && value.includes('{{')))
    return true
  return readDecimal(value) !== undefined
}
