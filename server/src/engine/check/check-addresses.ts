import type { Condition, Issue, TriggerSpec } from '@tocsin/contract'
import { parsePath } from '../base/paths.ts'
import { readSchema, type SchemaMap, splitOutputSchema } from '../base/read-schema.ts'
import { type Fields, fieldsOfElement, fieldsOfOutcome } from '../conditions/fields.ts'
import { isAddressOf, isAddressOfType } from '../sources/addresses.ts'
import { rulesOfSpec } from '../sources/chains.ts'
import { itemFields } from './unknown-params.ts'

type Part = Extract<Condition, { op: string }>
/** How to tell an address from other texts, if the field of a param is one, and the same for the elements of a list. */
type Rule = { isAddress: ((text: string) => boolean) | undefined; ofElements?: RuleOf }
type RuleOf = (param: string) => Rule

/** Finds comparisons of an address with a text that is none: they never hold. The fields are those of a trigger. */
export function checkAddresses(
  condition: Condition,
  { filtersSchema, outputSchema }: { filtersSchema?: SchemaMap | undefined; outputSchema?: SchemaMap | undefined },
  path: string,
): Issue[] {
  const fields: SchemaMap = { ...splitOutputSchema(outputSchema ?? {}).raw, ...filtersSchema }
  return check(condition, path, rulesOfFields(fieldsOfOutcome(fields)))
}

function rulesOfFields<Root>(fields: Fields<Root>): RuleOf {
  return (param) => {
    const schema = fields(param)?.schema ?? readSchema({})
    const { types, addressType } = schema
    const isOnlyAddress = types.includes('address') && types.every((type) => type === 'address' || type === 'null')
    return {
      isAddress: isOnlyAddress ? (text) => isAddressOfType(text, addressType) : undefined,
      ofElements: rulesOfFields(fieldsOfElement(schema)),
    }
  }
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
    return { isAddress: isAddressField ? (text) => isAddressOf(rules, text) : undefined }
  })
}

function check(condition: Condition, path: string, ruleOf: RuleOf): Issue[] {
  if ('not' in condition) return check(condition.not, `${path}.not`, ruleOf)
  if ('all' in condition) return condition.all.flatMap((part, at) => check(part, `${path}.all.${at}`, ruleOf))
  if ('any' in condition) return condition.any.flatMap((part, at) => check(part, `${path}.any.${at}`, ruleOf))
  const { isAddress, ofElements } = ruleOf(condition.param)
  if ('contains' in condition) return ofElements ? check(condition.contains, `${path}.contains`, ofElements) : []
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
