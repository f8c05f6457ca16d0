import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { UpstreamError } from './upstream-error.ts'

const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }
export const acceptedEncodings = 'gzip, deflate, br'

type Body = {
  stream: Readable
  encoding: string
  declaredBytes: number
  bytesMax: number
  host: string
  take?: TakeChunk
}
type TakeChunk = ((chunk: Uint8Array) => void) | undefined

/** Reads the text of a body. It counts bytes after decompression, so that a compressed bomb hits the limit too. */
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
  let bytes = 0
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) continue
    bytes += chunk.length
    if (bytes > bytesMax) throw tooLarge(host, bytesMax)
    if (take) take(chunk)
    else chunks.push(chunk)
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
