import { Refusal } from '../domain/refusal.ts'

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
export function nextLink(requestUrl: string, next: string): string {
  const url = new URL(requestUrl, 'http://localhost')
  url.searchParams.set('cursor', encodeCursor(next))
  return `<${url.pathname}${url.search}>; rel="next"`
}
