import type { TokenRow } from '../../store/identity/tokens.ts'
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
