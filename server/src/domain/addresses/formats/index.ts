/** Address formats of each kind of chain: is a text a valid address, and what is its normal form. */
import { hasWrongChecksum, isEvmAddress } from '../../../engine/sources/evm/address.ts'
import { checkBitcoin } from './bitcoin.ts'
import type { Checked } from './checked.ts'
import { bytesOfWords, decodeBase58, decodeBech32 } from './decode.ts'
import { checkPlain } from './plain.ts'
import { checkSs58 } from './ss58.ts'

export type AddressType = 'plain' | 'ss58' | 'evm' | 'solana' | 'bitcoin' | 'cosmos'

/** `address` is the trimmed input. `normal` is equal for two spellings of one address. */
export type CheckedAddress = { ok: true; address: string; normal: string } | { ok: false; message: string }

const formats: Record<AddressType, (address: string) => Checked> = {
  plain: checkPlain,
  ss58: checkSs58,
  evm: checkEvm,
  solana: checkSolana,
  bitcoin: checkBitcoin,
  cosmos: checkCosmos,
}

export function checkAddress(type: AddressType, address: string): CheckedAddress {
  const trimmed = address.trim()
  if (trimmed === '') return { ok: false, message: 'The address is empty.' }
  const checked = formats[type](trimmed)
  return 'refused' in checked
    ? { ok: false, message: checked.refused }
    : { ok: true, address: trimmed, normal: checked.normal }
}

/** Accounts and validators have 20 bytes, modules and contracts 32. Every chain has its own prefix. */
function checkCosmos(address: string): Checked {
  const decoded = decodeBech32(address)
  if (decoded?.variant !== 'bech32') {
    return { refused: 'The bech32 checksum does not match: a character is wrong, or upper and lower case are mixed.' }
  }
  const length = bytesOfWords(decoded.words)?.length ?? 0
  if (length < 20 || length > 32) return { refused: 'A Cosmos address holds 20 to 32 bytes.' }
  return { normal: address.toLowerCase() }
}

function checkEvm(address: string): Checked {
  if (!isEvmAddress(address)) return { refused: 'An EVM address is 0x and 40 hexadecimal digits.' }
  if (hasWrongChecksum(address))
    return { refused: 'The EIP-55 checksum does not match: a digit or the case of a letter is wrong.' }
  return { normal: address.toLowerCase() }
}

/** A Solana address has no checksum, and base58 has one spelling for each key, so the text is its own normal form. */
function checkSolana(address: string): Checked {
  if (decodeBase58(address)?.length !== 32) return { refused: 'A Solana address is 32 bytes in base58.' }
  return { normal: address }
}
