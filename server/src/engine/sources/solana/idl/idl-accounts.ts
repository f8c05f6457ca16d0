import { promisify } from 'node:util'
import { inflate, unzip } from 'node:zlib'

/** The text of an IDL, or a sentence about the account without its subject. */
export type IdlContent = { text: string } | { problem: string }

/** The largest IDLs have a few hundred kilobytes. A small account must not expand to gigabytes. */
const textBytesMax = 4 * 1024 * 1024

/** The first eight bytes of the hash of `internal:IdlAccount`. Then an authority of 32 bytes, the length, and the data. */
const anchorDiscriminator = Buffer.from([24, 70, 98, 191, 58, 144, 123, 158])
const anchorLengthAt = 40
const anchorDataAt = 44

/** Reads the account of an Anchor IDL: JSON compressed by zlib. */
export async function readAnchorAccount(bytes: Buffer): Promise<IdlContent> {
  if (bytes.length < anchorDataAt || !bytes.subarray(0, 8).equals(anchorDiscriminator))
    return { problem: 'holds no IDL of Anchor' }
  const end = anchorDataAt + bytes.readUInt32LE(anchorLengthAt)
  if (end > bytes.length) return { problem: 'is shorter than its own length says' }
  return unpack(bytes.subarray(anchorDataAt, end), promisify(inflate))
}

/** The layout of a metadata account. Before these fields are the program and its authority, 32 bytes each, two flags and the seed. */
const metadataKind = 2
const compressionAt = 84
const formatAt = 85
const dataSourceAt = 86
const metadataLengthAt = 87
const metadataDataAt = 96
const formats = ['none', 'json', 'yaml', 'toml']

/** Reads the account of the Program Metadata program. The stored encoding is that of the bytes, which for JSON is text. */
export async function readMetadataAccount(bytes: Buffer): Promise<IdlContent> {
  if (bytes.length < metadataDataAt || bytes[0] !== metadataKind) return { problem: 'holds no metadata' }
  const format = formats[bytes[formatAt] ?? 0]
  if (format !== 'none' && format !== 'json') return { problem: `holds an IDL as ${format ?? 'an unknown format'}` }
  const dataSource = bytes[dataSourceAt]
  if (dataSource !== 0) return { problem: 'names another place that holds the IDL, which is not read' }
  const end = metadataDataAt + bytes.readUInt32LE(metadataLengthAt)
  if (end > bytes.length) return { problem: 'is shorter than its own length says' }
  const data = bytes.subarray(metadataDataAt, end)
  const compression = bytes[compressionAt]
  if (compression === 0) return { text: data.toString('utf8') }
  // The values mean gzip and zlib; the data itself tells which.
  if (compression === 1 || compression === 2) return unpack(data, promisify(unzip))
  return { problem: 'is compressed in an unknown way' }
}

type Unpack = (data: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

async function unpack(data: Buffer, decompress: Unpack): Promise<IdlContent> {
  try {
    return { text: (await decompress(data, { maxOutputLength: textBytesMax })).toString('utf8') }
  } catch (error) {
    const isTooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    return {
      problem: isTooLarge
        ? `holds an IDL of more than ${textBytesMax} bytes`
        : 'holds data that cannot be decompressed',
    }
  }
}
