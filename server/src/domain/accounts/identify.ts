import type { TokenRow } from '../../store/identity/tokens.ts'
import type { Store } from '../../store/index.ts'
import type { Account } from '../handler.ts'
import { makeLookUpJwt, type Oidc } from './oidc.ts'
import { accountOf } from './views.ts'

export type Identity = { account: Account; tokenId?: string; tokenKind?: TokenRow['kind'] }
export type Identify = {
  (store: Store, token: string, now: Date): Promise<Identity | undefined>
  /** A token was revoked: whom this process remembers has to be asked about anew. */
  forget(): void
}
export type LookUp = (store: Store, token: string, now: Date) => Promise<Identity | undefined>

const touchEveryMs = 60_000
const rememberMs = 1_000
const rememberedMax = 10_000

/**
 * Token → account. Whom the store named is remembered for a second, so that a burst of requests costs one look-up;
 * a token revoked by another process is refused here a second later at the latest, by this one at once.
 */
export function makeIdentify(oidc: Oidc | undefined): Identify {
  const lookUp = makeLookUp(oidc)
  let remembered = new Map<string, Identity>()
  let sinceMs = 0
  const forget = () => {
    remembered = new Map()
  }
  const identify = async (store: Store, token: string, now: Date) => {
    if (Math.abs(now.getTime() - sinceMs) >= rememberMs) {
      forget()
      sinceMs = now.getTime()
    }
    const known = remembered.get(token)
    if (known) return known
    const memory = remembered
    const identity = await lookUp(store, token, now)
    // Into the memory of when it was asked: one that was forgotten meanwhile stays forgotten.
    if (identity && memory.size < rememberedMax) memory.set(token, identity)
    return identity
  }
  return Object.assign(identify, { forget })
}

/** Our own tokens first; what looks like a JWT goes to the operator's identity provider. */
function makeLookUp(oidc: Oidc | undefined): LookUp {
  const lookUpJwt = oidc && makeLookUpJwt(oidc)
  return async (store, token, now) => {
    if (lookUpJwt && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return lookUpJwt(store, token, now)
    const owner = await store.tokens.findOwner(token, now)
    if (!owner) return undefined
    if (!owner.last_used_at || now.getTime() - owner.last_used_at.getTime() > touchEveryMs)
      await store.tokens.touch(owner.token_id, now)
    return { account: accountOf(owner), tokenId: owner.token_id, tokenKind: owner.token_kind }
  }
}
