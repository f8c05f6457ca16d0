import { Readable } from 'node:stream'
import type { Route } from '@tocsin/contract'
import type { FastifyRequest } from 'fastify'
import type { Events, ServerEvent, StreamPosition } from '../domain/answers.ts'
import { header } from './authenticate.ts'
import type { HttpReply } from './http-reply.ts'

const beatMs = 15_000
/** A stream ends after this time and browsers open it again, so that an account that signed out is refused. */
const streamMs = 15 * 60_000

/**
 * True for routes that only stream, and for callers who accept events. Other callers get the last event as a plain
 * reply.
 */
export function wantsEvents(route: Route, request: FastifyRequest): boolean {
  return route.events === 'only' || header(request, 'accept')?.includes('text/event-stream') === true
}

export function streamReply(events: Events, request: FastifyRequest, draining: AbortSignal): HttpReply {
  const ended = new AbortController()
  request.raw.once('close', () => ended.abort())
  const signal = AbortSignal.any([ended.signal, draining, AbortSignal.timeout(streamMs)])
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    },
    body: Readable.from(written(events.open(signal), signal), { objectMode: false }),
  }
}

export async function resultReply(events: Events, request: FastifyRequest): Promise<HttpReply> {
  const ended = new AbortController()
  request.raw.once('close', () => ended.abort())
  let last: ServerEvent | undefined
  for await (const event of events.open(ended.signal)) if (event.event !== undefined) last = event
  return { status: 200, headers: {}, body: last?.data }
}

/** A comment line from time to time keeps proxies from closing an idle stream. */
async function* written(
  events: AsyncIterable<ServerEvent | StreamPosition>,
  signal: AbortSignal,
): AsyncIterable<string> {
  yield ': welcome\n\n'
  const iterator = events[Symbol.asyncIterator]()
  let next = iterator.next()
  while (!signal.aborted) {
    const beat = makeHeartbeat(signal)
    const won = await Promise.race([next, beat.over])
    beat.cancel()
    if (won === undefined) {
      if (!signal.aborted) yield ': still here\n\n'
      continue
    }
    if (won.done) return
    yield textOf(won.value)
    next = iterator.next()
  }
  await iterator.return?.()
}

/** Browsers and the SDK keep the last id and send it as `Last-Event-ID` when they connect again. */
function textOf(event: ServerEvent | StreamPosition): string {
  const id = event.id === undefined ? '' : `id: ${event.id}\n`
  return event.event === undefined ? `${id}\n` : `${id}event: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`
}

/** Resolves after the interval, or when the stream must end. */
function makeHeartbeat(signal: AbortSignal): { over: Promise<undefined>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const end = () => resolve(undefined)
  const timer = setTimeout(end, beatMs)
  signal.addEventListener('abort', end, { once: true })
  const cancel = () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
  return { over: promise, cancel }
}
