import { type Issue, issuesOf, Provider } from '@tocsin/contract'
import {
  asText,
  fieldsWithoutPlaceholders,
  type PlaceholderScope,
  queryWithPlaceholder,
  type Rendered,
  renderPlaceholders,
  renderText,
} from '../base/placeholders.ts'

/** Fields in which a placeholder alone keeps its value's type; the others are text whatever is put into them. */
const typedFields = new Set(['args', 'block', 'body', 'params', 'pda', 'queryParams', 'value', 'variables'])

export type RenderedProvider = { ok: true; provider: Provider } | { ok: false; issue: Issue }

/** A provider with its placeholders filled in, still of its type, or the one issue that stands against it. */
export function renderProvider(definition: Provider, scope: PlaceholderScope): RenderedProvider {
  const fields: [string, unknown][] = []
  for (const [name, value] of Object.entries(definition)) {
    const rendered = renderField(name, value, scope)
    if (!rendered.ok) return { ok: false, issue: below(name, rendered.issue) }
    fields.push([name, rendered.value])
  }
  const parsed = Provider.safeParse(Object.fromEntries(fields))
  if (parsed.success) return { ok: true, provider: parsed.data }
  const [issue = { path: '', message: 'is not valid' }] = issuesOf(parsed.error)
  return { ok: false, issue }
}

function renderField(name: string, value: unknown, scope: PlaceholderScope): Rendered {
  // Saved before such queries were refused.
  if (name === 'query' && String(value).includes('{{'))
    return { ok: false, issue: { path: '', message: queryWithPlaceholder } }
  if (fieldsWithoutPlaceholders.has(name)) return { ok: true, value }
  if (name === 'url' && typeof value === 'string') return renderText(value, scope, inUrl)
  if (name === 'headers') return renderHeaders(value, scope)
  if (typeof value === 'string' && !typedFields.has(name)) return renderText(value, scope)
  return renderPlaceholders(value, scope)
}

function renderHeaders(headers: unknown, scope: PlaceholderScope): Rendered {
  const fields: [string, unknown][] = []
  for (const [name, value] of Object.entries(headers ?? {})) {
    const rendered = renderText(String(value), scope)
    if (!rendered.ok) return { ok: false, issue: below(name, rendered.issue) }
    fields.push([name, rendered.value])
  }
  return { ok: true, value: headers === undefined ? undefined : Object.fromEntries(fields) }
}

/**
 * What is put into an address fills its place and no more: a name on a chain, which anybody can choose, must not lead
 * to another path or host. At the very start it is the address itself, or its beginning.
 */
function inUrl(value: unknown, before: string): string {
  if (before.trim() === '') return asText(value)
  return encodeURIComponent(asText(value)).replaceAll('%3A', ':').replaceAll('%2C', ',')
}

function below(name: string, { path, message }: Issue): Issue {
  return { path: path === '' ? name : `${name}.${path}`, message }
}
