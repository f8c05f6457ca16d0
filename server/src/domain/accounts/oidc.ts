import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import type { Engine } from '../../engine/engine.ts'
import { Refusal } from '../refusal.ts'
import { type FindIdentity, fullAccess } from './identity.ts'
import { findOrLink } from './ownership/link-identity.ts'
import { accountOf } from './read.ts'

const subjectMax = 255

/** This service as a client of the identity provider, for sign-in in the browser. */
export type OidcClient = { issuer: string; id: string; secret?: string | undefined }
export type Oidc = { issuer: string; audience: string; jwksUrl?: string | undefined }

/** Finds the account that is linked to the issuer and the subject of a provider's token. */
export function makeFindByJwt(oidc: Oidc, engine: Engine): FindIdentity {
  let keys: Promise<JWTVerifyGetKey> | undefined
  return async (store, token, now) => {
    keys ??= findKeys(oidc)
    const payload = await verified(token, keys, oidc).catch((error: Error) => {
      keys = undefined
      throw new Refusal('upstream_failed', `The identity provider cannot be reached: ${error.message}`)
    })
    const person = payload && personIn(payload)
    if (!person) return undefined
    const telling = { store, engine, now, caller: { ip: '', userAgent: '' } }
    const account = accountOf(await findOrLink(telling, { ...person, issuer: oidc.issuer }))
    const { exp } = payload
    return { account, access: fullAccess, ...(exp !== undefined && { endsAt: new Date(exp * 1_000) }) }
  }
}

type Person = { subject: string; email: string; name: string }

/** Undefined unless the provider has verified the e-mail address. */
export function personIn({ sub: subject, email, email_verified: isVerified, name }: JWTPayload): Person | undefined {
  if (!subject || subject.length > subjectMax || typeof email !== 'string' || isVerified !== true) return undefined
  return { subject, email, name: typeof name === 'string' && name !== '' ? name.slice(0, 120) : email }
}

/** Undefined for every invalid token, so that a caller learns nothing about why. Throws if the keys cannot be loaded. */
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

/** `jose` is imported with the first JWT, because most installations never get one. */
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
