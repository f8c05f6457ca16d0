import type { AddressListView } from '@tocsin/contract'
import type * as z from 'zod'
import type { AddressListRow } from '../../../store/identity/address-lists.ts'
import { stackMark } from '../../stack-mark.ts'

export function addressListView(row: AddressListRow): z.output<typeof AddressListView> {
  return {
    id: row.id,
    name: row.name,
    fullname: row.fullname,
    workspace: row.workspace,
    type: row.type,
    addresses: row.addresses,
    meta: row.meta,
    ...stackMark(row.stack),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
