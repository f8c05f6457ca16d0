import { type Defaults, type Issue, Severity } from '@tocsin/contract'
import { type Piece, splitPlaceholders } from '../base/placeholders.ts'
import { parseTemplate } from '../render/parse-template.ts'

/** The names that placeholders may use. If a set is absent, any name is accepted. */
export type Scope = {
  inputs?: Set<string>
  providers?: Set<string>
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
  if (root === 'source' || root === 'input') return undefined
  // A subscription may have inputs that the trigger does not declare. The question mark says that the input may be missing.
  if (root === 'inputs')
    return isOptional ? undefined : explainUndeclared(name, scope.inputs, `{{${path}}}: there is no such input`)
  if (root === 'secrets' && scope.secrets)
    return segments.length === 2 ? scope.secrets.whyNot : `{{${shorten(path)}}}: name one secret`
  if (root !== 'providers') return `{{${shorten(path)}}}: a placeholder begins with ${roots(scope)}`
  if (name === undefined) return '{{providers}}: name the provider'
  return explainUndeclared(name, scope.providers, `{{${path}}}: no provider before this one has that id`)
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

/** Checks every template of the notification defaults. */
export function checkDefaults(defaults: Defaults, path: string): Issue[] {
  const { links = [], delivery: _delivery, ...texts } = defaults
  const textIssues = Object.entries(texts).flatMap(([field, text]) => checkTemplate(text, `${path}.${field}`))
  const linkIssues = links.flatMap(({ title, url }, index) => [
    ...checkTemplate(title, `${path}.links.${index}.title`),
    ...checkTemplate(url, `${path}.links.${index}.url`),
  ])
  return [...textIssues, ...checkSeverity(texts.severity, `${path}.severity`), ...linkIssues]
}

/** A text without a placeholder always renders to itself, so a wrong one is found at the save. */
function checkSeverity(text: string | undefined, path: string): Issue[] {
  if (text === undefined || text.includes('{{') || Severity.safeParse(text).success) return []
  return [{ path, message: `must be ${Severity.options.join(', ')} or a template that renders to one of them` }]
}

/** Finds, when a template is saved, everything that rendering would refuse. */
export function checkTemplate(text: string, path: string): Issue[] {
  const parsed = parseTemplate(text)
  return parsed.ok ? [] : parsed.messages.map((message) => ({ path, message }))
}
