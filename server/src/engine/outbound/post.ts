import type { Answer } from './answer-reader.ts'
import type { OutboundPost, OutboundResponse } from './door.ts'
import { upstreamError } from './errors.ts'
import { firstHop, ownHeaders } from './hop.ts'
import type { Call, Place } from './line.ts'
import type { Lines } from './lines.ts'
import { UpstreamError } from './upstream-error.ts'

/** An address taken apart; `authorization` is what stands in it before the host. */
type Target = Place & { url: string; path: string; authorization: string | undefined }
const targets = new Map<string, Target>()
const targetsMax = 1_000

/** A request as it goes over the wire, and what was asked for. */
export type Prepared = Pick<Call, 'text' | 'encoding'> & {
  target: Target
  asked: Pick<OutboundPost, 'timeoutMs' | 'responseBytesMax' | 'signal'>
}

/**
 * One POST within a deadline, for messages that go out by the thousand: redirects are answers, and of the body only as
 * much is kept as was asked for. Plain HTTP/1.1 over guarded connections: a general client costs 1.7 times as much.
 */
export async function postThrough(lines: Lines, address: string, asked: OutboundPost): Promise<OutboundResponse> {
  const prepared = prepare(address, asked)
  return new Promise((resolve, reject) => send(lines, prepared, resolve, reject))
}

export function prepare(address: string, asked: OutboundPost): Prepared {
  const target = targetOf(address)
  return { target, asked, ...textOf(target, asked) }
}

export function send(
  lines: Lines,
  { target, asked, text, encoding }: Prepared,
  resolve: (response: OutboundResponse) => void,
  reject: (error: UpstreamError) => void,
): void {
  const { timeoutMs, signal } = asked
  let isRepeated = false
  const over = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
  const call: Call = {
    text,
    encoding,
    bytesMax: asked.responseBytesMax,
    line: undefined,
    onAnswer(answer: Answer) {
      over()
      resolve({ ...answer, url: target.url })
    },
    onFailure(error, mayRepeat) {
      // A server may close an idle connection at the moment it is used again.
      if (mayRepeat && !isRepeated) {
        isRepeated = true
        lines.carry(target, call, true)
        return
      }
      over()
      reject(upstreamError(error, { host: target.host, timeoutMs, isOver: false }))
    },
  }
  const giveUp = () => lines.giveUp(target, call, givenUp(target))
  const timer = setTimeout(() => lines.giveUp(target, call, tooLate(target, timeoutMs)), timeoutMs)
  signal?.addEventListener('abort', giveUp)
  if (signal?.aborted) call.onFailure(givenUp(target), false)
  else lines.carry(target, call, false)
}

function givenUp({ host }: Place): UpstreamError {
  return new UpstreamError('failed', `Nobody waits for ${host} any longer.`)
}

function tooLate({ host }: Place, timeoutMs: number): UpstreamError {
  return new UpstreamError('timeout', `${host} did not answer within ${timeoutMs} ms.`)
}

function targetOf(address: string): Target {
  const known = targets.get(address)
  if (known) return known
  const { url, headers } = firstHop(address, {})
  const { origin, protocol, hostname, host, port, href } = url
  const path = url.pathname + url.search
  const made = { origin, protocol, hostname, host, port, url: href, path, authorization: headers.authorization }
  if (targets.size >= targetsMax) targets.clear()
  targets.set(address, made)
  return made
}

/** The request as it goes over the wire. What would break out of its header is not sent. */
function textOf(
  { path, host, authorization }: Target,
  { method = 'POST', headers, body }: OutboundPost,
): Pick<Call, 'text' | 'encoding'> {
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\nuser-agent: tocsin\r\n`
  if (authorization !== undefined && headers.authorization === undefined) head += `authorization: ${authorization}\r\n`
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (!/^[\w-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value)) throw badHeader(host)
    if (!ownHeaders.has(name)) head += `${name}: ${value}\r\n`
  }
  const bytes = Buffer.byteLength(body)
  const text = `${head}content-length: ${bytes}\r\n\r\n${body}`
  // The head is ASCII; where the body is, too, it is written as it is in memory.
  return { text, encoding: bytes === body.length ? 'latin1' : 'utf8' }
}

function badHeader(host: string): UpstreamError {
  return new UpstreamError('failed', `The request to ${host} cannot be sent: a header is not valid.`)
}
