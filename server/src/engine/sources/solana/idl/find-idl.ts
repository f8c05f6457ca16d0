import { promisify } from 'node:util'
import { inflate, unzip } from 'node:zlib'
import { isObject, parseJson } from '../../../base/json.ts'
import type { FoundIdl } from '../../connection.ts'
import { fetchAccount } from '../account.ts'
import type { Ask } from '../calls.ts'
import { deriveAddress } from '../pda.ts'
import { readIdl } from './read-idl.ts'

const metadataProgram = 'ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S'
const seedBytes = 16

/**
 * Finds the IDL that a program has on the chain: in the account that Anchor derives from the program, else in the program's
 * own account at the Program Metadata program. Without one, `error` says what was tried.
 */
export async function findIdl(ask: Ask, programId: string): Promise<FoundIdl> {
  const { state } = await fetchAccount(ask, programId, undefined)
  if (!state) return nothing(`There is no account ${programId} on this network. Check the address and the source.`)
  if (!state.executable) return nothing(`${programId} is not a program, but an account of ${state.owner}.`)
  const anchor = await findAnchorIdl(ask, programId)
  if (anchor && 'idl' in anchor) return anchor
  const metadata = await findMetadataIdl(ask, programId)
  if (metadata && 'idl' in metadata) return metadata
  const problems = [anchor, metadata].flatMap((found) => (found ? [found.error] : []))
  if (problems.length > 0) return nothing(`${problems.join(' ')} Paste the IDL instead.`)
  return nothing(
    `The program ${programId} has no IDL on the chain: neither an Anchor IDL account nor Program Metadata. Paste the IDL instead.`,
  )
}

function nothing(error: string): FoundIdl {
  return { account: null, idl: null, error }
}

type Found = FoundIdl | { error: string } | undefined

/** The account is owned by the program itself, so only the program's authority can write it. */
async function findAnchorIdl(ask: Ask, programId: string): Promise<Found> {
  const { address, createAddressWithSeed } = await import('@solana/addresses')
  const base = await deriveAddress({ programId, seeds: [] }, undefined)
  const account = await createAddressWithSeed({
    baseAddress: address(base),
    programAddress: address(programId),
    seed: 'anchor:idl',
  })
  const { state, data } = await fetchAccount(ask, account, undefined)
  if (state?.owner !== programId) return undefined
  return toFound(account, 'The Anchor IDL account', await readAnchorAccount(Buffer.from(data, 'base64')))
}

/** The canonical account, which only the program's authority can write. */
async function findMetadataIdl(ask: Ask, programId: string): Promise<Found> {
  const seeds = [
    { type: 'publicKey', value: programId },
    { type: 'bytes', value: [...Buffer.from('idl'.padEnd(seedBytes, '\0'))] },
  ]
  const account = await deriveAddress({ programId: metadataProgram, seeds }, undefined)
  const { state, data } = await fetchAccount(ask, account, undefined)
  if (state?.owner !== metadataProgram) return undefined
  return toFound(account, 'The Program Metadata account', await readMetadataAccount(Buffer.from(data, 'base64')))
}

function toFound(account: string, holder: string, content: IdlContent): Found {
  if ('problem' in content) return { error: `${holder} ${account} ${content.problem}.` }
  const idl = parseObject(content.text)
  if (!idl) return { error: `${holder} ${account} holds no JSON object.` }
  const read = readIdl(idl)
  return { account, idl, ...(!read.ok && { error: `${holder} ${account} holds JSON that ${read.message}.` }) }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The text of an IDL, or a sentence about the account without its subject. */
type IdlContent = { text: string } | { problem: string }

/** The largest IDLs have a few hundred kilobytes. A small account must not expand to gigabytes. */
const textBytesMax = 4 * 1024 * 1024

/** The first eight bytes of the hash of `internal:IdlAccount`. Then an authority of 32 bytes, the length, and the data. */
const anchorDiscriminator = Buffer.from([24, 70, 98, 191, 58, 144, 123, 158])
const anchorLengthAt = 40
const anchorDataAt = 44

/** Reads the account of an Anchor IDL: JSON compressed by zlib. */
async function readAnchorAccount(bytes: Buffer): Promise<IdlContent> {
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
async function readMetadataAccount(bytes: Buffer): Promise<IdlContent> {
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
