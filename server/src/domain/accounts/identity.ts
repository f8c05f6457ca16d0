import { scopeNames } from '@tocsin/contract'
import type { TokenOwner, TokenRow } from '../../store/identity/tokens.ts'
import type { Store } from '../../store/index.ts'
import type { Access, Account } from '../handler.ts'

/**
 * The account that a token belongs to. A token of the identity provider has no row, so it has no id here; `endsAt` says until
 * when it is valid.
 */
export type Identity = {
  account: Account
  tokenId?: string
  tokenKind?: TokenRow['kind']
  endsAt?: Date
  access: Access
}
export type FindIdentity = (store: Store, token: string, now: Date) => Promise<Identity | undefined>

/** A session in a browser and a token of the identity provider may do everything that the account may do. */
export const fullAccess: Access = { scopes: scopeNames }

export function accessOf(owner: TokenOwner): Access {
  const { workspace_id: id, workspace: fullname } = owner
  return {
    scopes: owner.scopes ?? scopeNames,
    ...(id !== null && fullname !== null && { workspace: { id, fullname } }),
    // A session may create tokens that outlive it.
    ...(owner.token_kind === 'personal' && owner.expires_at !== null && { expiresAt: owner.expires_at }),
  }
}
