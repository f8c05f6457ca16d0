import { base58 } from '@scure/base'

/** Decoding base58 costs the square of the length, so a long text is refused first. */
export function isSolanaAddress(text: string): boolean {
  if (text.length < 32 || text.length > 44) return false
  try {
    return base58.decode(text).length === 32
  } catch {
    return false
  }
}
