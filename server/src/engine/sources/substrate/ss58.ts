import { createHash } from 'node:crypto'
import { decodeShortBase58 } from '../../base/short-base58.ts'
import type { CheckedAddress } from '../chain-rules.ts'

/** Length of the body → length of its checksum, in bytes: account indices, then public keys (33: compressed ECDSA). */
const checksumLengths = new Map([
  [1, 1],
  [2, 1],
  [4, 1],
  [8, 1],
  [32, 2],
  [33, 2],
])

/** The normal form is the public key: one key is one account under every network prefix. */
export function checkSs58(address: string): CheckedAddress {
  const bytes = decodeShortBase58(address)
  if (!bytes) return { refused: 'An SS58 address is text in base58.' }
  const prefixLength = readPrefixLength(bytes)
  if (!prefixLength) return { refused: 'The network prefix of this SS58 address is not valid.' }
  const bodyEnd = findBodyEnd(bytes.length, prefixLength)
  if (!bodyEnd) return { refused: 'An SS58 address holds a public key of 32 or 33 bytes or an account index.' }
  if (!isChecksumRight(bytes, bodyEnd)) return { refused: 'The SS58 checksum does not match: a character is wrong.' }
  return { normal: `0x${Buffer.from(bytes.subarray(prefixLength, bodyEnd)).toString('hex')}` }
}

/**
 * Prefixes 0 to 63 take one byte, 64 to 16383 two. 46 and 47 are reserved, and a first byte of 128 or more is not
 * defined.
 */
function readPrefixLength(bytes: Uint8Array): number | undefined {
  const [first = 255, second = 0] = bytes
  if (first < 64) return first === 46 || first === 47 ? undefined : 1
  if (first > 127) return undefined
  const prefix = ((first & 0x3f) << 2) | (second >> 6) | ((second & 0x3f) << 8)
  return prefix < 64 ? undefined : 2
}

function findBodyEnd(length: number, prefixLength: number): number | undefined {
  for (const [bodyLength, checksumLength] of checksumLengths) {
    if (prefixLength + bodyLength + checksumLength === length) return prefixLength + bodyLength
  }
  return undefined
}

function isChecksumRight(bytes: Uint8Array, bodyEnd: number): boolean {
  const hash = createHash('blake2b512').update('SS58PRE').update(bytes.subarray(0, bodyEnd)).digest()
  const checksum = bytes.subarray(bodyEnd)
  return hash.subarray(0, checksum.length).equals(checksum)
}
