import type { Provider } from '@tocsin/contract'
import { rulesOfRead } from '../sources/chains.ts'

const mask = '***'

/** Describes the request for the author. It masks header values, query values, and users and keys in URLs. */
export function describeRequest(provider: Provider): Record<string, unknown> | undefined {
  if (provider.type === 'http') {
    const query = Object.keys(provider.queryParams ?? {}).map((name) => [name, mask])
    const queryParams = query.length > 0 ? { queryParams: Object.fromEntries(query) } : {}
    return { method: provider.method ?? 'GET', ...describeTarget(provider), ...queryParams }
  }
  if (provider.type === 'graphql') return { method: 'POST', ...describeTarget(provider) }
  if (provider.type === 'rpc')
    return {
      transport: provider.transport,
      method: provider.method,
      params: provider.params ?? [],
      ...(provider.transport === 'endpoint' && describeTarget(provider)),
    }
  const fields = rulesOfRead(provider.type)?.reads[provider.type]
  return fields && pick(provider, fields)
}

function describeTarget({ url, headers = {} }: { url: string; headers?: Record<string, string> }) {
  const names = Object.keys(headers)
  const masked = names.length > 0 ? { headers: Object.fromEntries(names.map((name) => [name, mask])) } : {}
  return { url: maskUrl(url), ...masked }
}

export function maskUrl(text: string): string {
  if (!URL.canParse(text)) return mask
  const url = new URL(text)
  const path = url.pathname.split('/').map(maskSegment).join('/')
  const query = [...new Set(url.searchParams.keys())].map((name) => `${encodeURIComponent(name)}=${mask}`).join('&')
  return `${url.protocol}//${url.host}${path}${query === '' ? '' : `?${query}`}`
}

/** Masks a long segment with letters and digits, which may be a key. EVM addresses and hashes begin with 0x and are shown. */
function maskSegment(segment: string): string {
  const isKey = segment.length >= 20 && /\d/.test(segment) && /[a-z]/i.test(segment) && !/^0x[\da-f]+$/i.test(segment)
  return isKey ? mask : segment
}

function pick(provider: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(provider).filter(([name, value]) => names.includes(name) && value !== undefined),
  )
}
