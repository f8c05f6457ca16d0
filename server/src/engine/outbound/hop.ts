import { UpstreamError } from './upstream-error.ts'

/** One request on the way to an answer: the first, or one that a redirect asked for. */
export type Hop = { url: URL; method: string; headers: Record<string, string>; body?: string }

/** What the connection itself decides; a tenant's value would contradict it. */
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

type Asked = { method?: string; headers?: Record<string, string>; body?: string }

export function firstHop(address: string, { method = 'GET', headers = {}, body }: Asked): Hop {
  const url = parseAddress(address, ['http:', 'https:'])
  const sent = { ...authorizationOf(url), ...sendable(headers) }
  return { url: withoutUser(url), method: method.toUpperCase(), headers: sent, body }
}

export function parseAddress(address: string, schemes: string[]): URL {
  const names = schemes.map((scheme) => scheme.slice(0, -1)).join(' and ')
  if (!URL.canParse(address)) throw new UpstreamError('refused', 'The address is not a valid URL.')
  const url = new URL(address)
  if (!schemes.includes(url.protocol)) throw new UpstreamError('refused', `Only ${names} addresses can be called.`)
  return url
}

/** Where a redirect leads; undefined when the answer is one to keep. */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  if (!URL.canParse(location, hop.url.href)) throw new UpstreamError('bad_answer', `${hop.url.host} redirects nowhere.`)
  const url = new URL(location, hop.url)
  if (!['http:', 'https:'].includes(url.protocol))
    throw new UpstreamError('refused', `${hop.url.host} redirects to something other than http or https.`)
  const turnsIntoGet = status === 303 || (status <= 302 && hop.method === 'POST')
  // Keys and cookies were meant for the origin that the tenant wrote; any header of his may be one.
  const headers = url.origin === hop.url.origin ? hop.headers : contentType(hop.headers)
  const next = { url: withoutUser(url), headers }
  return turnsIntoGet ? { ...next, method: 'GET' } : { ...next, method: hop.method, body: hop.body }
}

function contentType(headers: Record<string, string>): Record<string, string> {
  const type = headers['content-type']
  return type === undefined ? {} : { 'content-type': type }
}

function sendable(headers: Record<string, string>): Record<string, string> {
  const lower = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value])
  return Object.fromEntries(lower.filter(([name]) => !ownHeaders.has(name)))
}

/** `https://user:password@host` means basic authentication; a password that is not well encoded is sent as written. */
export function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const plain = `${decoded(username)}:${decoded(password)}`
  return { authorization: `Basic ${Buffer.from(plain).toString('base64')}` }
}

function decoded(text: string): string {
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
