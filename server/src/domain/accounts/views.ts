import { type AccountView, scopeNames } from '@tocsin/contract'
import type { z } from 'zod'
import type { Access, Account } from '../handler.ts'

export function accountView(account: Account): z.output<typeof AccountView> {
  return { id: account.id, email: account.email, name: account.name, createdAt: account.createdAt.toISOString() }
}

export function accountOf(row: { id: string; email: string; name: string; created_at: Date }): Account {
  return { id: row.id, email: row.email, name: row.name, createdAt: row.created_at }
}

/** Scopes in the order of the table, whatever order they were sent in. */
export function accessView({ scopes, workspace }: Pick<Access, 'scopes' | 'workspace'>) {
  return {
    scopes: scopeNames.filter((scope) => scopes.includes(scope)),
    ...(workspace && { workspace: workspace.fullname }),
  }
}
