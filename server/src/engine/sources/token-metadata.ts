import type { Provider } from '@tocsin/contract'

export type TokenMetadataProvider = Extract<Provider, { type: 'token_metadata' }>

/** The value of a `token_metadata` provider. A token may have no name or symbol; then the field is null. */
export type TokenMetadata = {
  address: string
  name: string | null
  symbol: string | null
  decimals: number
  standard: 'erc20' | 'erc721' | 'spl' | 'assets'
}

const nameLengthMax = 256

/** Anybody can make a token, so a name may be padded with NUL, be no valid text, or be very long. Null if it is empty. */
export function tokenText(name: Uint8Array | string): string | null {
  const text = typeof name === 'string' ? name : new TextDecoder().decode(name)
  const clean = text.replaceAll(/\0|\uFFFD/g, '').trim()
  return clean === '' ? null : clean.slice(0, nameLengthMax).toWellFormed()
}
