import type { Checked } from './checked.ts'
import { bytesOfWords, decodeBech32 } from './decode.ts'

/** Accounts and validators have 20 bytes, modules and contracts 32; the prefix is every chain's own. */
export function checkCosmos(address: string): Checked {
  const decoded = decodeBech32(address)
  if (decoded?.variant !== 'bech32') {
    return { refused: 'The bech32 checksum does not fit: a character is wrong, or the case is mixed.' }
  }
  const length = bytesOfWords(decoded.words)?.length ?? 0
  if (length < 20 || length > 32) return { refused: 'A Cosmos address holds 20 to 32 bytes.' }
  return { normal: address.toLowerCase() }
}
