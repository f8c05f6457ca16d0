import * as z from 'zod'
import { Stamped } from './base/common.ts'

export const AddressType = z.enum(['plain', 'ss58', 'evm', 'solana', 'bitcoin', 'cosmos'])
export const AddressSave = z.object({
  type: AddressType,
  address: z.string().max(1024),
  alias: z.string().trim().min(1).max(128),
})
export const AddressEntry = z
  .object({ id: z.string(), type: AddressType, address: z.string(), alias: z.string(), ...Stamped })
  .meta({ id: 'AddressEntry' })
