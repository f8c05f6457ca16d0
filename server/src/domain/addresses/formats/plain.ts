import type { Checked } from './checked.ts'

const charactersMax = 256

/**
 * Any visible text. Refused with the control characters: line breaks, what turns the direction of writing (it would show
 * another address than the one stored), and halves of a character, which no store can keep.
 */
const unwritable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** Characters are counted as code points; a code point takes at most two units, so longer text is refused uncounted. */
export function checkPlain(address: string): Checked {
  if (address.length > 2 * charactersMax || [...address].length > charactersMax) {
    return { refused: `An address has at most ${charactersMax} characters.` }
  }
  if (unwritable.test(address)) return { refused: 'An address has no control characters.' }
  return { normal: address.normalize('NFC') }
}
