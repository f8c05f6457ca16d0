import type { Issue, TriggerSave } from '@tocsin/contract'
import { checksum } from 'ox/Address'
import { isEvmAddress } from '../addresses.ts'

/** One case throughout says nothing about the digits; mixed case is EIP-55's checksum and must fit. */
export function hasWrongChecksum(address: string): boolean {
  const digits = address.slice(2)
  const isMixedCase = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  return isMixedCase && checksum(`0x${digits.toLowerCase()}`) !== address
}

/** Logs are matched by the bytes of the address, so a save takes any case; a wrong checksum is most often a typing error. */
export function checkContractChecksum({ triggerSpec }: Pick<TriggerSave, 'triggerSpec'>): Issue[] {
  const contract = triggerSpec?.type === 'evm_log' ? triggerSpec.contract : undefined
  if (contract === undefined || !isEvmAddress(contract) || !hasWrongChecksum(contract)) return []
  const message = 'has a wrong EIP-55 checksum: a digit or the case of a letter is wrong'
  return [{ path: 'triggerSpec.contract', message }]
}
