import type { AddressType, AuditAction, Level, Scope } from '@tocsin/contract'
import type { Generated } from 'kysely'
import type * as z from 'zod'
import type { Entity, Json, Sealed, Stamps, Tagging } from './columns.ts'

export type AccountsTable = Stamps & {
  id: string
  email: string
  email_key: string
  name: string
  password_hash: string | null
  /** The time since which the owner is known to read mail at this address. */
  email_verified_at: Generated<Date | null>
  /** True for the operator's account, which the first start creates. */
  is_first: Generated<boolean>
}
export type IdentitiesTable = { issuer: string; subject: string; account_id: string; created_at: Date }
export type TokensTable = {
  id: string
  account_id: string
  kind: 'session' | 'personal'
  name: string
  hash: Buffer
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
  /** Null: all scopes. */
  scopes: Generated<Scope[] | null>
  /** Null: all workspaces of the account. */
  workspace_id: Generated<string | null>
  /** Where a session was started. Empty for personal tokens and where it is not known. */
  ip: Generated<string>
  user_agent: Generated<string>
}
export type IdempotencyKeysTable = {
  account_id: string
  scope: string
  key: string
  /** The status of the finished request. Its reply is null if it was too large to be kept. */
  status: number | null
  reply: Sealed | null
  /** The bytes of the kept reply. */
  size: Generated<number>
  /** Which request used the key, as a keyed hash: a body can hold a password. */
  request_hash: string
  created_at: Date
  /** Set while a request that reaches the network runs: the call that holds the key, and its deadline. */
  claim_id: string | null
  claimed_until: Date | null
}
/** An entry is in the book of an account or of a workspace. */
export type AddressesTable = Entity & {
  id: string
  account_id: string | null
  workspace_id: Generated<string | null>
  changed_by: Generated<string | null>
  type: z.output<typeof AddressType>
  address: string
  normal: string
  alias: string
}
export type AddressListsTable = Entity & {
  id: string
  workspace_id: string
  name: string
  fullname: string
  type: z.output<typeof AddressType>
  addresses: Json<string[]>
  /** The number of addresses, so that a list of lists need not read them. */
  count: number
  meta: Json<{ title: string }>
  stack: string | null
}
export type WorkspacesTable = Entity &
  Tagging & {
    id: string
    fullname: string
    meta: Json<{ title?: string; avatar?: string }>
    invite: Sealed
    invite_hash: Buffer
  }
export type MembersTable = Stamps & { id: string; workspace_id: string; account_id: string; level: Level }
export type AuditEntriesTable = {
  id: string
  seq: Generated<string>
  workspace_id: string
  at: Date
  actor_id: string
  /** The name that the account had at that time. */
  actor_name: string
  action: AuditAction
  fullname: string
  paths: string[]
  ip: string
}
export type InvitationsTable = {
  id: string
  workspace_id: string
  email: string
  email_key: string
  level: Level
  hash: Buffer
  invited_by: string
  /** The name that the account had at that time. */
  invited_by_name: string
  expires_at: Date
  accepted_at: Date | null
  revoked_at: Date | null
  created_at: Date
}
