import type { Issue } from '@tocsin/contract'
import { readPath } from './paths.ts'

/** The grammar of `{{path}}` in the fields of providers, which checks and runs share. */

type Reference = { path: string; segments: string[]; isOptional: boolean }
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
  'event',
  'within',
  'before',
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

/** Fills placeholders with the values of a run. */

/** The values that placeholders can use; `input` is an alias of `source`. `secrets` is set only if the run may use secrets. */
export type PlaceholderScope = {
  source: unknown
  inputs: unknown
  providers: unknown
  secrets?: Record<string, string> | undefined
}
/** Turns a value into text. `before` is the text before the placeholder. */
export type Encode = (value: unknown, before: string) => string
export type Rendered = { ok: true; value: unknown } | { ok: false; issue: Issue }

/** Fills in every string inside the value. A placeholder alone keeps its value's type; inside other text it becomes text. */
export function renderPlaceholders(value: unknown, scope: PlaceholderScope): Rendered {
  return attempt(() => renderWithin(value, '', scope))
}

/** Renders a field that is always text. `encode` applies only to the values of placeholders. */
export function renderText(text: string, scope: PlaceholderScope, encode: Encode = asText): Rendered {
  return attempt(() => renderPieces(splitPlaceholders(text), '', scope, encode))
}

export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null ? '' : JSON.stringify(value)
}

function renderWithin(value: unknown, path: string, scope: PlaceholderScope): unknown {
  if (typeof value === 'string') return value.includes('{{') ? renderString(value, path, scope) : value
  if (typeof value !== 'object' || value === null) return value
  const below = (key: string | number) => (path === '' ? String(key) : `${path}.${key}`)
  if (Array.isArray(value)) return value.map((inner, index) => renderWithin(inner, below(index), scope))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, renderWithin(inner, below(key), scope)]))
}

function renderString(text: string, path: string, scope: PlaceholderScope): unknown {
  const pieces = splitPlaceholders(text)
  const [only] = pieces
  if (pieces.length === 1 && only) return resolve(only, path, scope)
  return renderPieces(pieces, path, scope, asText)
}

function renderPieces(pieces: Piece[], path: string, scope: PlaceholderScope, encode: Encode): string {
  let text = ''
  for (const piece of pieces) text += piece.kind === 'text' ? piece.text : encode(resolve(piece, path, scope), text)
  return text
}

function resolve(piece: Piece, path: string, scope: PlaceholderScope): unknown {
  if (piece.kind === 'text') return piece.text
  if (piece.kind === 'unclosed') throw new Unresolved({ path, message: 'has a placeholder that is not closed' })
  const { content, reference } = piece
  if (!reference) throw new Unresolved({ path, message: `has a malformed placeholder: {{${content.slice(0, 80)}}}` })
  const value = lookUp(reference, scope)
  if (value !== undefined) return value
  if (reference.isOptional) return null
  if (reference.segments[0] === 'secrets') throw new Unresolved({ path, message: noSuchSecret(reference.path) })
  const hint = `write {{${reference.path}?}} if it may be missing`
  throw new Unresolved({ path, message: `{{${reference.path}}}: there is nothing at this path; ${hint}` })
}

function lookUp({ segments: [root, ...rest] }: Reference, scope: PlaceholderScope): unknown {
  if (root === 'source' || root === 'input') return readPath(scope.source, rest)
  if (root === 'inputs') return readPath(scope.inputs, rest)
  if (root === 'secrets') return readPath(scope.secrets, rest)
  return root === 'providers' ? readPath(scope.providers, rest) : undefined
}

/** Used by runs, and by saves that know the project's secrets. */
export function noSuchSecret(path: string): string {
  return `{{${path}}}: the project has no such secret, or this run may not use it`
}

class Unresolved extends Error {
  readonly issue: Issue
  constructor(issue: Issue) {
    super(issue.message)
    this.issue = issue
  }
}

function attempt(render: () => unknown): Rendered {
  try {
    return { ok: true, value: render() }
  } catch (error) {
    if (error instanceof Unresolved) return { ok: false, issue: error.issue }
    throw error
  }
}
