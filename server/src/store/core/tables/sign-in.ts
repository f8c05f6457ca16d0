import type { ColumnType, Generated } from 'kysely'
import type { Sealed } from './columns.ts'

export type PasswordResetsTable = {
  hash: Buffer
  account_id: string
  /** The address that the link was mailed to. */
  email_key: string
  created_at: Date
  expires_at: Date
}
export type TotpsTable = {
  account_id: string
  secret: Sealed
  created_at: Date
  /** Null until the person entered a first code. */
  confirmed_at: Date | null
  /** The newest time step whose code signed in. A code signs in once. */
  last_step: Generated<number>
}
export type RecoveryCodesTable = { account_id: string; hash: Buffer }
export type PasskeysTable = {
  /** The id of the credential, base64url. */
  id: string
  account_id: string
  name: string
  /** A COSE key, base64url. */
  public_key: string
  /** The driver reads a bigint as text. */
  counter: ColumnType<string, number, number>
  created_at: Date
  last_used_at: Date | null
}
export type ChallengesTable = { hash: Buffer; kind: string; data: Sealed; expires_at: Date }
export type AccountPlacesTable = {
  account_id: string
  /** The id of a token, or `sign-in`. */
  subject: string
  hash: string
  last_seen_at: Date
  /** When the owner was told of the place. */
  told_at: Date | null
}
