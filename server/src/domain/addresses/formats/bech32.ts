import { bech32, bech32m } from '@scure/base'

/** The longest text that any format here needs. */
const encodedMax = 90

export type Bech32Text = { variant: 'bech32' | 'bech32m'; prefix: string; words: number[] }

/**
 * The parts of a bech32 or bech32m text in either case; undefined if it is neither. The checksum tells the two apart.
 */
export function decodeBech32(text: string): Bech32Text | undefined {
  if (text.length > encodedMax) return undefined
  const plain = bech32.decodeUnsafe(text)
  if (plain) return { variant: 'bech32', prefix: plain.prefix, words: plain.words }
  const modified = bech32m.decodeUnsafe(text)
  return modified ? { variant: 'bech32m', prefix: modified.prefix, words: modified.words } : undefined
}

/** Five-bit words as bytes; undefined if the padding is too long or not zero. */
export function bytesOfWords(words: number[]): Uint8Array | undefined {
  return bech32.fromWordsUnsafe(words) ?? undefined
}
