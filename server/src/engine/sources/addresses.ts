import { hasAddressForm } from '@tocsin/contract'
import type { ChainRules } from './chain-rules.ts'
import { listRules } from './chains.ts'

/** True if the text has the form of an address of the chain. */
export function isAddressOf({ description }: ChainRules, text: string): boolean {
  return hasAddressForm(description.address.form, text)
}

/** True if the text has the form of an address of any chain. */
export function isAnyAddress(text: string): boolean {
  return listRules().some((rules) => isAddressOf(rules, text))
}

/** The chain whose addresses have this type in schemas and in the address book; undefined for the types of no chain. */
export function rulesOfAddressType(type: string): ChainRules | undefined {
  return listRules().find(({ description }) => description.address.type === type)
}

/** Checks only the form: an output shows an address, it does not send money to it. */
export function isAddressOfType(text: string, type: string | undefined): boolean {
  if (type === undefined) return text.length > 0
  const rules = rulesOfAddressType(type)
  if (rules) return rules.isLooseAddress?.(text) ?? isAddressOf(rules, text)
  return type === 'plain' ? text.length > 0 : /^[0-9A-Za-z]{14,128}$/.test(text)
}
