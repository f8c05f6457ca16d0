import { UpstreamError } from './upstream-error.ts'

/** One request of a fetch: the first, or one that follows a redirect. */
export type Hop = { url: URL; method: string; headers: Record<string, string>; body?: string }

/** Headers that the connection sets itself. A tenant's value would contradict it. */
export const ownHeaders: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

type FirstRequest = { method?: string; headers?: Record<string, string>; body?: string }

export function firstHop(address: string, { method = 'GET', headers = {}, body }: FirstRequest): Hop {
  const url = parseAddress(address, ['http:', 'https:'])
  const sent = { ...authorizationOf(url), ...dropOwnHeaders(headers) }
  return { url: withoutUser(url), method: method.toUpperCase(), headers: sent, body }
}

export function parseAddress(address: string, schemes: string[]): URL {
  const names = schemes.map((scheme) => scheme.slice(0, -1)).join(' and ')
  if (!URL.canParse(address)) throw new UpstreamError('refused', 'The address is not a valid URL.')
  const url = new URL(address)
  if (!schemes.includes(url.protocol)) throw new UpstreamError('refused', `Only ${names} addresses can be called.`)
  return url
}

/** Returns the request that follows a redirect; undefined if the answer is not a redirect. */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  if (!URL.canParse(location, hop.url.href))
    throw new UpstreamError('bad_answer', `${hop.url.host} redirects to an invalid address.`)
  const url = new URL(location, hop.url)
  if (!['http:', 'https:'].includes(url.protocol))
    throw new UpstreamError('refused', `${hop.url.host} redirects to something other than http or https.`)
  const becomesGet = status === 303 || (status <= 302 && hop.method === 'POST')
  // Any header of the tenant may be a secret for the first origin, so another origin gets none of them.
  const headers = url.origin === hop.url.origin ? hop.headers : keepContentType(hop.headers)
  const next = { url: withoutUser(url), headers }
  return becomesGet ? { ...next, method: 'GET' } : { ...next, method: hop.method, body: hop.body }
}

function keepContentType(headers: Record<string, string>): Record<string, string> {
  const type = headers['content-type']
  return type === undefined ? {} : { 'content-type': type }
}

function dropOwnHeaders(headers: Record<string, string>): Record<string, string> {
  const lower = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value])
  return Object.fromEntries(lower.filter(([name]) => !ownHeaders.has(name)))
}

/** `https://user:password@host` means basic authentication. Text with invalid percent-encoding is sent as written. */
export function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const plain = `${decodeOrKeep(username)}:${decodeOrKeep(password)}`
  return { authorization: `Basic ${Buffer.from(plain).toString('base64')}` }
}

function decodeOrKeep(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function withoutUser(url: URL): URL {
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  bare.hash = ''
  return bare
}
