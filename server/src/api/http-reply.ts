import { type ErrorBody, errorTable, type Route } from '@tocsin/contract'
import { BytesPage, Page, Picture, Tagged } from '../domain/answers.ts'
import type { Refusal } from '../domain/refusal.ts'
import { nextLink } from './cursors.ts'

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
