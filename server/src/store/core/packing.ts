import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompressSync } from 'node:zlib'
import { storable, storableJson } from './storable.ts'

/**
 * What jobs carry, much of it or little. PostgreSQL reads every letter of a job's data, builds a tree of it and squeezes
 * that for its pages, which for a chunk of matches costs more than all that comes of them; squeezed here, it is one
 * short text. Little is left as it is.
 */
type Packed = { packed: string }

const packedFrom = 2_000
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** On another thread: this one has messages to send. */
const squeeze = promisify(zstdCompress)

/** What cannot be stored is left out of it, whether it is squeezed or not. */
export async function pack(data: object): Promise<object> {
  const text = storableJson(data)
  if (text.length >= packedFrom) return { packed: (await squeeze(text, fast)).toString('base64') }
  return storable(data)
}

export function unpack<T>(data: T): T {
  return isPacked(data) ? JSON.parse(zstdDecompressSync(Buffer.from(data.packed, 'base64')).toString()) : data
}

function isPacked(data: unknown): data is Packed {
  return typeof data === 'object' && data !== null && 'packed' in data && typeof data.packed === 'string'
}
