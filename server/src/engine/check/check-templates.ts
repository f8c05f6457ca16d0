import { type Defaults, type Issue, Severity } from '@tocsin/contract'
import { parseTemplate } from '../render/parse-template.ts'

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
