import type { Defaults, Issue } from '@tocsin/contract'
import { type Piece, splitPlaceholders } from '../base/placeholders.ts'
import { parseTemplate } from '../render/parse-template.ts'
import { checkSeverity } from './check-severity.ts'
import { explainAbsence, type KnownShapes, locateInRun } from './known-shapes.ts'

/** The names that placeholders may use. If a set is absent, any name is accepted. */
export type Scope = {
  inputs?: Set<string>
  providers?: Set<string>
  /** What is known of the item and of the results of providers. */
  shapes?: KnownShapes
  /** Only providers may use secrets. `whyNot` is the reason if this provider may not. */
  secrets?: { whyNot: string | undefined }
}

const issuesMax = 20

/** Checks every string inside the value. `skip` names top-level fields without placeholders. */
export function checkPlaceholders(
  value: unknown,
  path: string,
  scope: Scope,
  skip: ReadonlySet<string> = new Set(),
): Issue[] {
  const issues: Issue[] = []
  const visit = (at: unknown, where: string): void => {
    if (issues.length >= issuesMax) return
    if (typeof at === 'string') for (const issue of checkText(at, where, scope)) issues.push(issue)
    if (typeof at !== 'object' || at === null) return
    for (const [key, inner] of Object.entries(at)) {
      if (at !== value || !skip.has(key)) visit(inner, `${where}.${key}`)
    }
  }
  visit(value, path)
  return issues.slice(0, issuesMax)
}

function checkText(text: string, path: string, scope: Scope): Issue[] {
  return splitPlaceholders(text).flatMap((piece) => {
    const message = explainUnresolvable(piece, scope)
    return message ? [{ path, message }] : []
  })
}

function explainUnresolvable(piece: Piece, scope: Scope): string | undefined {
  if (piece.kind === 'text') return undefined
  if (piece.kind === 'unclosed') return `has a placeholder that is not closed: ${shorten(piece.text)}`
  if (!piece.reference) return `has a malformed placeholder: ${shorten(`{{${piece.content}}}`)}`
  const { path, segments, isOptional } = piece.reference
  const [root = '', name] = segments
  if (root === 'source' || root === 'input') return isOptional ? undefined : explainMissing(segments, path, scope)
  // A subscription may have inputs that the trigger does not declare. The question mark says that the input may be missing.
  if (root === 'inputs')
    return isOptional ? undefined : explainUndeclared(name, scope.inputs, `{{${path}}}: there is no such input`)
  if (root === 'secrets' && scope.secrets)
    return segments.length === 2 ? scope.secrets.whyNot : `{{${shorten(path)}}}: name one secret`
  if (root !== 'providers') return `{{${shorten(path)}}}: a placeholder begins with ${roots(scope)}`
  if (name === undefined) return '{{providers}}: name the provider'
  const undeclared = explainUndeclared(name, scope.providers, `{{${path}}}: no provider before this one has that id`)
  return undeclared ?? (isOptional ? undefined : explainMissing(segments, path, scope))
}

/** The question mark says that the value may be missing. */
function explainMissing(segments: readonly string[], path: string, { shapes }: Scope): string | undefined {
  const located = shapes && locateInRun(shapes, segments)
  const message = located && explainAbsence(located, path)
  return message && `{{${shorten(path)}}}: ${message}`
}

function roots({ secrets }: Scope): string {
  return secrets ? 'source, input, inputs, providers or secrets' : 'source, input, inputs or providers'
}

function explainUndeclared(
  name: string | undefined,
  declared: Set<string> | undefined,
  message: string,
): string | undefined {
  return name === undefined || !declared || declared.has(name) ? undefined : message
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** Checks every template of the notification defaults. Without `inputs` any input may be named. */
export function checkDefaults(defaults: Defaults, path: string, inputs?: ReadonlySet<string>): Issue[] {
  const issues = templatesIn(defaults, path).flatMap(({ text, path }) => checkTemplate(text, path))
  return [...issues, ...checkSeverity(defaults.severity, `${path}.severity`, inputs)]
}

/** The templates of a message, each with its path. */
export function templatesIn({ links = [], delivery: _delivery, ...texts }: Defaults, path: string) {
  return [
    ...Object.entries(texts).flatMap(([field, text]) =>
      typeof text === 'string' ? [{ text, path: `${path}.${field}` }] : [],
    ),
    ...links.flatMap(({ title, url }, index) => [
      { text: title, path: `${path}.links.${index}.title` },
      { text: url, path: `${path}.links.${index}.url` },
    ]),
  ]
}

/** Finds, when a template is saved, everything that rendering would refuse. */
export function checkTemplate(text: string, path: string): Issue[] {
  const parsed = parseTemplate(text)
  return parsed.ok ? [] : parsed.messages.map((message) => ({ path, message }))
}
