import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { tooManyValues, ValueCounter, valuesMax } from '../base/foreign-json.ts'
import { UpstreamError } from './upstream-error.ts'

const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }
export const acceptedEncodings = 'gzip, deflate, br'

/** Only answers of nodes may be larger. Usual ones, which are smaller, are counted when they are parsed. */
const uncountedBytesMax = 4 * 1024 * 1024
/** Chunks of at most 64 KiB each, so that counting those before the limit does not hold up others. */
const countedAtOnce = 8

type Body = {
  stream: Readable
  encoding: string
  declaredBytes: number
  bytesMax: number
  host: string
  take?: TakeChunk
}
type TakeChunk = ((chunk: Uint8Array) => void) | undefined

/**
 * Reads the text of a body. It counts bytes after decompression, so that a compressed bomb hits the limit too. Of a large body
 * it also counts the values: one with too many is not read to its end, because several at once would fill the memory.
 */
export async function readBody({ stream, encoding, declaredBytes, bytesMax, host, take }: Body): Promise<string> {
  // An unread body ends with an error, which must not become an uncaught exception.
  stream.on('error', () => undefined)
  try {
    if (declaredBytes > bytesMax) throw tooLarge(host, bytesMax)
    return await readText(decompress(stream, encoding, host), bytesMax, host, take)
  } finally {
    stream.destroy()
  }
}

async function readText(stream: Readable, bytesMax: number, host: string, take: TakeChunk): Promise<string> {
  const chunks: Buffer[] = []
  const counter = new ValueCounter()
  let [bytes, counted] = [0, 0]
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) continue
    bytes += chunk.length
    if (bytes > bytesMax) throw tooLarge(host, bytesMax)
    if (take) {
      take(chunk)
      continue
    }
    chunks.push(chunk)
    if (bytes <= uncountedBytesMax) continue
    for (const uncounted of chunks.slice(counted, counted + countedAtOnce)) counter.add(uncounted)
    counted = Math.min(chunks.length, counted + countedAtOnce)
    if (counter.values > valuesMax) throw new UpstreamError('too_large', `${host} answered too much: ${tooManyValues}.`)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

function decompress(stream: Readable, encoding: string, host: string): Readable {
  const name = encoding.trim().toLowerCase()
  if (name === '' || name === 'identity') return stream
  const decoder = Object.entries(decoders).find(([known]) => known === name)?.[1]
  if (!decoder)
    throw new UpstreamError('bad_answer', `${host} sent a body in an encoding that the request did not accept.`)
  return pipeline(stream, decoder(), () => undefined)
}

function tooLarge(host: string, bytesMax: number): UpstreamError {
  return new UpstreamError('too_large', `${host} answered more than ${bytesMax} bytes.`)
}
