import type { Engine } from '../../engine/engine.ts'
import type { Store } from '../../store/index.ts'
import { accessOf, type FindIdentity, type Identity } from './identity.ts'
import { makeFindByJwt, type Oidc } from './oidc.ts'
import { accountOf } from './read.ts'

export type Identify = {
  (store: Store, token: string, now: Date): Promise<Identity | undefined>
  /** Empties the cache of this process, because a token was revoked. */
  forget(): void
}

const touchEveryMs = 60_000
const cacheMs = 1_000
const cacheSizeMax = 10_000

/**
 * Finds the account of a token. A cache keeps each result for one second, so that a burst of requests costs one query.
 * A token that another process revoked is refused here within a second, one that this process revoked at once.
 */
export function makeIdentify(oidc: Oidc | undefined, engine: Engine): Identify {
  const find = makeFind(oidc, engine)
  let cache = new Map<string, Identity>()
  let filledAtMs = 0
  const forget = () => {
    cache = new Map()
  }
  const identify = async (store: Store, token: string, now: Date) => {
    if (Math.abs(now.getTime() - filledAtMs) >= cacheMs) {
      forget()
      filledAtMs = now.getTime()
    }
    const cached = cache.get(token)
    if (cached) return cached
    const cacheAtStart = cache
    const identity = await find(store, token, now)
    // A revocation during the query replaced the cache: then the result goes into the old cache, which nobody reads.
    if (identity && cacheAtStart.size < cacheSizeMax) cacheAtStart.set(token, identity)
    return identity
  }
  return Object.assign(identify, { forget })
}

/** A token that looks like a JWT belongs to the operator's identity provider, any other to this service. */
function makeFind(oidc: Oidc | undefined, engine: Engine): FindIdentity {
  const findByJwt = oidc && makeFindByJwt(oidc, engine)
  return async (store, token, now) => {
    if (findByJwt && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return findByJwt(store, token, now)
    const owner = await store.tokens.findOwner(token, now)
    if (!owner) return undefined
    if (!owner.last_used_at || now.getTime() - owner.last_used_at.getTime() > touchEveryMs)
      await store.tokens.touch(owner.token_id, now)
    const { token_id: tokenId, token_kind: tokenKind } = owner
    return { account: accountOf(owner), tokenId, tokenKind, access: accessOf(owner) }
  }
}
