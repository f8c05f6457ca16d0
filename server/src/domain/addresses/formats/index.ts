/** Address formats of each kind of chain: is a text a valid address, and what is its normal form. */
import { checkBitcoin } from './bitcoin.ts'
import type { Checked } from './checked.ts'
import { checkCosmos } from './cosmos.ts'
import { checkEvm } from './evm.ts'
import { checkPlain } from './plain.ts'
import { checkSolana } from './solana.ts'
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
