import * as z from 'zod'
import { Fullname, Stamped } from './base/common.ts'
import { AddressType } from './chains/chain.ts'

export const AddressSave = z.object({
  type: AddressType,
  address: z.string().max(1024),
  alias: z.string().trim().min(1).max(128),
})
export const AddressEntry = z
  .object({ id: z.string(), type: AddressType, address: z.string(), alias: z.string(), ...Stamped })
  .meta({ id: 'AddressEntry' })

/** The names of addresses on a source. An address without a name is left out of the reply. */
export const AddressNames = z.object({
  source: Fullname,
  addresses: z.array(z.string().trim().min(1).max(255)).min(1).max(100),
})
export const AddressName = z
  .object({ address: z.string(), name: z.string(), from: z.enum(['address-book', 'contract', 'ens']) })
  .meta({ id: 'AddressName' })
export type AddressName = z.output<typeof AddressName>
