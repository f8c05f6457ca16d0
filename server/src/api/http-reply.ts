import { type ErrorBody, errorTable, type Route } from '@tocsin/contract'
import { Page, Picture, Tagged, TextPage } from '../domain/answers.ts'
import type { Refusal } from '../domain/refusal.ts'
import { nextLink } from './cursors.ts'

/** A response that is ready to be sent. A POST with an Idempotency-Key stores it. */
export type HttpReply = { status: number; headers: Record<string, string | string[]>; body: unknown }

/** A body that is JSON text already. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export function toHttpReply(route: Route, answer: unknown, requestUrl: string): HttpReply {
  if (route.reply === 'empty') return { status: 204, headers: {}, body: undefined }
  if (answer instanceof Picture) return pictureReply(answer)
  if (answer instanceof Tagged) return { status: 200, headers: { etag: answer.tag }, body: answer.view }
  if (answer instanceof Page) return pageReply(answer.items, answer.next, requestUrl)
  if (answer instanceof TextPage) return pageReply(new JsonText(`[${answer.items.join(',')}]`), answer.next, requestUrl)
  return { status: 200, headers: {}, body: answer }
}

function pageReply(body: unknown, next: string | undefined, requestUrl: string): HttpReply {
  const headers: Record<string, string> = next === undefined ? {} : { link: nextLink(requestUrl, next) }
  return { status: 200, headers, body }
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
