import { checksum } from 'ox/Address'

/** Any case: what a chain compares are the bytes. */
export function isEvmAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text)
}

/** One case throughout says nothing about the digits; mixed case is EIP-55's checksum and must fit. */
export function hasWrongChecksum(address: string): boolean {
  const digits = address.slice(2)
  const isMixedCase = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  return isMixedCase && checksum(`0x${digits.toLowerCase()}`) !== address
}
