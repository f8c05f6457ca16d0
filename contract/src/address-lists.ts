import * as z from 'zod'
import { Fullname, ListQuery, StackMark, Stamped, Title } from './base/common.ts'
import { AddressType } from './chains/chain.ts'

export const addressListMax = 10_000

/** A list of addresses that belongs to a workspace. Conditions name it, and follow its changes. */
export const AddressListSave = z.object({
  fullname: Fullname,
  workspace: Fullname,
  type: AddressType,
  addresses: z.array(z.string().max(1024)).max(addressListMax),
  meta: z.object({ title: Title }),
})
export type AddressListSave = z.output<typeof AddressListSave>

export const AddressListView = z
  .object({
    id: z.string(),
    name: z.string(),
    fullname: z.string(),
    workspace: z.string(),
    type: AddressType,
    addresses: z.array(z.string()).describe('As entered, each address once'),
    meta: z.object({ title: z.string() }),
    ...StackMark,
    ...Stamped,
  })
  .meta({ id: 'AddressList' })

export const AddressListQuery = ListQuery.extend({ workspace: z.string().max(255).optional() })
