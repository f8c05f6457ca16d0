/** Is a text a valid address, and what is its normal form: by the chains, and for types that no chain here has. */
import type { AddressType } from '@tocsin/contract'
import { rulesOfAddressType } from '../../../engine/sources/addresses.ts'
import type { CheckedAddress } from '../../../engine/sources/chain-rules.ts'
import { checkBitcoin } from './bitcoin.ts'
import { checkCosmos } from './cosmos.ts'
import { checkPlain } from './plain.ts'

/** `address` is the trimmed input. `normal` is equal for two spellings of one address. */
export type ReadAddress = { ok: true; address: string; normal: string } | { ok: false; message: string }

/** Types of the address book whose chains sources do not follow. */
const formats = new Map<AddressType, (address: string) => CheckedAddress>([
  ['plain', checkPlain],
  ['bitcoin', checkBitcoin],
  ['cosmos', checkCosmos],
])

export function checkAddress(type: AddressType, address: string): ReadAddress {
  const trimmed = address.trim()
  if (trimmed === '') return { ok: false, message: 'The address is empty.' }
  const check = rulesOfAddressType(type)?.checkAddress ?? formats.get(type)
  if (!check) throw new Error(`nothing checks addresses of the type ${type}`)
  const checked = check(trimmed)
  return 'refused' in checked
    ? { ok: false, message: checked.refused }
    : { ok: true, address: trimmed, normal: checked.normal }
}
