import { hasWrongChecksum, isEvmAddress } from '../../../engine/sources/evm/address.ts'
import type { Checked } from './checked.ts'

export function checkEvm(address: string): Checked {
  if (!isEvmAddress(address)) return { refused: 'An EVM address is 0x and 40 hexadecimal digits.' }
  if (hasWrongChecksum(address))
    return { refused: 'The EIP-55 checksum does not match: a digit or the case of a letter is wrong.' }
  return { normal: address.toLowerCase() }
}
