import { checksum } from 'ox/Address'

/** Accepts any case, because the chain compares the bytes. */
export function isEvmAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text)
}

/** An address in a single case has no checksum. In mixed case it has an EIP-55 checksum, which must be right. */
export function hasWrongChecksum(address: string): boolean {
  const digits = address.slice(2)
  const isMixedCase = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  return isMixedCase && checksum(`0x${digits.toLowerCase()}`) !== address
}
