import type { Delivery, Destination, DestinationDeps, HttpAnswer, HttpRequest, Target } from './destination.ts'
import { maskText, maskUrl, secretsOf, withoutTemplateText } from './mask.ts'

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
