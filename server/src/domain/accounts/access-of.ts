import { scopeNames } from '@tocsin/contract'
import type { TokenOwner } from '../../store/identity/tokens.ts'
import type { Access } from '../handler.ts'

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
