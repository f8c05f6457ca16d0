import { type Condition, isPathValue } from '@tocsin/contract'
import { isObject } from '../base/json.ts'
import { parsePath } from '../base/paths.ts'
import { readSchema, type SchemaMap, splitOutputSchema } from '../base/read-schema.ts'
import { rulesOfSpec } from '../sources/chains.ts'

/**
 * Finds conditions on fields that a trigger does not describe: in its filters, its output schema or, without a transform, the
 * fields of the source item. Outputs may have more fields than described, so an unknown field is a warning, not an error.
 */
export type DescribedTrigger = {
  filtersSchema?: SchemaMap | undefined
  outputSchema?: SchemaMap | undefined
  hasTransform: boolean
  /** The type of its triggerSpec. */
  type?: string | undefined
}

const timerFields = ['now', 'timestampMs']

/** Lists each unknown param once, in the order of the condition. Empty if the trigger describes no fields. */
export function unknownParams(condition: Condition, trigger: DescribedTrigger): string[] {
  const fields = fieldsOf(trigger)
  return fields ? [...new Set(missingIn(condition, fields))] : []
}

/** The paths that the raw output of a trigger does not have, as far as the trigger describes it. */
export function unknownOutputs(paths: string[], trigger: DescribedTrigger): string[] {
  const fields = fieldsOf({ ...trigger, filtersSchema: {} })
  return fields ? paths.filter((path) => !hasField(fields, path)) : []
}

function fieldsOf({ filtersSchema = {}, outputSchema = {}, hasTransform, type }: DescribedTrigger) {
  const item = hasTransform ? [] : itemFields(type ?? '')
  const { raw } = splitOutputSchema(outputSchema)
  const fields: SchemaMap = { ...Object.fromEntries(item.map((name) => [name, {}])), ...raw, ...filtersSchema }
  return Object.keys(fields).length > 0 ? fields : undefined
}

/** The fields of an item, with those inside them, such as `block.number`. */
export function itemPaths(type: string): readonly string[] {
  return type === 'timer' ? timerFields : (rulesOfSpec(type)?.specs[type] ?? [])
}

export function itemFields(type: string): readonly string[] {
  return [...new Set(itemPaths(type).map((path) => path.split('.', 1)[0] ?? ''))]
}

function missingIn(condition: Condition, fields: SchemaMap): string[] {
  if ('all' in condition) return condition.all.flatMap((each) => missingIn(each, fields))
  if ('any' in condition) return condition.any.flatMap((each) => missingIn(each, fields))
  if ('not' in condition) return missingIn(condition.not, fields)
  // Inside `contains` a param is a field of an element, which schemas seldom describe.
  const named = [condition.param, ...('op' in condition && isPathValue(condition.value) ? [condition.value.path] : [])]
  return named.filter((param) => !hasField(fields, param))
}

/** Checks a path as far as schemas describe it. A schema without `properties` may have any field. */
function hasField(fields: SchemaMap, param: string): boolean {
  if (Object.hasOwn(fields, param)) return true
  let inner: SchemaMap | undefined = fields
  for (const segment of parsePath(param)) {
    if (!inner) return true
    if (!Object.hasOwn(inner, segment)) return false
    const { properties } = readSchema(inner[segment])
    inner = isObject(properties) ? properties : undefined
  }
  return true
}
