import { type OpenSection, propertiesOf, type Schema, variantsOf } from './schema-section.ts'

/** The type of a value in words. An object gets a section of its own, which the text links to. */
export function typeText(schema: Schema, name: string, open: OpenSection): string {
  const texts = variantsOf(schema)
    .filter(({ $ref }) => $ref !== '#/$defs/File' && $ref !== '#/$defs/Variable')
    .map((variant) => oneType(variant, name, open))
  return [...new Set(texts)].join(' or ')
}

function oneType(schema: Schema, name: string, open: OpenSection): string {
  if (typeof schema.$ref === 'string') return schema.$ref === '#' ? 'the same object' : 'condition'
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ')
  if (schema.type === 'array') return listText(schema, name, open)
  if (schema.type === 'object') return objectText(schema, name, open)
  return typeof schema.type === 'string' ? `${schema.type}${limitsText(schema)}` : 'any value'
}

function listText(schema: Schema, name: string, open: OpenSection): string {
  const items = (schema.items ?? {}) as Schema
  return `list of ${typeText(items, name, open)}${limitsText(schema)}`
}

function objectText(schema: Schema, name: string, open: OpenSection): string {
  if (Object.keys(propertiesOf(schema)).length > 0) {
    const type = typeOf(schema)
    return `[${type ?? 'object'}](#${anchorOf(open(schema, type === undefined ? name : `${name} "${type}"`))})`
  }
  const values = schema.additionalProperties
  const isMap = typeof values === 'object' && values !== null && Object.keys(values).length > 0
  return isMap ? `map of ${typeText(values as Schema, name, open)}` : 'object'
}

/** The constant that tells objects of several kinds apart. */
function typeOf(schema: Schema): string | undefined {
  const type = propertiesOf(schema).type?.const
  return typeof type === 'string' ? type : undefined
}

/** As generators of sites and code hosts make anchors. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-')
}

function limitsText(schema: Schema): string {
  const least = schema.minimum ?? schema.minItems
  const most = schema.maximum ?? schema.maxItems
  const isSafe = most === Number.MAX_SAFE_INTEGER
  if (least !== undefined && most !== undefined && !isSafe) return `, ${least}–${most}`
  if (most !== undefined && !isSafe) return `, at most ${most}`
  return least !== undefined && least !== 0 ? `, at least ${least}` : ''
}
