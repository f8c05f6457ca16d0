import type { Readable } from 'node:stream'
import { type Dispatcher, errors, request } from 'undici'
import type { OutboundRequest, OutboundResponse } from './door.ts'
import { upstreamError } from './errors.ts'
import { firstHop, type Hop, nextHop } from './hop.ts'
import { acceptedEncodings, readBody } from './read-body.ts'
import { UpstreamError } from './upstream-error.ts'

const redirectsMax = 5

/** A request, its redirects, each through the same checks, and the answer: all within one deadline. */
export async function fetchThrough(
  agent: Dispatcher,
  address: string,
  asked: OutboundRequest,
): Promise<OutboundResponse> {
  const signal = AbortSignal.timeout(asked.timeoutMs)
  let hop = firstHop(address, asked)
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const taken = await takeHop(agent, hop, asked, signal)
    if (!('method' in taken)) return taken
    hop = taken
  }
  throw new UpstreamError('failed', `${hop.url.host} redirects more than ${redirectsMax} times.`)
}

async function takeHop(
  agent: Dispatcher,
  hop: Hop,
  asked: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse | Hop> {
  const { host } = hop.url
  try {
    const answer = await send(agent, hop, signal)
    const headers = plainHeaders(answer.headers)
    const next = nextHop(hop, answer.statusCode, headers.location)
    if (next) return discard(answer.body, next)
    const text = await readBody({
      stream: answer.body,
      encoding: headers['content-encoding'] ?? '',
      declaredBytes: Number(headers['content-length'] ?? 0),
      bytesMax: asked.responseBytesMax,
      host,
    })
    return { status: answer.statusCode, headers, text, url: hop.url.href }
  } catch (error) {
    throw upstreamError(error, { host, timeoutMs: asked.timeoutMs, isOver: signal.aborted })
  }
}

/** What a redirect says beside its location is not read. */
function discard(body: Readable, next: Hop): Hop {
  body.on('error', () => undefined)
  body.destroy()
  return next
}

/** A server may close an idle connection at the moment it is used again; the same request on a new one is what it meant. */
async function send(agent: Dispatcher, hop: Hop, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  try {
    return await sendOnce(agent, hop, signal)
  } catch (error) {
    if (!wasReused(error) || signal.aborted) throw error
    return sendOnce(agent, hop, signal)
  }
}

/** Only a connection that had answered before has read anything when it is cut without an answer. */
function wasReused(error: unknown): boolean {
  return error instanceof errors.SocketError && (error.socket?.bytesRead ?? 0) > 0
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

function plainHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const known = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  )
  return Object.fromEntries(known)
}
