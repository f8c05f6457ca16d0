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

/** An entry of the address book of a workspace, and who changed it last. */
export const WorkspaceAddress = AddressEntry.extend({
  workspace: z.string(),
  changedBy: z
    .object({ id: z.string(), name: z.string() })
    .optional()
    .describe('Who changed the entry last; absent if the account is gone.'),
}).meta({ id: 'WorkspaceAddress' })

/** The names of addresses on a source. An address without a name is left out of the reply. */
export const AddressNames = z.object({
  source: Fullname,
  workspace: Fullname.optional().describe('Its address book counts too, after the one of the account.'),
  addresses: z.array(z.string().trim().min(1).max(255)).min(1).max(100),
})
export const AddressName = z
  .object({ address: z.string(), name: z.string(), from: z.enum(['address-book', 'workspace', 'contract', 'ens']) })
  .meta({ id: 'AddressName' })
export type AddressName = z.output<typeof AddressName>
