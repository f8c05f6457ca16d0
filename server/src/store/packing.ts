import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/**
 * What jobs carry, much of it or little. PostgreSQL reads every letter of a job's data, builds a tree of it and squeezes
 * that for its pages, which for a chunk of matches costs more than all that comes of them; squeezed here, it is one
 * short text. Little is left as it is.
 */
type Packed = { packed: string }

const packedFrom = 2_000
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

export function pack(data: object): object {
  const text = JSON.stringify(data)
  return text.length < packedFrom ? data : { packed: zstdCompressSync(text, fast).toString('base64') }
}

export function unpack<T>(data: T): T {
  return isPacked(data) ? JSON.parse(zstdDecompressSync(Buffer.from(data.packed, 'base64')).toString()) : data
}

function isPacked(data: unknown): data is Packed {
  return typeof data === 'object' && data !== null && 'packed' in data && typeof data.packed === 'string'
}
