import type { Checked } from './checked.ts'
import { decodeBase58 } from './decode.ts'

/** A Solana address has no checksum, and base58 has one spelling for each key, so the text is its own normal form. */
export function checkSolana(address: string): Checked {
  if (decodeBase58(address)?.length !== 32) return { refused: 'A Solana address is 32 bytes in base58.' }
  return { normal: address }
}
