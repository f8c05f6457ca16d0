import { isObject } from '../base/is-object.ts'

const textLengthMax = 1_000

/**
 * The comments of a contract's author by signature. The user's documentation has a notice for each event and method, the
 * developer's has details.
 */
export function readDocumentation(userdoc: unknown, devdoc: unknown): Record<string, string> {
  const texts = [
    ...textsOf(devdoc, 'events', 'details'),
    ...textsOf(devdoc, 'methods', 'details'),
    ...textsOf(userdoc, 'events', 'notice'),
    ...textsOf(userdoc, 'methods', 'notice'),
  ]
  return Object.fromEntries(texts)
}

function textsOf(doc: unknown, part: 'events' | 'methods', field: 'details' | 'notice'): [string, string][] {
  const entries = isObject(doc) ? doc[part] : undefined
  if (!isObject(entries)) return []
  return Object.entries(entries).flatMap(([signature, entry]): [string, string][] => {
    const text = isObject(entry) ? entry[field] : undefined
    return typeof text === 'string' ? [[signature, text.slice(0, textLengthMax).toWellFormed()]] : []
  })
}
