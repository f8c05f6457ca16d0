import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompressSync } from 'node:zlib'
import { storable, storableText } from './storable.ts'

/**
 * Job data, compressed when it is large. PostgreSQL parses every character of a job's JSON and compresses it for its
 * pages, which costs more for a chunk of matches than handling the matches. Compressed here, it is one short text.
 */
type Packed = { packed: string }

const packedFromChars = 2_000
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** Compresses on another thread, so that this one can go on sending. */
const compress = promisify(zstdCompress)

/**
 * What this process packed a moment ago, by its packed text. A process claims most of the jobs that it adds, and need not
 * decompress and parse those. While the cache is full it takes nothing more, because the oldest jobs are claimed first.
 */
const recent = new Map<string, { data: object; characters: number; untilMs: number }>()
const charactersMax = 4_000_000
const keptMs = 30_000
let characters = 0

/** Removes the characters that PostgreSQL cannot store, and compresses large data. The caller must not change the data any more. */
export async function pack(data: object): Promise<object> {
  const large = encodeLarge(data)
  if (!large) return storable(data)
  const packed = await packText(large)
  if (large.isUnchanged) remember(packed, data, large.characters)
  return { packed }
}

type Encoded = { bytes: Buffer; characters: number; isUnchanged: boolean }

/** Undefined for small data. A function of its own, so that the text is free while the bytes are compressed. */
function encodeLarge(data: object): Encoded | undefined {
  const own = JSON.stringify(data)
  const text = storableText(own)
  if (text.length < packedFromChars) return undefined
  return { bytes: Buffer.from(text), characters: text.length, isUnchanged: text === own }
}

async function packText({ bytes }: Encoded): Promise<string> {
  return (await compress(bytes, fastest)).toString('base64')
}

export function unpack<T>(data: T): T {
  if (!isPacked(data)) return data
  const known = recent.get(data.packed)
  forget(data.packed)
  return known?.data ?? JSON.parse(zstdDecompressSync(Buffer.from(data.packed, 'base64')).toString())
}

function remember(packed: string, data: object, size: number): void {
  const nowMs = performance.now()
  for (const [key, { untilMs }] of recent) {
    if (untilMs > nowMs) break
    forget(key)
  }
  if (characters + size > charactersMax || recent.has(packed)) return
  recent.set(packed, { data, characters: size, untilMs: nowMs + keptMs })
  characters += size
}

function forget(packed: string): void {
  characters -= recent.get(packed)?.characters ?? 0
  recent.delete(packed)
}

function isPacked(data: unknown): data is Packed {
  return typeof data === 'object' && data !== null && 'packed' in data && typeof data.packed === 'string'
}
