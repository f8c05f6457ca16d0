import type { CheckedAddress } from '../../../engine/sources/chain-rules.ts'
import { bytesOfWords, decodeBech32 } from './bech32.ts'

/** Accounts and validators have 20 bytes, modules and contracts 32. Every chain has its own prefix. */
export function checkCosmos(address: string): CheckedAddress {
  const decoded = decodeBech32(address)
  if (decoded?.variant !== 'bech32') {
    return { refused: 'The bech32 checksum does not match: a character is wrong, or upper and lower case are mixed.' }
  }
  const length = bytesOfWords(decoded.words)?.length ?? 0
  if (length < 20 || length > 32) return { refused: 'A Cosmos address holds 20 to 32 bytes.' }
  return { normal: address.toLowerCase() }
}
