import type { Defaults, Issue } from '@tocsin/contract'
import { parseTemplate } from '../render/parse-template.ts'

/** Every template of the notification defaults. */
export function checkDefaults(defaults: Defaults, path: string): Issue[] {
  const { links = [], delivery: _delivery, ...texts } = defaults
  const ofTexts = Object.entries(texts).flatMap(([field, text]) => checkTemplate(text, `${path}.${field}`))
  const ofLinks = links.flatMap(({ title, url }, index) => [
    ...checkTemplate(title, `${path}.links.${index}.title`),
    ...checkTemplate(url, `${path}.links.${index}.url`),
  ])
  return [...ofTexts, ...ofLinks]
}

/** What rendering refuses is found when the template is saved. */
export function checkTemplate(text: string, path: string): Issue[] {
  const parsed = parseTemplate(text)
  return parsed.ok ? [] : parsed.messages.map((message) => ({ path, message }))
}
