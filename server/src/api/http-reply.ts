import { type ErrorBody, errorTable, type Route, weighs } from '@tocsin/contract'
import type { FastifyInstance } from 'fastify'
import { BytesPage, Page, Picture, Tagged } from '../domain/answers.ts'
import { Refusal } from '../domain/refusal.ts'

/** A response that is ready to be sent. A POST with an Idempotency-Key stores it. */
export type HttpReply = { status: number; headers: Record<string, string | string[]>; body: unknown }

export function toHttpReply(route: Route, answer: unknown, requestUrl: string): HttpReply {
  if (route.reply === 'empty') return { status: 204, headers: {}, body: undefined }
  if (answer instanceof Picture) return pictureReply(answer)
  if (answer instanceof Tagged) return { status: 200, headers: { etag: answer.tag }, body: answer.view }
  if (answer instanceof Page) return { status: 200, headers: pageHeaders(answer, requestUrl), body: answer.items }
  if (answer instanceof BytesPage) return bytesReply(answer, requestUrl)
  return { status: 200, headers: {}, body: answer }
}

function pageHeaders({ next }: { next: string | undefined }, requestUrl: string): Record<string, string> {
  return next === undefined ? {} : { link: nextLink(requestUrl, next) }
}

const [open, comma, close] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')]

function bytesReply(page: BytesPage, requestUrl: string): HttpReply {
  const parts = page.items.flatMap((item, at) => (at === 0 ? [item] : [comma, item]))
  const headers = { 'content-type': 'application/json; charset=utf-8', ...pageHeaders(page, requestUrl) }
  return { status: 200, headers, body: Buffer.concat([open, ...parts, close]) }
}

/** The name of a picture holds its hash, so the content never changes. */
function pictureReply(picture: Picture): HttpReply {
  return {
    status: 200,
    headers: {
      'content-type': picture.contentType,
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
    },
    body: picture.bytes,
  }
}

export function refusalReply(refusal: Refusal, requestId: string): HttpReply {
  const { status } = errorTable[refusal.code]
  const body: ErrorBody = {
    error: {
      code: refusal.code,
      message: refusal.message,
      details: refusal.details ?? {},
      requestId,
    },
  }
  const headers: Record<string, string> = {}
  if (status === 401) headers['www-authenticate'] = 'Bearer'
  if (refusal.retryAfterSeconds !== undefined) headers['retry-after'] = String(refusal.retryAfterSeconds)
  return { status, headers, body }
}

/** A cursor is the encoded last key of a page, opaque to callers. */
export function encodeCursor(key: string): string {
  return Buffer.from(key, 'utf8').toString('base64url')
}

export function decodeCursor(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString('utf8')
  if (encodeCursor(key) !== cursor || key.includes('\0'))
    throw new Refusal('invalid_query', 'The cursor was not issued by this service.', {
      issues: [{ path: 'cursor', message: 'is not a cursor of this list' }],
    })
  return key
}

/** The URL of the next page: the same request with the next cursor. */
function nextLink(requestUrl: string, next: string): string {
  const url = new URL(requestUrl, 'http://localhost')
  url.searchParams.set('cursor', encodeCursor(next))
  return `<${url.pathname}${url.search}>; rel="next"`
}

const answerMegabytesMax = 8
export const answerBytesMax = answerMegabytesMax * 1024 * 1024

/** The JSON of an answer. Values that would be too large are refused before they are written. */
export function toJson(body: unknown): string {
  if (weighs(body, answerBytesMax) > answerBytesMax) throw tooLarge()
  const text = JSON.stringify(body)
  if (Buffer.byteLength(text) > answerBytesMax) throw tooLarge()
  return text
}

function tooLarge(): Refusal {
  const message = `The answer would be larger than ${answerMegabytesMax} MB. Ask for less, such as by a smaller limit.`
  return new Refusal('answer_too_large', message)
}

/** Smaller answers fit into the buffers of the operating system. */
const smallBytes = 64 * 1024
export type WriteLimit = { leastMs: number; bytesPerMs: number }
/** 30 s, and a second for each 100 kB. */
const usualLimit: WriteLimit = { leastMs: 30_000, bytesPerMs: 100 }

/** A reader who takes too long loses the connection, so that nobody fills the memory with answers that are not read. */
export function addWriteLimit(app: FastifyInstance, { leastMs, bytesPerMs }: WriteLimit = usualLimit): void {
  app.addHook<unknown>('onSend', (_request, reply, payload, done) => {
    if ((typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > smallBytes) {
      const timer = setTimeout(() => reply.raw.destroy(), leastMs + payload.length / bytesPerMs).unref()
      reply.raw.once('close', () => clearTimeout(timer))
    }
    done(null, payload)
  })
}
