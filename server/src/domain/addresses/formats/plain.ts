import type { CheckedAddress } from '../../../engine/sources/chain-rules.ts'

const charactersMax = 256

/**
 * Any visible text. Refused are control characters, line breaks, marks that change the writing direction (they would
 * show another address than the stored one) and lone surrogates, which the store cannot keep.
 */
const unwritable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Counts code points. A code point has at most two UTF-16 units, so longer text is refused without counting. */
export function checkPlain(address: string): CheckedAddress {
  if (address.length > 2 * charactersMax || [...address].length > charactersMax) {
    return { refused: `An address has at most ${charactersMax} characters.` }
  }
  if (unwritable.test(address)) return { refused: 'An address has no control characters.' }
  return { normal: address.normalize('NFC') }
}
