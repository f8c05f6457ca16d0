import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { valuesMax } from '../base/foreign-json.ts'
import { readBody } from './read-body.ts'

const megabyte = 1024 * 1024
const read = (stream: Readable) =>
  readBody({ stream, encoding: '', declaredBytes: 0, bytesMax: 32 * megabyte, host: 'node.example' })

/** The text in pieces of 64 KiB; `sent` counts the bytes that were read. */
function inPieces(text: string) {
  const pieces = { sent: 0, stream: Readable.from(generate(), { objectMode: true, highWaterMark: 1 }) }
  function* generate() {
    for (let at = 0; at < text.length; at += 65_536) {
      const piece = Buffer.from(text.slice(at, at + 65_536))
      pieces.sent += piece.length
      yield piece
    }
  }
  return pieces
}

test('a body with too many values is not read to its end', async () => {
  const many = inPieces(`[${'{},'.repeat(5 * megabyte)}0]`)
  await expect(read(many.stream)).rejects.toThrow(`more than ${valuesMax} values`)
  expect(many.sent).toBeLessThan(5 * megabyte)
})

test('the commas and brackets in a text are no values, wherever a piece ends', async () => {
  const text = `["${'\\"[{,'.repeat(1.2 * megabyte)}","\\\\"]`
  const large = inPieces(text)
  expect(await read(large.stream)).toBe(text)
  expect(large.sent).toBe(text.length)
})
