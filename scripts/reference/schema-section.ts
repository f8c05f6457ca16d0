/** Turns the JSON Schema of a file into sections of Markdown: a table of fields for each object. */
import { typeText } from './type-text.ts'

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

export function propertiesOf(schema: Schema): Record<string, Schema> {
  return (schema.properties ?? {}) as Record<string, Schema>
}

export function variantsOf(schema: Schema): Schema[] {
  const variants = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  return variants ? variants.flatMap(variantsOf) : [schema]
}

function freeTitle(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  for (let n = 2; ; n++) if (!taken.has(`${name} (${n})`)) return `${name} (${n})`
}
