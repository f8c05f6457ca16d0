import { createHash } from 'node:crypto'
import { decodeShortBase58 } from '../../../engine/base/short-base58.ts'
import type { CheckedAddress } from '../../../engine/sources/chain-rules.ts'
import { type Bech32Text, bytesOfWords, decodeBech32 } from './bech32.ts'

/** P2PKH and P2SH of mainnet, then of testnet, signet and regtest, which share theirs. */
const base58Versions = new Set([0x00, 0x05, 0x6f, 0xc4])

/** Mainnet; testnet and signet; regtest. */
const segwitPrefixes = new Set(['bc', 'tb', 'bcrt'])

export function checkBitcoin(address: string): CheckedAddress {
  // Text that begins like a segwit address is checked as one, so that the message fits what the user meant.
  if (/^(bc|tb|bcrt)1/i.test(address)) return checkSegwit(address)
  return checkBase58(address)
}

/**
 * Version, 20 bytes of hash, 4 bytes of checksum. A payload has only one spelling, so the text is its own normal form.
 */
function checkBase58(address: string): CheckedAddress {
  const bytes = decodeShortBase58(address)
  if (bytes?.length !== 25) return { refused: 'This is neither a base58 nor a bech32 Bitcoin address.' }
  const [version = -1] = bytes
  const checksum = sha256(sha256(bytes.subarray(0, 21))).subarray(0, 4)
  if (!checksum.equals(bytes.subarray(21)))
    return { refused: 'The Bitcoin checksum does not match: a character is wrong.' }
  if (!base58Versions.has(version)) return { refused: 'This base58 address belongs to another chain.' }
  return { normal: address }
}

function checkSegwit(address: string): CheckedAddress {
  const decoded = decodeBech32(address)
  if (!decoded)
    return { refused: 'The bech32 checksum does not match: a character is wrong, or upper and lower case are mixed.' }
  if (!segwitPrefixes.has(decoded.prefix)) return { refused: 'A Bitcoin bech32 address begins with bc1, tb1 or bcrt1.' }
  if (!isWitnessProgram(decoded)) return { refused: 'The witness program of this Bitcoin address is not valid.' }
  return { normal: address.toLowerCase() }
}

/**
 * BIP-173 for version 0, BIP-350 for versions 1 to 16. Version 1 is accepted in every length, not only taproot's 32
 * bytes: BIP-350 allows it, and pay-to-anchor has 2 bytes.
 */
function isWitnessProgram({ variant, words }: Bech32Text): boolean {
  const [version = 17, ...rest] = words
  const length = bytesOfWords(rest)?.length ?? 0
  if (version === 0) return variant === 'bech32' && (length === 20 || length === 32)
  return variant === 'bech32m' && version <= 16 && length >= 2 && length <= 40
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
