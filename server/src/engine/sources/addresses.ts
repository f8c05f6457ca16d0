import { base58 } from '@scure/base'

/** Any case: what a chain compares are the bytes. */
export function isEvmAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text)
}

/** Base58 costs the square of its length, so a long text is refused before it is decoded. */
export function isSolanaAddress(text: string): boolean {
  if (text.length < 32 || text.length > 44) return false
  try {
    return base58.decode(text).length === 32
  } catch {
    return false
  }
}
