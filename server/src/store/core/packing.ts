import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompressSync } from 'node:zlib'
import { storable, storableJson } from './storable.ts'

/**
 * Job data, compressed when it is large. PostgreSQL parses every character of a job's JSON and compresses it for its
 * pages, which costs more for a chunk of matches than handling the matches. Compressed here, it is one short text.
 */
type Packed = { packed: string }

const packedFromChars = 2_000
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Compresses on another thread, so that this one can go on sending. */
const compress = promisify(zstdCompress)

/** Removes the characters that PostgreSQL cannot store, and compresses large data. */
export async function pack(data: object): Promise<object> {
  const text = storableJson(data)
  if (text.length >= packedFromChars) return { packed: (await compress(text, fastest)).toString('base64') }
  return storable(data)
}

export function unpack<T>(data: T): T {
  return isPacked(data) ? JSON.parse(zstdDecompressSync(Buffer.from(data.packed, 'base64')).toString()) : data
}

function isPacked(data: unknown): data is Packed {
  return typeof data === 'object' && data !== null && 'packed' in data && typeof data.packed === 'string'
}
