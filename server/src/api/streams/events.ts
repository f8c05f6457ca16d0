import { Readable } from 'node:stream'
import type { Route } from '@tocsin/contract'
import type { FastifyRequest } from 'fastify'
import type { Events, ServerEvent, StreamPosition } from '../../domain/answers.ts'
import { header } from '../authenticate.ts'
import type { HttpReply } from '../http-reply.ts'
import type { StreamGuard } from './guard.ts'

const beatMs = 15_000
/** A stream ends after this time, and browsers open it again. */
const streamMs = 15 * 60_000

/** What ends a stream: the service stops, or the caller may read no longer. */
export type StreamEnds = { draining: AbortSignal; guard: StreamGuard }

/**
 * True for routes that only stream, and for callers who accept events. Other callers get the last event as a plain
 * reply.
 */
export function wantsEvents(route: Route, request: FastifyRequest): boolean {
  return route.events === 'only' || header(request, 'accept')?.includes('text/event-stream') === true
}

export function streamReply(events: Events, request: FastifyRequest, limits: StreamEnds): HttpReply {
  const ended = new AbortController()
  request.raw.once('close', () => ended.abort())
  const ends = [ended.signal, limits.draining, AbortSignal.timeout(streamMs)]
  // However the stream ends, the request is closed.
  if (request.identity) ends.push(limits.guard.watch(request.identity, events.workspaceId, ended.signal))
  const signal = AbortSignal.any(ends)
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
  // The work behind the events ends when it sees the signal. The response does not wait for it.
  iterator.return?.().catch(() => undefined)
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
