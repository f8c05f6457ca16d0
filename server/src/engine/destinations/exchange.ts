import { isObject } from '../base/json.ts'
import type { Delivery, Destination, DestinationDeps, HttpAnswer, HttpRequest, Target } from './destination.ts'

/** A request or an answer as people see it: without secrets, and cut. */
export type ShownRequest = {
  method: string
  url: string
  headers: Record<string, string>
  body: string
  isCut?: boolean
}
export type ShownResponse = { headers: Record<string, string>; body: string; isCut?: boolean }
/** What one attempt sent and what came back, for channels that use HTTP. */
export type Exchange = { request?: ShownRequest; response?: ShownResponse }

const bodyMax = 2_048
/** More bytes than `bodyMax` characters need, so that a longer answer is marked as cut. */
export const answerBytesMax = 8 * 1_024
const headerMax = 200
/** The values of all other headers of a request may be secret: signatures, and what people set for their receiver. */
const openHeaders = new Set(['content-type', 'webhook-id', 'webhook-timestamp'])
/** Other headers of a response say little about an error, and some hold secrets (cookies). */
const responseHeaders = ['content-type', 'content-length', 'date', 'server', 'retry-after', 'allow', 'x-request-id']
const hidden = '•••'

/** The exchange of an attempt that failed. `answer` is absent if none came. */
export function describeExchange(
  destination: Pick<Destination, 'request'>,
  delivery: Delivery,
  target: Target,
  deps: DestinationDeps,
  answer: HttpAnswer | undefined,
): Exchange {
  const request = destination.request?.(delivery, target, deps)
  if (!request) return {}
  const secrets = secretsOf(target)
  return {
    request: showRequest(request, target, secrets),
    ...(answer && { response: showResponse(answer, secrets) }),
  }
}

function showRequest({ method, url, headers, body }: HttpRequest, { data }: Target, secrets: readonly string[]) {
  const open = typeof data.body === 'string' ? withoutTemplateText(body, data.body) : body
  const shown = Object.entries(headers).map(([name, value]) => [name, openHeaders.has(name) ? value : hidden])
  return { method, url: maskUrl(url), headers: Object.fromEntries(shown), ...cut(maskText(open, secrets)) }
}

function showResponse({ headers, text }: HttpAnswer, secrets: readonly string[]): ShownResponse {
  const kept = responseHeaders.flatMap((name): [string, string][] => {
    const value = headers[name]
    return value === undefined ? [] : [[name, maskText(value, secrets).slice(0, headerMax)]]
  })
  return { headers: Object.fromEntries(kept), ...cut(maskText(text, secrets)) }
}

function cut(text: string): { body: string; isCut?: boolean } {
  return text.length > bodyMax ? { body: text.slice(0, bodyMax).toWellFormed(), isCut: true } : { body: text }
}

/** A shorter text occurs by chance, and hiding it would hide harmless words. */
const secretMin = 6
const segmentMin = 12
const literalMin = 8
/** Characters that PostgreSQL or a terminal cannot show. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g

/** Everything in a resource that must not be shown: its secret, headers, address, and what its setup stored. */
function secretsOf({ data, private: stored }: Target): string[] {
  const { body: _template, ...rest } = data
  const texts = [...textsIn(rest), ...textsIn(stored)]
  const parts = texts.flatMap((text) => [text, ...text.split(' '), ...partsOfUrl(text)])
  const secrets = new Set(parts.filter(({ length }) => length >= secretMin))
  return [...secrets].sort((a, b) => b.length - a.length)
}

/** Hides the secrets, the longest first. */
function maskText(text: string, secrets: readonly string[]): string {
  let masked = text.toWellFormed().replaceAll(control, '�')
  for (const secret of secrets) masked = masked.replaceAll(secret, hidden)
  return masked
}

/** The path and the query of a webhook's URL often are its password. */
function maskUrl(url: string): string {
  const { protocol, host, pathname, search } = new URL(url)
  return `${protocol}//${host}/${pathname === '/' && search === '' ? '' : '…'}`
}

/**
 * Hides the fixed text that people wrote into their own body template, because keys of receivers are often there. Names of
 * fields stay. A value of the alert that also occurs in the template is hidden too.
 */
function withoutTemplateText(json: string, template: string): string {
  const pieces = new Set(piecesOf(template))
  const hide = (run: string) => (piecesOf(run).every((piece) => pieces.has(piece)) ? hidden : run)
  const runs = new RegExp(`[^\\s"]{${literalMin},}`, 'g')
  return json.replaceAll(/"(?:[^"\\]|\\.)*(?:"(\s*:)?)?|\d{8,}/gs, (value, isName: string | undefined) =>
    isName === undefined ? value.replaceAll(runs, hide) : value,
  )
}

/** All pieces of this length. A text in which all occur is taken for a part of the template; to search for it would cost both lengths. */
function piecesOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - literalMin + 1) }, (_, at) => text.slice(at, at + literalMin))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isObject(value) ? Object.values(value).flatMap(textsIn) : []
}

function partsOfUrl(text: string): string[] {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return []
  const { pathname, search, searchParams, username, password } = new URL(text)
  const segments = pathname.split('/').filter(({ length }) => length >= segmentMin)
  return [pathname + search, pathname, username, password, ...segments, ...searchParams.values()]
}
