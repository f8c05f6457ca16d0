import { type Issue, issuesOf, Provider } from '@tocsin/contract'
import { hashOf, isObject } from '../base/json.ts'
import {
  asText,
  fieldsWithoutPlaceholders,
  type PlaceholderScope,
  queryWithPlaceholder,
  type Rendered,
  renderPlaceholders,
  renderText,
} from '../base/placeholders.ts'

/** Fields in which a placeholder alone keeps its value's type. All other fields are text. */
const typedFields = new Set(['args', 'block', 'body', 'match', 'params', 'pda', 'queryParams', 'value', 'variables'])

export type RenderedProvider = { ok: true; provider: Provider } | { ok: false; issue: Issue }

/** Fills in the placeholders of a provider and checks that it is still valid. Returns the first issue otherwise. */
export function renderProvider(definition: Provider, scope: PlaceholderScope): RenderedProvider {
  const fields: [string, unknown][] = []
  for (const [name, value] of Object.entries(definition)) {
    const rendered = renderField(name, value, scope)
    if (!rendered.ok) return { ok: false, issue: prefixPath(name, rendered.issue) }
    fields.push([name, rendered.value])
  }
  const parsed = Provider.safeParse(Object.fromEntries(fields))
  if (parsed.success) return { ok: true, provider: parsed.data }
  const [issue = { path: '', message: 'is not valid' }] = issuesOf(parsed.error)
  return { ok: false, issue }
}

function renderField(name: string, value: unknown, scope: PlaceholderScope): Rendered {
  // Old definitions may contain such queries: they were saved before the check existed.
  if (name === 'query' && String(value).includes('{{'))
    return { ok: false, issue: { path: '', message: queryWithPlaceholder } }
  if (fieldsWithoutPlaceholders.has(name)) return { ok: true, value }
  if (name === 'url' && typeof value === 'string') return renderText(value, scope, encodeInUrl)
  if (name === 'headers') return renderHeaders(value, scope)
  if (name === 'cache') return renderCache(value, scope)
  if (typeof value === 'string' && !typedFields.has(name)) return renderText(value, scope)
  return renderPlaceholders(value, scope)
}

function renderHeaders(headers: unknown, scope: PlaceholderScope): Rendered {
  const fields: [string, unknown][] = []
  for (const [name, value] of Object.entries(headers ?? {})) {
    const rendered = renderText(String(value), scope)
    if (!rendered.ok) return { ok: false, issue: prefixPath(name, rendered.issue) }
    fields.push([name, rendered.value])
  }
  return { ok: true, value: headers === undefined ? undefined : Object.fromEntries(fields) }
}

/** Replaces the key by its hash, because a key may be long and may hold a secret. */
function renderCache(cache: unknown, scope: PlaceholderScope): Rendered {
  if (!isObject(cache) || typeof cache.key !== 'string') return { ok: true, value: cache }
  const rendered = renderText(cache.key, scope)
  if (!rendered.ok) return { ok: false, issue: prefixPath('key', rendered.issue) }
  return { ok: true, value: { ...cache, key: hashOf(String(rendered.value)) } }
}

/**
 * Encodes a value inside a URL, because anybody can choose a name on a chain and it must not change the path or the host. At
 * the start of the URL the value is the URL itself, so it is not encoded.
 */
function encodeInUrl(value: unknown, before: string): string {
  if (before.trim() === '') return asText(value)
  return encodeURIComponent(asText(value)).replaceAll('%3A', ':').replaceAll('%2C', ',')
}

function prefixPath(name: string, { path, message }: Issue): Issue {
  return { path: path === '' ? name : `${name}.${path}`, message }
}
