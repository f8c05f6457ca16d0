/** The grammar of `{{path}}` in the fields of providers, which checks and runs share. */

export type Reference = { path: string; segments: string[]; isOptional: boolean }
export type Piece =
  | { kind: 'text'; text: string }
  /** A placeholder without a reference is malformed. */
  | { kind: 'placeholder'; content: string; reference?: Reference }
  | { kind: 'unclosed'; text: string }

export const placeholderPattern = /\{\{[^{}]*\}\}/g

export function holdsPlaceholder(text: string): boolean {
  return text.search(placeholderPattern) >= 0
}

/** Fields of providers that hold names, code or schemas and therefore no placeholders. */
export const fieldsWithoutPlaceholders: ReadonlySet<string> = new Set([
  'id',
  'type',
  'transport',
  'source',
  'abiFragment',
  'idl',
  'outputSchema',
  'runIf',
  'query',
  'valueType',
  'aggregate',
])

/**
 * Anybody can choose a value on a chain, and in a query it could end a string and change the query. GraphQL sends variables
 * apart from the query, so they are safe. Outside a string `{{` is never valid GraphQL.
 */
export const queryWithPlaceholder = 'must not contain placeholders: declare a variable and fill it in `variables`'

const segment = '[A-Za-z0-9_$-]+'
const pathPattern = new RegExp(`^${segment}(?:\\.${segment}|\\[\\d+\\])*$`)

export function splitPlaceholders(text: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', at)) {
    if (open > at) pieces.push({ kind: 'text', text: text.slice(at, open) })
    const close = text.indexOf('}}', open)
    if (close < 0) return [...pieces, { kind: 'unclosed', text: text.slice(open) }]
    const content = text.slice(open + 2, close)
    pieces.push({ kind: 'placeholder', content, reference: readReference(content) })
    at = close + 2
  }
  if (at < text.length) pieces.push({ kind: 'text', text: text.slice(at) })
  return pieces
}

function readReference(content: string): Reference | undefined {
  const trimmed = content.trim()
  const path = trimmed.replace(/\?$/, '')
  if (!pathPattern.test(path)) return undefined
  return { path, segments: path.replaceAll('[', '.').replaceAll(']', '').split('.'), isOptional: path !== trimmed }
}

/** Lists the references of all placeholders inside a value. */
export function referencesIn(value: unknown): Reference[] {
  if (typeof value === 'string')
    return splitPlaceholders(value).flatMap((piece) =>
      piece.kind === 'placeholder' && piece.reference ? [piece.reference] : [],
    )
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(referencesIn) : []
}
