import { base58 } from '@scure/base'

/** No address is longer. The cost of base58 is quadratic, so longer text is never decoded. */
const lettersMax = 90

/** The bytes; undefined if the text is not base58. */
export function decodeShortBase58(text: string): Uint8Array | undefined {
  if (text.length > lettersMax) return undefined
  try {
    return base58.decode(text)
  } catch {
    return undefined
  }
}
