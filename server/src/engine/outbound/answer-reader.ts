import type { OutboundResponse } from './door.ts'

export type Answer = Pick<OutboundResponse, 'status' | 'headers' | 'text'>

/** What came is no HTTP/1.1 that can be understood in one way only. */
export class NotHttp extends Error {
  readonly code: 'HPE_INVALID' | 'UND_ERR_HEADERS_OVERFLOW'
  constructor(code: NotHttp['code'] = 'HPE_INVALID') {
    super('not HTTP')
    this.code = code
  }
}

const headBytesMax = 16 * 1024
const sizeBytesMax = 1024
/** Of an answer that nobody wants to read so much is still taken in, for the connection's sake; beyond that it is cut. */
const drainedBytesMax = 64 * 1024
const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')

type State = 'head' | 'length' | 'size' | 'chunk' | 'chunk end' | 'trailer' | 'close' | 'done'

/**
 * One answer as it comes off the wire. Where it ends must be beyond doubt, else the next answer of the connection could
 * be another's: a length that is no number or is told twice, or together with chunks, is refused.
 */
export class AnswerReader {
  /** Whether the connection can be used again, and for how long it may rest before. */
  isKept = true
  keptMs: number | undefined
  hasBegun = false
  private state: State = 'head'
  private status = 0
  private headers: Record<string, string> = {}
  private rest: Buffer | undefined
  private left = 0
  private bytes = 0
  private readonly kept: Buffer[] = []
  private readonly bytesMax: number

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  /** True when the answer is whole. */
  read(chunk: Buffer): boolean {
    this.hasBegun = true
    let unread = this.rest ? Buffer.concat([this.rest, chunk]) : chunk
    this.rest = undefined
    while (unread.length > 0 && !this.isDone()) {
      const taken = this.step(unread)
      if (taken === 0) {
        this.rest = unread
        return false
      }
      unread = taken === unread.length ? unread.subarray(0, 0) : unread.subarray(taken)
    }
    // Nobody asked for more than one answer.
    if (unread.length > 0) this.isKept = false
    return this.isDone()
  }

  /** The other side said its last word: true when that was the end of the answer. */
  end(): boolean {
    if (this.state === 'close') this.state = 'done'
    return this.isDone()
  }

  answer(): Answer {
    const text = this.kept.length === 0 ? '' : new TextDecoder().decode(Buffer.concat(this.kept))
    return { status: this.status, headers: this.headers, text }
  }

  private isDone(): boolean {
    return this.state === 'done'
  }

  /** Answers how many bytes it took; none when more are needed first. */
  private step(unread: Buffer): number {
    if (this.state === 'head') return this.takeHead(unread)
    if (this.state === 'size') return this.takeSize(unread)
    if (this.state === 'trailer') return this.takeTrailer(unread)
    if (this.state === 'chunk end') return this.takeChunkEnd(unread)
    return this.takeBody(unread)
  }

  private takeHead(unread: Buffer): number {
    const end = unread.indexOf(headEnd)
    if ((end < 0 ? unread.length : end) > headBytesMax) throw new NotHttp('UND_ERR_HEADERS_OVERFLOW')
    if (end < 0) return 0
    const lines = unread.toString('latin1', 0, end).split('\r\n')
    const [, minor, status] = /^HTTP\/1\.([01]) (\d{3})(?: |$)/.exec(lines[0] ?? '') ?? []
    if (status === undefined || status === '101') throw new NotHttp()
    this.status = Number(status)
    this.headers = headersOf(lines)
    // What only announces the answer is passed over.
    if (this.status >= 200) this.begin(minor === '0')
    return end + headEnd.length
  }

  private begin(isOld: boolean): void {
    const { connection = isOld ? 'close' : '', 'content-length': length, 'transfer-encoding': coding } = this.headers
    this.isKept = !isOld && !/\bclose\b/i.test(connection)
    const hint = /\btimeout=(\d{1,6})\b/.exec(this.headers['keep-alive'] ?? '')?.[1]
    if (hint !== undefined) this.keptMs = Number(hint) * 1000
    if (this.status === 204 || this.status === 304) this.state = 'done'
    else if (coding !== undefined) this.beginChunks(coding, length)
    else if (length === undefined) this.state = 'close'
    else if (!/^\d{1,15}$/.test(length)) throw new NotHttp()
    else {
      this.left = Number(length)
      this.state = this.left === 0 ? 'done' : 'length'
    }
    if (this.state === 'close') this.isKept = false
  }

  private beginChunks(coding: string, length: string | undefined): void {
    if (coding.toLowerCase() !== 'chunked' || length !== undefined) throw new NotHttp()
    this.state = 'size'
  }

  private takeSize(unread: Buffer): number {
    const end = unread.indexOf(lineEnd)
    if ((end < 0 ? unread.length : end) > sizeBytesMax) throw new NotHttp()
    if (end < 0) return 0
    const size = /^([0-9a-f]{1,8})[ \t]*(?:;|$)/i.exec(unread.toString('latin1', 0, end))?.[1]
    if (size === undefined) throw new NotHttp()
    this.left = Number.parseInt(size, 16)
    this.state = this.left === 0 ? 'trailer' : 'chunk'
    return end + lineEnd.length
  }

  private takeChunkEnd(unread: Buffer): number {
    if (unread.length < lineEnd.length) return 0
    if (unread.indexOf(lineEnd) !== 0) throw new NotHttp()
    this.state = 'size'
    return lineEnd.length
  }

  /** Headers behind the chunks are passed over, line by line, until the empty one. */
  private takeTrailer(unread: Buffer): number {
    const end = unread.indexOf(lineEnd)
    this.bytes += Math.max(0, end)
    if ((end < 0 ? unread.length : end) > headBytesMax || this.isTooLong())
      throw new NotHttp('UND_ERR_HEADERS_OVERFLOW')
    if (end < 0) return 0
    if (end === 0) this.state = 'done'
    return end + lineEnd.length
  }

  private takeBody(unread: Buffer): number {
    const taken = this.state === 'close' ? unread.length : Math.min(this.left, unread.length)
    if (this.bytes < this.bytesMax) this.kept.push(unread.subarray(0, Math.min(taken, this.bytesMax - this.bytes)))
    this.bytes += taken
    this.left -= taken
    if (this.isTooLong()) {
      this.isKept = false
      this.state = 'done'
    } else if (this.left === 0 && this.state !== 'close') this.state = this.state === 'chunk' ? 'chunk end' : 'done'
    return taken
  }

  private isTooLong(): boolean {
    return this.bytes > Math.max(this.bytesMax, drainedBytesMax)
  }
}

/** The first line is the status. */
function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let at = 1; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).toLowerCase()
    if (!/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name)) throw new NotHttp()
    const value = line.slice(colon + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return headers
}
