import { base58 } from '@scure/base'
import { UpstreamError } from '../../outbound/upstream-error.ts'

type Read = (value: unknown) => Uint8Array | undefined

const seedBytesMax = 32
const readers: Readonly<Record<string, Read>> = {
  string: readText,
  utf8: readText,
  publicKey: readKey,
  pubkey: readKey,
  address: readKey,
  hex: readHex,
  bytes: readBytes,
  base58: readBase58,
  bool: readBool,
  u8: (value) => readInteger(value, 1),
  u16: (value) => readInteger(value, 2),
  u32: (value) => readInteger(value, 4),
  u64: (value) => readInteger(value, 8),
  u128: (value) => readInteger(value, 16),
}

/** A seed of a program-derived address: at most 32 bytes, integers in little-endian order as programs write them. */
export function seedBytes(type: string, value: unknown, path: string): Uint8Array {
  const bytes = Object.hasOwn(readers, type) ? readers[type]?.(value) : undefined
  if (!bytes) throw refused(`${path}: ${show(value)} is not a ${type}.`)
  if (bytes.length > seedBytesMax)
    throw refused(`${path} has ${bytes.length} bytes; a seed has ${seedBytesMax} at most.`)
  return bytes
}

function readText(value: unknown): Uint8Array | undefined {
  return typeof value === 'string' ? Buffer.from(value, 'utf8') : undefined
}

function readKey(value: unknown): Uint8Array | undefined {
  const bytes = readBase58(value)
  return bytes?.length === 32 ? bytes : undefined
}

function readHex(value: unknown): Uint8Array | undefined {
  const digits = typeof value === 'string' ? value.replace(/^0x/i, '') : 'none'
  return /^(?:[0-9a-fA-F]{2})*$/.test(digits) ? Buffer.from(digits, 'hex') : undefined
}

/** A list of numbers, or text as in source items: hex with 0x, or base64. */
function readBytes(value: unknown): Uint8Array | undefined {
  if (Array.isArray(value)) return value.every(isByte) ? Uint8Array.from(value) : undefined
  if (typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value)) return readHex(value)
  const isBase64 =
    typeof value === 'string' && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value)
  return isBase64 ? Buffer.from(value, 'base64') : undefined
}

/** A longer text is not a seed, and decoding base58 costs the square of the length. */
function readBase58(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'string' || value.length > 64) return undefined
  try {
    return base58.decode(value)
  } catch {
    return undefined
  }
}

function readBool(value: unknown): Uint8Array | undefined {
  if (value === true || value === 'true') return Uint8Array.of(1)
  return value === false || value === 'false' ? Uint8Array.of(0) : undefined
}

function readInteger(value: unknown, size: number): Uint8Array | undefined {
  const isInteger = typeof value === 'string' ? /^\d{1,39}$/.test(value) : Number.isSafeInteger(value)
  if (!isInteger) return undefined
  let left = BigInt(String(value))
  if (left < 0n || left >= 1n << BigInt(8 * size)) return undefined
  const bytes = new Uint8Array(size)
  for (let at = 0; at < size; at++, left >>= 8n) bytes[at] = Number(left & 0xffn)
  return bytes
}

function isByte(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80)
}

function refused(message: string): UpstreamError {
  return new UpstreamError('refused', message)
}
