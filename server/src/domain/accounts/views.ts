import type { AccountView } from '@tocsin/contract'
import type { z } from 'zod'
import type { Account } from '../handler.ts'

export function accountView(account: Account): z.output<typeof AccountView> {
  return { id: account.id, email: account.email, name: account.name, createdAt: account.createdAt.toISOString() }
}

export function accountOf(row: { id: string; email: string; name: string; created_at: Date }): Account {
  return { id: row.id, email: row.email, name: row.name, createdAt: row.created_at }
}
