import { Refusal } from './refusal.ts'

/** What a handler can answer besides a plain record. The API turns each into headers and bytes. */

/** A record with the version that `If-Match` is compared with. */
export class Tagged<T> {
  readonly view: T
  readonly tag: string
  constructor(view: T, tag: string) {
    this.view = view
    this.tag = tag
  }
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

/** For lists in the order of a counter: eighteen digits are all that surely fits its column. */
export function requireSeqCursor(cursor: string | undefined): string | undefined {
  if (cursor !== undefined && !/^\d{1,18}$/.test(cursor))
    throw new Refusal('invalid_query', 'The cursor is not one of this list.')
  return cursor
}

/**
 * What is told while it happens. Without an end it is a stream of its own; before a reply it is progress, and the last
 * event, named `result`, is the reply.
 */
export class Events {
  readonly open: (signal: AbortSignal) => AsyncIterable<ServerEvent>
  constructor(open: (signal: AbortSignal) => AsyncIterable<ServerEvent>) {
    this.open = open
  }
}
export type ServerEvent = { event: string; data: unknown }

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

/** Another id after delete and re-creation, another version after every save. */
export function tagOf(row: Versioned): string {
  return `"${row.id}.${row.version}"`
}

/** What a caller makes a change depend on: the headers `If-Match` and `If-None-Match`. */
export type Preconditions = { ifMatch: string | undefined; ifNoneMatch: string | undefined }

/** For what exists and has no tag of its own: `*` fits it, no other tag can. */
export function requireAnyMatch({ ifMatch, ifNoneMatch }: Preconditions): void {
  if (ifMatch !== undefined && ifMatch.trim() !== '*') throw new Refusal('precondition_failed')
  if (ifNoneMatch?.trim() === '*') throw new Refusal('precondition_failed', existsAlready)
}

/** Refuses when a precondition does not fit what is stored; `undefined` stands for nothing stored. */
export function requireMatch({ ifMatch, ifNoneMatch }: Preconditions, row: Versioned | undefined): void {
  if (ifMatch !== undefined && !names(ifMatch, row)) throw new Refusal('precondition_failed')
  if (ifNoneMatch !== undefined && names(ifNoneMatch, row)) throw new Refusal('precondition_failed', existsAlready)
}

const existsAlready = 'It exists already, which If-None-Match rules out.'

function names(tags: string, row: Versioned | undefined): boolean {
  if (!row) return false
  const named = tags.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return named.includes('*') || named.includes(tagOf(row))
}
