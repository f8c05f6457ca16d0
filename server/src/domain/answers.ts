import { Refusal } from './refusal.ts'

/** The results that a handler can return besides a plain record. The API turns each into headers and a body. */

/** A record with its ETag, which `If-Match` is compared with. */
export class Tagged<T> {
  readonly view: T
  readonly tag: string
  constructor(view: T, tag: string) {
    this.view = view
    this.tag = tag
  }
}

/** The record itself, for a caller that does not need its ETag. */
export function untagged<T>(answer: T | Tagged<T>): T {
  return answer instanceof Tagged ? answer.view : answer
}

/** One page of a list; `next` is the key after which the next page starts. */
export class Page<T> {
  readonly items: T[]
  readonly next: string | undefined
  constructor(items: T[], next?: string) {
    this.items = items
    this.next = next
  }
}

/** A page whose items are the bytes of JSON already. Making objects of a thousand rows takes longer than writing them. */
export class BytesPage {
  readonly items: Buffer[]
  readonly next: string | undefined
  constructor(items: Buffer[], next?: string) {
    this.items = items
    this.next = next
  }
}

/** Checks the cursor of a list that is ordered by a counter. A number of 18 digits always fits the column. */
export function requireSeqCursor(cursor: string | undefined): string | undefined {
  return requireCursor(cursor, (key) => /^\d{1,18}$/.test(key))
}

/** Refuses a cursor that no page of the list returned. Lists that are ordered by a text accept every text. */
export function requireCursor(cursor: string | undefined, isKey: (key: string) => boolean): string | undefined {
  if (cursor !== undefined && !isKey(cursor))
    throw new Refusal('invalid_query', 'The cursor does not belong to this list.', {
      issues: [{ path: 'cursor', message: 'is not a cursor of this list' }],
    })
  return cursor
}

/**
 * Server-sent events. A route without a reply streams them without an end. A route with a reply sends progress, and its
 * last event, named `result`, is the reply. If a workspace is named, they end for those who leave it.
 */
export class Events {
  readonly open: (signal: AbortSignal) => AsyncIterable<ServerEvent | StreamPosition>
  readonly workspaceId: string | undefined
  constructor(open: (signal: AbortSignal) => AsyncIterable<ServerEvent | StreamPosition>, workspaceId?: string) {
    this.open = open
    this.workspaceId = workspaceId
  }
}
/** `id` is the position after the event, from which a stream can be resumed. */
export type ServerEvent = { event: string; data: unknown; id?: string }
/** A position without an event. */
export type StreamPosition = { id: string; event?: undefined }

export class Picture {
  readonly bytes: Buffer
  readonly contentType: string
  constructor(bytes: Buffer, contentType: string) {
    this.bytes = bytes
    this.contentType = contentType
  }
}

export const done = { ok: true } as const

type Versioned = { id: string; version: number | string }

/** The id changes after delete and re-creation, the version after every save. */
export function tagOf(row: Versioned): string {
  return `"${row.id}.${row.version}"`
}

/** The headers `If-Match` and `If-None-Match`. */
export type Preconditions = { ifMatch: string | undefined; ifNoneMatch: string | undefined }

/** For an existing entity without an ETag: only `*` matches it. */
export function requireAnyMatch({ ifMatch, ifNoneMatch }: Preconditions): void {
  if (ifMatch !== undefined && ifMatch.trim() !== '*') throw new Refusal('precondition_failed')
  if (ifNoneMatch?.trim() === '*') throw new Refusal('precondition_failed', existsAlready)
}

/** Refuses if a precondition does not match the stored row; `undefined` means that no row is stored. */
export function requireMatch({ ifMatch, ifNoneMatch }: Preconditions, row: Versioned | undefined): void {
  if (ifMatch !== undefined && !names(ifMatch, row)) throw new Refusal('precondition_failed')
  if (ifNoneMatch !== undefined && names(ifNoneMatch, row)) throw new Refusal('precondition_failed', existsAlready)
}

const existsAlready = 'It exists already, and If-None-Match forbids that.'

function names(tags: string, row: Versioned | undefined): boolean {
  if (!row) return false
  const named = tags.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return named.includes('*') || named.includes(tagOf(row))
}
