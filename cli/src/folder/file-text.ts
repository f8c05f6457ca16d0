import { isDeepStrictEqual } from 'node:util'
import { type Document, isAlias, parseDocument, stringify, visit } from 'yaml'
import { isRecord, type Path } from './paths.ts'

// Long lines stay whole, and two equal objects are written twice: an alias would join what belongs to two fields.
const style = { lineWidth: 0, aliasDuplicateObjects: false } as const

export function yamlText(value: unknown): string {
  return stringify(value, style)
}

/** The text of a file with another value. Comments and the order of fields stay. */
export function changedText(file: string, text: string, before: unknown, after: unknown): string {
  if (file.endsWith('.json')) return `${JSON.stringify(after, null, 2)}\n`
  const document = parseDocument(text)
  if (hasAliases(document)) return yamlText(after)
  change(document, before, after, [])
  return document.toString(style)
}

function hasAliases(document: Document): boolean {
  let found = false
  visit(document, (_, node) => {
    if (isAlias(node)) found = true
  })
  return found
}

function change(document: Document, before: unknown, after: unknown, path: Path): void {
  if (isDeepStrictEqual(before, after)) return
  if (isRecord(before) && isRecord(after)) {
    for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) document.deleteIn([...path, key])
    for (const [key, value] of Object.entries(after)) change(document, before[key], value, [...path, key])
  } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, value] of after.entries()) change(document, before[index], value, [...path, index])
  } else if (path.length === 0) document.contents = document.createNode(after)
  else document.setIn([...path], document.createNode(after))
}
