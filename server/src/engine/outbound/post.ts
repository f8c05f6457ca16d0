import type { Answer } from './answer-reader.ts'
import type { Call, Endpoint } from './connection.ts'
import type { ConnectionPool } from './connection-pool.ts'
import type { OutboundPost, OutboundResponse } from './door.ts'
import { upstreamError } from './errors.ts'
import { firstHop, ownHeaders } from './hop.ts'
import { UpstreamError } from './upstream-error.ts'

/** A parsed address. `authorization` comes from `user:password@` in the URL. */
type Target = Endpoint & { url: string; path: string; authorization: string | undefined }
const targets = new Map<string, Target>()
const targetsMax = 1_000

/** A serialized request and its options. */
export type Prepared = Pick<Call, 'text' | 'encoding'> & {
  target: Target
  request: Pick<OutboundPost, 'timeoutMs' | 'responseBytesMax' | 'signal'>
}

/**
 * Sends one POST within a deadline. It follows no redirects and keeps at most `responseBytesMax` of the answer. Deliveries
 * send thousands of these, so it writes plain HTTP/1.1 to guarded connections: a general client costs 1.7 times the CPU.
 */
export async function postOnce(
  pool: ConnectionPool,
  address: string,
  request: OutboundPost,
): Promise<OutboundResponse> {
  const prepared = prepare(address, request)
  return new Promise((resolve, reject) => send(pool, prepared, resolve, reject))
}

export function prepare(address: string, request: OutboundPost): Prepared {
  const target = parseTarget(address)
  return { target, request, ...serialize(target, request) }
}

export function send(
  pool: ConnectionPool,
  { target, request, text, encoding }: Prepared,
  resolve: (response: OutboundResponse) => void,
  reject: (error: UpstreamError) => void,
): void {
  const { timeoutMs, signal } = request
  let isRetry = false
  const stopWaiting = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
  const call: Call = {
    text,
    encoding,
    bytesMax: request.responseBytesMax,
    connection: undefined,
    onAnswer(answer: Answer) {
      stopWaiting()
      resolve({ ...answer, url: target.url })
    },
    onFailure(error, mayRepeat) {
      // A server may close an idle connection at the moment it is used again.
      if (mayRepeat && !isRetry) {
        isRetry = true
        pool.send(target, call, true)
        return
      }
      stopWaiting()
      reject(upstreamError(error, { host: target.host, timeoutMs, isTimedOut: false }))
    },
  }
  const onAbort = () => pool.cancel(target, call, cancelledError(target))
  const timer = setTimeout(() => pool.cancel(target, call, timeoutError(target, timeoutMs)), timeoutMs)
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) call.onFailure(cancelledError(target), false)
  else pool.send(target, call, false)
}

function cancelledError({ host }: Endpoint): UpstreamError {
  return new UpstreamError('failed', `The call to ${host} was cancelled.`)
}

function timeoutError({ host }: Endpoint, timeoutMs: number): UpstreamError {
  return new UpstreamError('timeout', `${host} did not answer within ${timeoutMs} ms.`)
}

function parseTarget(address: string): Target {
  const known = targets.get(address)
  if (known) return known
  const { url, headers } = firstHop(address, {})
  const { origin, protocol, hostname, host, port, href } = url
  const path = url.pathname + url.search
  const target = { origin, protocol, hostname, host, port, url: href, path, authorization: headers.authorization }
  if (targets.size >= targetsMax) targets.clear()
  targets.set(address, target)
  return target
}

/** Serializes the request. Refuses a header value that would add another header. */
function serialize(
  { path, host, authorization }: Target,
  { method = 'POST', headers, body }: OutboundPost,
): Pick<Call, 'text' | 'encoding'> {
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\nuser-agent: tocsin\r\n`
  if (authorization !== undefined && headers.authorization === undefined) head += `authorization: ${authorization}\r\n`
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!/^[\w-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value)) throw invalidHeader(host)
    if (!ownHeaders.has(name)) head += `${name}: ${value}\r\n`
  }
  const bytes = Buffer.byteLength(body)
  const text = `${head}content-length: ${bytes}\r\n\r\n${body}`
  // The head is ASCII. If the body is too, latin1 writes it without conversion.
  return { text, encoding: bytes === body.length ? 'latin1' : 'utf8' }
}

function invalidHeader(host: string): UpstreamError {
  return new UpstreamError('failed', `The request to ${host} cannot be sent: a header is not valid.`)
}
