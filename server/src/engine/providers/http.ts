import type { Issue } from '@tocsin/contract'
import { parseForeignJson } from '../base/foreign-json.ts'
import { JsonTooLarge } from '../base/json-stream.ts'
import { placeholderPattern } from '../base/placeholders.ts'
import type { OutboundResponse } from '../outbound/door.ts'
import { type Call, ProviderFailure, type ProviderOf } from './context.ts'
import { describeTarget, mask } from './describe.ts'
import { providerRules } from './rules.ts'

export const http = providerRules('http', (provider) => {
  const { method = 'GET', queryParams = {} } = provider
  return {
    call: (call) => fetchHttp(provider, call),
    describe() {
      const query = Object.keys(queryParams).map((name) => [name, mask])
      return {
        method,
        ...describeTarget(provider),
        ...(query.length > 0 && { queryParams: Object.fromEntries(query) }),
      }
    },
    check: (path) => checkTarget(provider, path),
    isRead: method === 'GET',
    weight: 2,
  }
})

/** Returns the body as JSON, or as text if it is not JSON. A status outside 2xx fails the provider. */
async function fetchHttp(provider: ProviderOf<'http'>, call: Call): Promise<unknown> {
  const { method = 'GET', headers = {}, body } = provider
  const sent = method === 'GET' ? undefined : bodyText(body)
  const response = await call.context.door.fetch(withQuery(provider.url, provider.queryParams ?? {}), {
    method,
    headers: sent === undefined ? headers : { 'content-type': contentType(body), ...lowerCase(headers) },
    body: sent,
    timeoutMs: call.timeoutMs,
    responseBytesMax: call.responseBytesMax,
  })
  requireSuccess(response)
  return readJsonOrText(response.text)
}

/** The failure contains the beginning of the body, which often has the reason. */
export function requireSuccess({ status, text, url }: OutboundResponse): void {
  if (isSuccess(status)) return
  const bodyStart = text.trim().replaceAll(/\s+/g, ' ').slice(0, 200)
  const isTransient = status >= 500 || status === 429 || status === 408
  throw new ProviderFailure(
    `${new URL(url).host} answered HTTP ${status}${bodyStart === '' ? '' : `: ${bodyStart}`}`,
    isTransient,
    true,
  )
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

async function readJsonOrText(text: string): Promise<unknown> {
  try {
    return await parseForeignJson(text)
  } catch (error) {
    if (error instanceof JsonTooLarge) throw new ProviderFailure(error.message)
    return text
  }
}

type Scalar = string | number | boolean | null

/** Leaves out parameters that are null. */
function withQuery(url: string, params: Record<string, Scalar>): string {
  const given = Object.entries(params).filter(([, value]) => value !== null)
  if (given.length === 0) return url
  if (!URL.canParse(url)) throw new ProviderFailure('url: is not a valid URL once its placeholders are filled in')
  const fullUrl = new URL(url)
  for (const [name, value] of given) fullUrl.searchParams.append(name, String(value))
  return fullUrl.href
}

function bodyText(body: unknown): string | undefined {
  if (body === undefined) return undefined
  return typeof body === 'string' ? body : JSON.stringify(body)
}

function contentType(body: unknown): string {
  return typeof body !== 'string' || /^\s*[[{]/.test(body) ? 'application/json' : 'text/plain; charset=utf-8'
}

export function lowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** Checks the URL and the headers of a request that its author wrote. */
export function checkTarget(
  { url, headers = {} }: { url: string; headers?: Record<string, string> },
  path: string,
): Issue[] {
  return [...checkUrl(url, `${path}.url`), ...checkHeaders(headers, `${path}.headers`)]
}

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const urlMax = 8192

/** Requires http(s), ignoring placeholders. If the URL begins with a placeholder, only a run can check it. */
function checkUrl(url: string, path: string): Issue[] {
  if (url.length > urlMax) return [{ path, message: `must be at most ${urlMax} characters` }]
  if (url.trimStart().startsWith('{{')) return []
  const plain = url.replaceAll(placeholderPattern, '0')
  const isHttp = URL.canParse(plain) && /^https?:$/.test(new URL(plain).protocol)
  return isHttp ? [] : [{ path, message: 'must be an http or https URL' }]
}

/** A line break in a header value would add another header. */
function checkHeaders(headers: Record<string, string>, path: string): Issue[] {
  return Object.entries(headers).flatMap(([name, value]) => [
    ...(headerName.test(name) ? [] : [{ path: `${path}.${name}`, message: 'is not a valid header name' }]),
    ...(hasControls(value) ? [{ path: `${path}.${name}`, message: 'must not contain control characters' }] : []),
  ])
}

function hasControls(text: string): boolean {
  return [...text].some((character) => (character < ' ' && character !== '\t') || character === '\x7f')
}
