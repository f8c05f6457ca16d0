/** Turns the JSON Schema of a file into sections of Markdown: a table of fields for each object. */

export type Schema = Record<string, unknown>
export type Section = { title: string; text: string; fields: Field[] }
export type Field = { name: string; type: string; isRequired: boolean; meaning: string }

/** The sections of an object and of every object inside it. An object that occurs twice has one section. */
export function sectionsOf(root: Schema, title: string): Section[] {
  const sections: Section[] = []
  const titles = new Map<string, string>()
  const open = (schema: Schema, name: string): string => {
    const same = JSON.stringify(schema)
    const known = titles.get(same)
    if (known) return known
    const title = freeTitle(name, new Set(titles.values()))
    titles.set(same, title)
    const section: Section = { title, text: '', fields: [] }
    sections.push(section)
    section.fields = fieldsOf(schema, name, open)
    return title
  }
  open(root, title)
  const definitions = Object.entries((root.$defs ?? {}) as Record<string, Schema>)
  for (const [name, schema] of definitions) if (name.startsWith('__')) openCondition(schema, open)
  return sections
}

export type OpenSection = (schema: Schema, name: string) => string

function openCondition(schema: Schema, open: OpenSection): void {
  for (const form of variantsOf(schema)) open(form, `condition: ${conditionName(propertiesOf(form))}`)
}

function conditionName({ op, ...others }: Record<string, Schema>): string {
  if (!op) return Object.keys(others).join(', ')
  return variantsOf(op)
    .flatMap(({ const: one, enum: several }) => one ?? several ?? [])
    .join(', ')
}

function fieldsOf(schema: Schema, within: string, open: OpenSection): Field[] {
  const required = new Set(schema.required as string[] | undefined)
  return Object.entries(propertiesOf(schema)).map(([name, property]) => ({
    name,
    type: typeText(property, within === '' ? name : `${within}.${name}`, open),
    isRequired: required.has(name),
    meaning: meaningOf(property),
  }))
}

function meaningOf({ description, default: value }: Schema): string {
  const told = typeof description === 'string' ? description : ''
  const isWorthTelling = value !== undefined && value !== null && JSON.stringify(value).length < 40
  return isWorthTelling ? `${told} Default: \`${JSON.stringify(value)}\`.`.trim() : told
}

function propertiesOf(schema: Schema): Record<string, Schema> {
  return (schema.properties ?? {}) as Record<string, Schema>
}

function variantsOf(schema: Schema): Schema[] {
  const variants = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  return variants ? variants.flatMap(variantsOf) : [schema]
}

function freeTitle(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  for (let n = 2; ; n++) if (!taken.has(`${name} (${n})`)) return `${name} (${n})`
}

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
