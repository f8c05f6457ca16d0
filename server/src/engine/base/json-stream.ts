/**
 * Parses JSON that comes in pieces, so that a large text is never in memory as a whole. Each object that is an element of a list
 * is passed to `take` as soon as it is complete, and what that returns takes its place; undefined drops it. The caller bounds the
 * memory of what takes the place of another value. Integers beyond 2^53 become decimal strings, like in `exact-json.ts`.
 *
 * States: a value → after it (a comma or the end of its container) → a key → a colon → a value … Cost: linear in the bytes.
 * Memory: the other values, at most `keptBytesMax` by estimate, and one unfinished text.
 */
export type JsonStreamOptions = { take(element: Record<string, unknown>): unknown; keptBytesMax: number }

export class InvalidJson extends Error {}
/** More would have to be kept than is allowed. */
export class JsonTooLarge extends Error {}

type Container =
  | { kind: 'list'; values: unknown[]; keptBefore: number }
  | { kind: 'object'; value: Record<string, unknown>; key: string; keptBefore: number }
/** An unfinished text. `isEscaped`: the next byte belongs to a backslash. */
type Text = { pieces: Buffer[]; hasEscape: boolean; isEscaped: boolean }
type State = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'done'

const depthMax = 64
/** An empty object and its place in a list need 72 bytes, an object with a field or a list of one number 100 to 120. */
const valueBytes = 128
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

export class JsonStream {
  readonly #options: JsonStreamOptions
  readonly #stack: Container[] = []
  #state: State = 'value'
  #result: unknown
  #kept = 0
  #text: Text | undefined
  /** An unfinished number, true, false or null. */
  #word = ''

  constructor(options: JsonStreamOptions) {
    this.#options = options
  }

  write(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    for (let at = 0; at < bytes.length; )
      at = this.#text ? this.#readText(bytes, at, this.#text) : this.#readOther(bytes, at)
  }

  end(): unknown {
    this.#endWord()
    if (this.#state !== 'done') throw new InvalidJson('the text ends too early')
    return this.#result
  }

  /** Returns where to go on. The closing quote is not part of the text. */
  #readText(bytes: Buffer, from: number, text: Text): number {
    const end = text.hasEscape ? findEnd(bytes, from, text) : bytes.indexOf(quote, from)
    const piece = bytes.subarray(from, end < 0 ? bytes.length : end)
    if (!text.hasEscape && piece.includes(backslash)) {
      text.hasEscape = true
      return this.#readText(bytes, from, text)
    }
    // A copy, because a slice would keep the whole chunk in memory.
    if (end < 0) text.pieces.push(Buffer.from(piece))
    this.#count(piece.length)
    if (end < 0) return bytes.length
    this.#text = undefined
    this.#addText(text, piece)
    return end + 1
  }

  #addText({ pieces, hasEscape }: Text, last: Buffer): void {
    const raw = (pieces.length === 0 ? last : Buffer.concat([...pieces, last])).toString('utf8')
    const text = hasEscape ? String(parsed(`"${raw}"`)) : raw
    const open = this.#stack.at(-1)
    const isKey = this.#state === 'key' || this.#state === 'key or end'
    if (open?.kind === 'object' && isKey) {
      open.key = text
      this.#state = 'colon'
    } else this.#addValue(text)
  }

  #readOther(bytes: Buffer, at: number): number {
    const byte = bytes[at] ?? 0
    if (isWordByte(byte)) {
      this.#word += String.fromCharCode(byte)
      if (this.#word.length > 1_000) throw new InvalidJson('a number is too long')
      return at + 1
    }
    this.#endWord()
    if (byte === quote) this.#beginText()
    else if (byte === openList || byte === openObject) this.#open(byte === openList)
    else if (byte === closeList || byte === closeObject) this.#close(byte === closeList)
    else if (byte === comma) this.#next()
    else if (byte === colon) this.#expect('colon', 'value')
    else if (!isSpace(byte)) throw new InvalidJson('an unexpected character')
    return at + 1
  }

  #beginText(): void {
    if (this.#state === 'colon' || this.#state === 'comma or end' || this.#state === 'done')
      throw new InvalidJson('an unexpected text')
    this.#text = { pieces: [], hasEscape: false, isEscaped: false }
  }

  #endWord(): void {
    if (this.#word === '') return
    const word = this.#word
    this.#word = ''
    const value = parsed(word)
    const isUnsafe = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(word)
    this.#addValue(isUnsafe ? word : value)
  }

  #open(isList: boolean): void {
    this.#requireValueHere()
    if (this.#stack.length >= depthMax) throw new InvalidJson('it is nested too deeply')
    const keptBefore = this.#kept
    if (isList) this.#stack.push({ kind: 'list', values: [], keptBefore })
    else this.#stack.push({ kind: 'object', value: {}, key: '', keptBefore })
    this.#state = isList ? 'value or end' : 'key or end'
  }

  #close(isList: boolean): void {
    const open = this.#stack.pop()
    const mayEnd = this.#state === 'comma or end' || this.#state === (isList ? 'value or end' : 'key or end')
    if (!open || (open.kind === 'list') !== isList || !mayEnd)
      throw new InvalidJson('an unexpected end of a list or object')
    this.#state = 'value'
    if (open.kind === 'list') {
      this.#addValue(open.values)
      return
    }
    const isElement = this.#stack.at(-1)?.kind === 'list'
    const kept = isElement ? this.#options.take(open.value) : open.value
    if (kept !== open.value) this.#kept = open.keptBefore
    if (kept === undefined) this.#state = 'comma or end'
    else this.#addValue(kept)
  }

  #next(): void {
    const open = this.#stack.at(-1)
    if (!open) throw new InvalidJson('an unexpected comma')
    this.#expect('comma or end', open.kind === 'list' ? 'value' : 'key')
  }

  #expect(now: State, next: State): void {
    if (this.#state !== now) throw new InvalidJson('an unexpected comma or colon')
    this.#state = next
  }

  #addValue(value: unknown): void {
    this.#requireValueHere()
    this.#count(valueBytes)
    const open = this.#stack.at(-1)
    if (open?.kind === 'list') open.values.push(value)
    else if (open) setField(open.value, open.key, value)
    else this.#result = value
    this.#state = open ? 'comma or end' : 'done'
  }

  #requireValueHere(): void {
    if (this.#state !== 'value' && this.#state !== 'value or end') throw new InvalidJson('an unexpected value')
  }

  #count(bytes: number): void {
    this.#kept += bytes
    if (this.#kept > this.#options.keptBytesMax) throw new JsonTooLarge('the kept values are too large')
  }
}

/** The key "__proto__" is a key like any other, as in JSON.parse. */
function setField(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

/** The closing quote of a text with escapes, or -1. */
function findEnd(bytes: Buffer, from: number, text: Text): number {
  for (let at = from; at < bytes.length; at++) {
    if (text.isEscaped) text.isEscaped = false
    else if (bytes[at] === backslash) text.isEscaped = true
    else if (bytes[at] === quote) return at
  }
  return -1
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidJson('an invalid value')
  }
}

/** Digits, signs, the point, and the letters of true, false, null and exponents. */
function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e ||
    byte === 0x45
  )
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}
