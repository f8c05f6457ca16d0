import { checksum } from 'ox/Address'
import type { Checked } from './checked.ts'

/** One case throughout says nothing about the digits; mixed case is EIP-55's checksum and must fit. */
export function checkEvm(address: string): Checked {
  if (!isEvmShaped(address)) return { refused: 'An EVM address is 0x and 40 hexadecimal digits.' }
  const normal = address.toLowerCase()
  if (isMixedCase(address.slice(2)) && checksum(normal) !== address) {
    return { refused: 'The EIP-55 checksum does not fit: a digit or the case of a letter is wrong.' }
  }
  return { normal }
}

function isEvmShaped(address: string): address is `0x${string}` {
  return /^0x[0-9a-fA-F]{40}$/.test(address)
}

function isMixedCase(digits: string): boolean {
  return digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
}
