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

/** Why a text that a person pasted is not an EVM address, and what to do; undefined if it is one. */
export function whyNotEvmAddress(text: string): string | undefined {
  if (isEvmAddress(text)) {
    if (!hasWrongChecksum(text)) return undefined
    return 'has a wrong checksum: a digit or the case of a letter is wrong. Copy the address again'
  }
  if (/^0x[0-9a-f]{64}$/i.test(text))
    return 'is the hash of a transaction or a block, not an address. Open it in an explorer and copy the address of the contract'
  if (/^0x[0-9a-f]*$/i.test(text)) return `has ${text.length - 2} hex digits, an address has 40. Copy the address again`
  if (/^[1-9A-HJ-NP-Za-km-z]{32,50}$/.test(text))
    return 'is an address of another kind of chain, such as Solana or Polkadot. Choose a source of that chain'
  return 'must be an address: 0x and 40 hex digits'
}
