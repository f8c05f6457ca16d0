import { headBytesMax, InvalidHttp, readHead } from './answer-head.ts'
import type { OutboundResponse } from './door.ts'

export type Answer = Pick<OutboundResponse, 'status' | 'headers' | 'text'>

const sizeBytesMax = 1024
/** The reader drains this many bytes that the caller does not want, so that the connection stays usable. Then it cuts the answer. */
const drainedBytesMax = 64 * 1024
const lineEnd = Buffer.from('\r\n')

type State = 'head' | 'length' | 'size' | 'chunk' | 'chunk end' | 'trailer' | 'close' | 'done'

/**
 * Parses one HTTP/1.1 answer from chunks of bytes. The end of an answer must be certain, else a caller could get the answer
 * to another request. So the reader refuses a length that is not a number, appears twice, or comes with chunked encoding.
 * States: head → length | close | (size → chunk → chunk end → size … → trailer) → done. Cost: linear in the bytes.
 */
export class AnswerReader {
  /** True if the connection can be used again, for at most `keepAliveMs` of idle time. */
  isReusable = true
  keepAliveMs: number | undefined
  hasBegun = false
  private state: State = 'head'
  private status = 0
  private headers: Record<string, string> = {}
  private buffered: Buffer | undefined
  private bytesLeft = 0
  private bytes = 0
  private readonly bodyChunks: Buffer[] = []
  private readonly bytesMax: number

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  /** Returns true when the answer is complete. */
  read(chunk: Buffer): boolean {
    this.hasBegun = true
    let unread = this.buffered ? Buffer.concat([this.buffered, chunk]) : chunk
    this.buffered = undefined
    while (unread.length > 0 && !this.isDone()) {
      const consumed = this.step(unread)
      if (consumed === 0) {
        this.buffered = unread
        return false
      }
      unread = consumed === unread.length ? unread.subarray(0, 0) : unread.subarray(consumed)
    }
    // The server sent bytes after the answer, so the connection is not used again.
    if (unread.length > 0) this.isReusable = false
    return this.isDone()
  }

  /** The server closed the connection. Returns true if that was the end of the answer. */
  end(): boolean {
    if (this.state === 'close') this.state = 'done'
    return this.isDone()
  }

  answer(): Answer {
    const text = this.bodyChunks.length === 0 ? '' : new TextDecoder().decode(Buffer.concat(this.bodyChunks))
    return { status: this.status, headers: this.headers, text }
  }

  private isDone(): boolean {
    return this.state === 'done'
  }

  /** Returns the number of bytes it consumed; 0 if it needs more bytes. */
  private step(unread: Buffer): number {
    if (this.state === 'head') return this.takeHead(unread)
    if (this.state === 'size') return this.takeSize(unread)
    if (this.state === 'trailer') return this.takeTrailer(unread)
    if (this.state === 'chunk end') return this.takeChunkEnd(unread)
    return this.takeBody(unread)
  }

  private takeHead(unread: Buffer): number {
    const head = readHead(unread)
    if (!head) return 0
    this.status = head.status
    this.headers = head.headers
    // Informational answers (1xx) are skipped.
    if (this.status >= 200) this.begin(head.isOldVersion)
    return head.bytes
  }

  private begin(isOldVersion: boolean): void {
    const {
      connection = isOldVersion ? 'close' : '',
      'content-length': length,
      'transfer-encoding': coding,
    } = this.headers
    this.isReusable = !isOldVersion && !/\bclose\b/i.test(connection)
    const hint = /\btimeout=(\d{1,6})\b/.exec(this.headers['keep-alive'] ?? '')?.[1]
    if (hint !== undefined) this.keepAliveMs = Number(hint) * 1000
    if (this.status === 204 || this.status === 304) this.state = 'done'
    else if (coding !== undefined) this.beginChunks(coding, length)
    else if (length === undefined) this.state = 'close'
    else if (!/^\d{1,15}$/.test(length)) throw new InvalidHttp()
    else {
      this.bytesLeft = Number(length)
      this.state = this.bytesLeft === 0 ? 'done' : 'length'
    }
    if (this.state === 'close') this.isReusable = false
  }

  private beginChunks(coding: string, length: string | undefined): void {
    if (coding.toLowerCase() !== 'chunked' || length !== undefined) throw new InvalidHttp()
    this.state = 'size'
  }

  private takeSize(unread: Buffer): number {
    const end = unread.indexOf(lineEnd)
    if ((end < 0 ? unread.length : end) > sizeBytesMax) throw new InvalidHttp()
    if (end < 0) return 0
    const size = /^([0-9a-f]{1,8})[ \t]*(?:;|$)/i.exec(unread.toString('latin1', 0, end))?.[1]
    if (size === undefined) throw new InvalidHttp()
    this.bytesLeft = Number.parseInt(size, 16)
    this.state = this.bytesLeft === 0 ? 'trailer' : 'chunk'
    return end + lineEnd.length
  }

  private takeChunkEnd(unread: Buffer): number {
    if (unread.length < lineEnd.length) return 0
    if (unread.indexOf(lineEnd) !== 0) throw new InvalidHttp()
    this.state = 'size'
    return lineEnd.length
  }

  /** Skips the headers after the chunks, line by line, until the empty line. */
  private takeTrailer(unread: Buffer): number {
    const end = unread.indexOf(lineEnd)
    this.bytes += Math.max(0, end)
    if ((end < 0 ? unread.length : end) > headBytesMax || this.isTooLong())
      throw new InvalidHttp('UND_ERR_HEADERS_OVERFLOW')
    if (end < 0) return 0
    if (end === 0) this.state = 'done'
    return end + lineEnd.length
  }

  private takeBody(unread: Buffer): number {
    const consumed = this.state === 'close' ? unread.length : Math.min(this.bytesLeft, unread.length)
    if (this.bytes < this.bytesMax)
      this.bodyChunks.push(unread.subarray(0, Math.min(consumed, this.bytesMax - this.bytes)))
    this.bytes += consumed
    this.bytesLeft -= consumed
    if (this.isTooLong()) {
      this.isReusable = false
      this.state = 'done'
    } else if (this.bytesLeft === 0 && this.state !== 'close')
      this.state = this.state === 'chunk' ? 'chunk end' : 'done'
    return consumed
  }

  private isTooLong(): boolean {
    return this.bytes > Math.max(this.bytesMax, drainedBytesMax)
  }
}
