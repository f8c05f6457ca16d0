import type { AddressType } from '@tocsin/contract'
import { listChains } from '../data/chains.ts'

type Choice = { value: AddressType; label: string; example: string }

/** Types of addresses whose chains sources do not follow. */
const others: Choice[] = [
  { value: 'bitcoin', label: 'Bitcoin', example: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' },
  { value: 'cosmos', label: 'Cosmos', example: 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh' },
  { value: 'plain', label: 'Plain text', example: 'anything else' },
]

/** The types of addresses as the options of an input, those of the chains first. */
export function addressTypes(): Choice[] {
  return [
    ...listChains().map(({ address: { type, title, example } }) => ({ value: type, label: title, example })),
    ...others,
  ]
}

export function addressTypeLabel(type: AddressType): string {
  return addressTypes().find(({ value }) => value === type)?.label ?? type
}
