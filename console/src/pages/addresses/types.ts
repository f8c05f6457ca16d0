import type { Item } from '../../data/api.ts'

export type Address = Item<'listAddresses'>
export type AddressList = Item<'listAddressLists'>

export const addressTypes: { value: Address['type']; label: string; example: string }[] = [
  { value: 'evm', label: 'EVM', example: '0x742d35Cc6634C0532925a3b844Bc454e4438f44e' },
  { value: 'ss58', label: 'Substrate (SS58)', example: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY' },
  { value: 'solana', label: 'Solana', example: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' },
  { value: 'bitcoin', label: 'Bitcoin', example: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' },
  { value: 'cosmos', label: 'Cosmos', example: 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh' },
  { value: 'plain', label: 'Plain text', example: 'anything else' },
]

export function typeLabel(type: Address['type']): string {
  return addressTypes.find(({ value }) => value === type)?.label ?? type
}
