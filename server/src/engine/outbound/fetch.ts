import type { Readable } from 'node:stream'
import { type Dispatcher, errors, request } from 'undici'
import { bytesReadBefore } from './connect.ts'
import type { OutboundRequest, OutboundResponse } from './door.ts'
import { firstHop, type Hop, nextHop } from './hop.ts'
import { acceptedEncodings, readBody } from './read-body.ts'
import { UpstreamError, upstreamError } from './upstream-error.ts'

const redirectsMax = 5

/** Sends a request and follows its redirects within one deadline. The guard checks each redirect. */
export async function fetchFollowingRedirects(
  agent: Dispatcher,
  address: string,
  options: OutboundRequest,
): Promise<OutboundResponse> {
  // The timer of `AbortSignal.timeout` would go on after the reply.
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), options.timeoutMs)
  try {
    return await sendHops(agent, firstHop(address, options), options, deadline.signal)
  } finally {
    clearTimeout(timer)
  }
}

async function sendHops(
  agent: Dispatcher,
  first: Hop,
  options: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  let hop = first
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const result = await sendHop(agent, hop, options, signal)
    if (!('method' in result)) return result
    if (options.staysAtOrigin && result.url.origin !== hop.url.origin)
      throw new UpstreamError('refused', `${hop.url.host} redirects to another server.`)
    hop = result
  }
  throw new UpstreamError('failed', `${hop.url.host} redirects more than ${redirectsMax} times.`)
}

async function sendHop(
  agent: Dispatcher,
  hop: Hop,
  options: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse | Hop> {
  const { host } = hop.url
  try {
    const answer = await send(agent, hop, signal)
    const headers = joinHeaderValues(answer.headers)
    const next = nextHop(hop, answer.statusCode, headers.location)
    if (next) return discard(answer.body, next)
    const text = await readBody({
      stream: answer.body,
      encoding: headers['content-encoding'] ?? '',
      declaredBytes: Number(headers['content-length'] ?? 0),
      bytesMax: options.responseBytesMax,
      host,
      take: answer.statusCode < 300 ? options.takeBody : undefined,
    })
    return { status: answer.statusCode, headers, text, url: hop.url.href }
  } catch (error) {
    throw upstreamError(error, { host, timeoutMs: options.timeoutMs, isTimedOut: signal.aborted })
  }
}

/** Discards the body of a redirect. */
function discard(body: Readable, next: Hop): Hop {
  body.on('error', () => undefined)
  body.destroy()
  return next
}

/** A server may close an idle connection just when it is reused. The request is then sent again on a new connection. */
async function send(agent: Dispatcher, hop: Hop, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  try {
    return await sendOnce(agent, hop, signal)
  } catch (error) {
    if (!isReusedConnection(error) || signal.aborted) throw error
    return sendOnce(agent, hop, signal)
  }
}

/** A connection that read bytes before this request has answered an earlier one, so it was reused. */
export function isReusedConnection(error: unknown): boolean {
  const bytesRead = error instanceof errors.SocketError ? error.socket?.bytesRead : bytesReadBefore(error)
  return bytesRead !== undefined && bytesRead > 0
}

function sendOnce(agent: Dispatcher, hop: Hop, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  return request(hop.url, {
    dispatcher: agent,
    method: hop.method,
    headers: { 'user-agent': 'tocsin', ...hop.headers, 'accept-encoding': acceptedEncodings },
    body: hop.body,
    signal,
  })
}

export function joinHeaderValues(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const known = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  )
  return Object.fromEntries(known)
}
