import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import type { Store } from '../../store/index.ts'
import { Refusal } from '../refusal.ts'
import type { LookUp } from './identify.ts'
import { accountOf } from './views.ts'

export type Oidc = { issuer: string; audience: string; jwksUrl?: string | undefined }

/** The provider vouches for a mailbox; the account with that mailbox is the caller's, made at the first visit. */
export function makeLookUpJwt(oidc: Oidc): LookUp {
  let keys: Promise<JWTVerifyGetKey> | undefined
  return async (store, token, now) => {
    keys ??= findKeys(oidc)
    const payload = await verified(token, keys, oidc).catch((error: Error) => {
      keys = undefined
      throw new Refusal('upstream_failed', `The identity provider cannot be reached: ${error.message}`)
    })
    if (!payload || typeof payload.email !== 'string' || payload.email_verified === false) return undefined
    const row = await findOrAdd(store, payload.email, payload.name, now)
    return row && { account: accountOf(row) }
  }
}

async function findOrAdd(store: Store, email: string, name: unknown, now: Date) {
  const called = typeof name === 'string' ? name.slice(0, 120) : email
  return (
    (await store.accounts.findByEmail(email)) ??
    (await store.accounts.add({ email, name: called, passwordHash: null, at: now })) ??
    (await store.accounts.findByEmail(email))
  )
}

/** Whatever is wrong with a stranger's token, the answer is the same: nobody. That the keys are out of reach is another matter. */
async function verified(token: string, keys: Promise<JWTVerifyGetKey>, oidc: Oidc): Promise<JWTPayload | undefined> {
  const { errors, jwtVerify } = await import('jose')
  try {
    const { payload } = await jwtVerify(token, await keys, { issuer: oidc.issuer, audience: oidc.audience })
    return payload
  } catch (error) {
    const isAboutToken = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)
    if (isAboutToken && error.code !== 'ERR_JOSE_GENERIC') return undefined
    throw error
  }
}

/** Loaded when the first such token comes: most installations never see one. */
async function findKeys(oidc: Oidc): Promise<JWTVerifyGetKey> {
  const { createRemoteJWKSet } = await import('jose')
  return createRemoteJWKSet(new URL(oidc.jwksUrl ?? (await discoverJwksUrl(oidc.issuer))))
}

async function discoverJwksUrl(issuer: string): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(address, { signal: AbortSignal.timeout(5_000) })
  const { jwks_uri: url } = (await response.json()) as { jwks_uri?: unknown }
  if (typeof url !== 'string') throw new Error(`${address} names no jwks_uri`)
  return url
}
