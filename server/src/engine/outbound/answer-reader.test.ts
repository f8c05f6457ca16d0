import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InvalidHttp } from './answer-head.ts'
import { AnswerReader } from './answer-reader.ts'

/** Reads an answer in pieces of any size; undefined if it is incomplete. */
function read(bytes: Buffer, sizes: readonly number[] = [], bytesMax = 1000, isClosed = false) {
  const reader = new AnswerReader(bytesMax)
  let at = 0
  let isWhole = false
  for (const size of [...sizes, bytes.length]) {
    if (at >= bytes.length || isWhole) break
    isWhole = reader.read(bytes.subarray(at, at + size))
    at += size
  }
  if (isClosed && !isWhole) isWhole = reader.end()
  return isWhole ? { ...reader.answer(), isReusable: reader.isReusable } : undefined
}
const wire = (...lines: string[]) => Buffer.from(lines.join('\r\n'))

const answers: [string, Buffer, object][] = [
  [
    'a length',
    wire('HTTP/1.1 200 OK', 'Content-Length: 5', '', 'hello'),
    { status: 200, text: 'hello', isReusable: true },
  ],
  ['nothing', wire('HTTP/1.1 204 No Content', '', ''), { status: 204, text: '', isReusable: true }],
  ['no words', wire('HTTP/1.1 200', 'content-length:0', '', ''), { status: 200, isReusable: true }],
  [
    'chunks',
    wire('HTTP/1.1 201 Created', 'Transfer-Encoding: chunked', '', '3;a=b', 'hel', '02', 'lo', '0', 'x: y', '', ''),
    { status: 201, text: 'hello', isReusable: true },
  ],
  [
    'an announcement',
    wire('HTTP/1.1 100 Continue', '', 'HTTP/1.1 429 Slow down', 'Retry-After: 3', 'content-length: 0', '', ''),
    { status: 429, headers: { 'retry-after': '3', 'content-length': '0' } },
  ],
  ['a farewell', wire('HTTP/1.1 200 OK', 'Connection: Close', 'content-length: 0', '', ''), { isReusable: false }],
  ['an old server', wire('HTTP/1.0 200 OK', 'content-length: 2', '', 'hi'), { text: 'hi', isReusable: false }],
]

test.each(answers)('an answer with %s is read, however it is cut', (_what, bytes, expected) => {
  expect(read(bytes)).toMatchObject(expected)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 40 }), (sizes) => {
      expect(read(bytes, sizes)).toMatchObject(expected)
    }),
    { numRuns: 50 },
  )
})

test('an answer without a length ends with the connection', () => {
  const bytes = wire('HTTP/1.1 200 OK', '', 'hel', 'lo')
  expect(read(bytes)).toBeUndefined()
  expect(read(bytes, [], 1000, true)).toMatchObject({ status: 200, text: 'hel\r\nlo', isReusable: false })
  const cut = wire('HTTP/1.1 200 OK', 'content-length: 10', '', 'hello')
  expect(read(cut, [], 1000, true)).toBeUndefined()
})

test('a connection with bytes after the answer is not used again', () => {
  const twice = wire('HTTP/1.1 200 OK', 'content-length: 0', '', 'HTTP/1.1 200 OK', 'content-length: 0', '', '')
  expect(read(twice)).toMatchObject({ status: 200, isReusable: false })
})

test('a long answer is kept up to the limit, and an endless one is cut', () => {
  const long = wire('HTTP/1.1 200 OK', 'content-length: 60000', '', 'x'.repeat(60_000))
  expect(read(long, [], 10)).toMatchObject({ text: 'x'.repeat(10), isReusable: true })
  const endless = wire('HTTP/1.1 200 OK', 'content-length: 99999999999', '', 'x'.repeat(70_000))
  expect(read(endless, [], 10)).toMatchObject({ status: 200, text: 'x'.repeat(10), isReusable: false })
})

test.each([
  ['no HTTP', wire('SSH-2.0-OpenSSH', '', '')],
  ['another protocol', wire('HTTP/1.1 101 Switching', '', '')],
  ['two lengths', wire('HTTP/1.1 200 OK', 'content-length: 1', 'content-length: 2', '', 'xx')],
  ['a length that is none', wire('HTTP/1.1 200 OK', 'content-length: +1', '', 'x')],
  ['a length and chunks', wire('HTTP/1.1 200 OK', 'content-length: 1', 'transfer-encoding: chunked', '', '0', '', '')],
  ['an unknown coding', wire('HTTP/1.1 200 OK', 'transfer-encoding: gzip, chunked', '', '0', '', '')],
  ['a size that is none', wire('HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', '-1', '', '')],
  [
    'a chunk that is longer than its size',
    wire('HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', '1', 'xx', '0', ''),
  ],
  ['a folded header', wire('HTTP/1.1 200 OK', 'a: b', ' c', '', '')],
  ['a header without a name', wire('HTTP/1.1 200 OK', ': b', '', '')],
  ['headers without end', Buffer.from(`HTTP/1.1 200 OK\r\na: ${'x'.repeat(20_000)}`)],
])('%s is refused', (_what, bytes) => {
  expect(() => read(bytes)).toThrow(InvalidHttp)
})

test('any input is an answer, an incomplete answer, or refused', () => {
  const pieces = fc.constantFrom(
    'HTTP/1.1 200 OK',
    '\r\n',
    '\r\n\r\n',
    'content-length: 3',
    'transfer-encoding: chunked',
    '3',
    'abc',
    '0',
    ':',
    '\0',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), fc.array(fc.integer({ min: 1, max: 9 })), (parts, sizes) => {
      try {
        const whole = read(Buffer.from(parts.join('')), sizes)
        if (whole) expect(whole.status).toBe(200)
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidHttp)
      }
    }),
    { numRuns: 500 },
  )
})
