import type { Schema } from './document.ts'
import { escaped, prose } from './html.ts'

const levelsMax = 4

/** The fields of a schema as a nested list. Named schemas are links to their own place. */
export function schemaHtml(schema: Schema, level = 0): string {
  const fields = Object.entries(schema.properties ?? {})
  const alternatives = schema.anyOf ?? schema.oneOf ?? []
  if (level > levelsMax) return ''
  if (fields.length > 0)
    return `<ul class="fields">${fields.map((field) => fieldHtml(field, schema, level)).join('')}</ul>`
  if (schema.items?.properties) return schemaHtml(schema.items, level)
  const inner = alternatives.filter(({ properties }) => properties)
  if (inner.length === 0) return ''
  return `<ul class="fields">${inner.map((each) => `<li><em>${titleOf(each)}</em>${schemaHtml(each, level + 1)}</li>`).join('')}</ul>`
}

/** An alternative is named by its constant, such as the type of a provider. */
function titleOf({ properties = {} }: Schema): string {
  const fixed = Object.entries(properties).find(([, { const: value }]) => value !== undefined)
  return fixed ? `${escaped(fixed[0])}: <code>${escaped(String(fixed[1].const))}</code>` : 'or'
}

function fieldHtml([name, field]: [string, Schema], parent: Schema, level: number): string {
  const isRequired = parent.required?.includes(name) === true
  const about = field.description === undefined ? '' : ` <span class="about">${prose(field.description)}</span>`
  return `<li><code>${escaped(name)}</code>${isRequired ? '' : '<span class="optional">?</span>'} <span class="type">${typeHtml(field)}</span>${about}${schemaHtml(field, level + 1)}</li>`
}

/** The type in a few words. */
export function typeHtml(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = escaped(schema.$ref.split('/').at(-1) ?? '')
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (schema.const !== undefined) return `<code>${escaped(JSON.stringify(schema.const))}</code>`
  if (schema.enum) return schema.enum.map((value) => `<code>${escaped(String(value))}</code>`).join(' | ')
  if (schema.items) return `list of ${typeHtml(schema.items)}`
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (alternatives) return [...new Set(alternatives.map(typeHtml))].join(' or ')
  if (typeof schema.additionalProperties === 'object' && Object.keys(schema.additionalProperties).length > 0)
    return `map of ${typeHtml(schema.additionalProperties)}`
  const [type = 'any'] = [schema.type].flat()
  return escaped(schema.format === undefined ? type : `${type} (${schema.format})`)
}
