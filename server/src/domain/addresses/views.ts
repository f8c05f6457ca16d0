import type { AddressRow } from '../../store/identity/addresses.ts'

export function addressView(row: AddressRow) {
  return {
    id: row.id,
    type: row.type,
    address: row.address,
    alias: row.alias,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
