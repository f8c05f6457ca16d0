import type { Issue } from '@tocsin/contract'

/** What a placeholder may refer to; an absent set is not known, and then any name is good. */
export type Scope = { inputs?: Set<string>; providers?: Set<string> }

export const placeholderPattern = /\{\{[^{}]*\}\}/g
const segment = '[A-Za-z0-9_$-]+'
const pathPattern = new RegExp(`^${segment}(?:\\.${segment}|\\[\\d+\\])*$`)
const issuesMax = 20

/** Every string inside the value, wherever it is. `skip` names the fields at its top that hold no placeholders. */
export function checkPlaceholders(value: unknown, path: string, scope: Scope, skip: Set<string> = new Set()): Issue[] {
  const issues: Issue[] = []
  const visit = (at: unknown, where: string): void => {
    if (issues.length >= issuesMax) return
    if (typeof at === 'string') issues.push(...checkText(at, where, scope))
    if (typeof at !== 'object' || at === null) return
    for (const [key, inner] of Object.entries(at)) {
      if (at !== value || !skip.has(key)) visit(inner, `${where}.${key}`)
    }
  }
  visit(value, path)
  return issues.slice(0, issuesMax)
}

function checkText(text: string, path: string, scope: Scope): Issue[] {
  const issues: Issue[] = []
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', open)) {
    const close = text.indexOf('}}', open)
    if (close < 0)
      return [...issues, { path, message: `has a placeholder that is not closed: ${shown(text.slice(open))}` }]
    const message = whyNotResolvable(text.slice(open + 2, close), scope)
    if (message) issues.push({ path, message })
    open = close + 2
  }
  return issues
}

function whyNotResolvable(content: string, scope: Scope): string | undefined {
  const reference = content.trim().replace(/\?$/, '')
  if (!pathPattern.test(reference)) return `has a malformed placeholder: ${shown(`{{${content}}}`)}`
  const [root = '', name] = reference.split(/[.[]/)
  if (root === 'source' || root === 'input') return undefined
  if (root === 'inputs') {
    // A subscription may send more than is declared; the question mark says that the writer knows it may not.
    const isOptional = content.trimEnd().endsWith('?')
    return isOptional ? undefined : whyNotDeclared(name, scope.inputs, `{{${reference}}}: there is no such input`)
  }
  if (root !== 'providers')
    return `{{${shown(reference)}}}: a placeholder begins with source, input, inputs or providers`
  if (name === undefined) return '{{providers}}: name the provider'
  return whyNotDeclared(name, scope.providers, `{{${reference}}}: no provider before this one has that id`)
}

function whyNotDeclared(
  name: string | undefined,
  declared: Set<string> | undefined,
  message: string,
): string | undefined {
  return name === undefined || !declared || declared.has(name) ? undefined : message
}

function shown(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
