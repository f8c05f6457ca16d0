import type { Condition, Issue, TriggerSpec } from '@tocsin/contract'
import { parsePath } from '../base/paths.ts'
import { readSchema, type SchemaMap, splitOutputSchema } from '../base/read-schema.ts'
import { rulesOfSpec } from '../sources/chains.ts'
import { isAddressOfType } from './output-schema.ts'
import { itemFields } from './unknown-params.ts'

type IsAddress = (text: string) => boolean
type Part = Extract<Condition, { op: string }>

/** Finds comparisons of an address with a text that is none: they never hold. The fields are those of a trigger. */
export function checkAddresses(
  condition: Condition,
  { filtersSchema, outputSchema }: { filtersSchema?: SchemaMap | undefined; outputSchema?: SchemaMap | undefined },
  path: string,
): Issue[] {
  const fields: SchemaMap = { ...splitOutputSchema(outputSchema ?? {}).raw, ...filtersSchema }
  return check(condition, path, (param) => {
    const { types, addressType } = readSchema(Object.hasOwn(fields, param) ? fields[param] : {})
    const isOnlyAddress = types.length > 0 && types.every((type) => type === 'address' || type === 'null')
    return isOnlyAddress ? (text) => isAddressOfType(text, addressType) : undefined
  })
}

/** The fields of items that hold an address, whatever the chain. */
const addressFields = ['address', 'from', 'to', 'miner']

/** The same for the conditions of a trigger, which name fields of its items. */
export function checkItemAddresses(condition: Condition, path: string, spec: TriggerSpec | null): Issue[] {
  const rules = spec ? rulesOfSpec(spec.type) : undefined
  if (!spec || !rules) return []
  const known = itemFields(spec.type)
  return check(condition, path, (param) => {
    const [root, field = '', ...more] = parsePath(param)
    const isAddressField =
      root === 'source' && more.length === 0 && addressFields.includes(field) && known.includes(field)
    return isAddressField ? rules.isAddress : undefined
  })
}

function check(condition: Condition, path: string, ruleOf: (param: string) => IsAddress | undefined): Issue[] {
  if ('not' in condition) return check(condition.not, `${path}.not`, ruleOf)
  if ('all' in condition) return condition.all.flatMap((part, at) => check(part, `${path}.all.${at}`, ruleOf))
  if ('any' in condition) return condition.any.flatMap((part, at) => check(part, `${path}.any.${at}`, ruleOf))
  // Inside `contains` a param is a path in an element.
  if ('contains' in condition) return []
  const isAddress = ruleOf(condition.param)
  const wrong = isAddress && wantedTexts(condition).find((text) => !isAddress(text))
  if (wrong === undefined) return []
  const message = `${JSON.stringify(wrong.slice(0, 100))} is not an address, and ${condition.param} is one`
  return [{ path: `${path}.value`, message }]
}

/** The texts that must equal the field. A placeholder is known only in a subscription. */
function wantedTexts({ op, value }: Part): string[] {
  if (op !== 'eq' && op !== 'ne' && op !== 'in' && op !== 'nin') return []
  const wanted: unknown[] = Array.isArray(value) ? value : [value]
  return wanted.filter((one): one is string => typeof one === 'string' && !one.includes('{{'))
}
