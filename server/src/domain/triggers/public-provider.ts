import { rulesOfRead } from '../../engine/sources/chains.ts'

/**
 * A provider for callers below developer. Keys occur in URLs, headers, bodies, queries, parameters and scripts. So the
 * view lists the fields that hold none, and a new field is hidden by default.
 */
export function publicProvider(provider: Record<string, unknown>): Record<string, unknown> {
  const shown = rulesOfRead(String(provider.type)) ? [...openFields, ...chainFields] : openFields
  const fields = shown.filter((name) => provider[name] !== undefined).map((name) => [name, provider[name]])
  const host = typeof provider.url === 'string' ? hostOf(provider.url) : undefined
  return { ...Object.fromEntries(fields), ...(host !== undefined && { url: host }) }
}

const openFields = ['id', 'type', 'weight', 'timeoutMs', 'outputSchema']
const chainFields = ['source', 'contract', 'method', 'module', 'entry', 'account', 'programId', 'feed', 'maxAgeMs']

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined
}
