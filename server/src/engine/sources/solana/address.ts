import { decodeShortBase58 } from '../../base/short-base58.ts'

/** Decoding base58 costs the square of the length, so a long text is refused first. */
export function isSolanaAddress(text: string): boolean {
  return text.length >= 32 && text.length <= 44 && decodeShortBase58(text)?.length === 32
}
