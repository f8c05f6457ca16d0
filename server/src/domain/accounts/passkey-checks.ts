import { isIP } from 'node:net'
import type { PasskeyAssertion } from '@tocsin/contract'
import type * as z from 'zod'
import type { ChallengeKind } from '../../store/identity/challenges.ts'
import type { PasskeyRow } from '../../store/identity/passkeys.ts'
import type { Store } from '../../store/index.ts'
import type { Context } from '../handler.ts'
import { Refusal } from '../refusal.ts'

/** Passkeys (WebAuthn). The library is loaded with the first use, because most requests need none. */
export const loadWebAuthn = () => import('@simplewebauthn/server')

/** How long a person may take to answer the browser. */
export const challengeMs = 5 * 60_000

export type Assertion = z.output<typeof PasskeyAssertion>
export type ChallengeData = { accountId?: string }
export type Asking = Pick<Context<'createPasskeySignIn'>, 'store' | 'now' | 'settings'>

/** Browsers offer passkeys for a host name over https, and for localhost. */
export function hasPasskeys(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && (protocol === 'https:' || hostname === 'localhost')
}

/** A passkey is bound to the host of PUBLIC_URL. */
export function requireRelyingParty(publicUrl: string): { rpID: string; origin: string } {
  if (!hasPasskeys(publicUrl))
    throw new Refusal('feature_unavailable', 'Passkeys need a PUBLIC_URL with a host name and https.')
  const { hostname, origin } = new URL(publicUrl)
  return { rpID: hostname, origin }
}

/** The options for the browser. The challenge in them works once. */
export async function makeAssertionOptions(
  { store, now, settings }: Asking,
  kind: ChallengeKind,
  asked: { accountId?: string; passkeyIds?: string[] } = {},
) {
  const { rpID } = requireRelyingParty(settings.publicUrl)
  const { generateAuthenticationOptions } = await loadWebAuthn()
  const options = await generateAuthenticationOptions({
    rpID,
    timeout: challengeMs,
    userVerification: kind === 'passkey sign-in' ? 'required' : 'preferred',
    allowCredentials: (asked.passkeyIds ?? []).map((id) => ({ id })),
  })
  const data: ChallengeData = asked.accountId === undefined ? {} : { accountId: asked.accountId }
  await store.challenges.add(kind, options.challenge, data, new Date(now.getTime() + challengeMs))
  return { ...options }
}

/**
 * The passkey that signed the challenge; undefined for every wrong answer. A sign-in without a password needs an
 * authenticator that verified the person, by a PIN or a biometric.
 */
export async function findPasskey(
  { store, now, settings }: Asking,
  kind: ChallengeKind,
  response: Assertion,
): Promise<{ passkey: PasskeyRow; challenge: ChallengeData } | undefined> {
  const { rpID, origin } = requireRelyingParty(settings.publicUrl)
  const passkey = await store.passkeys.find(response.id)
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const taken: { challenge?: ChallengeData } = {}
  if (!passkey) return undefined
  const verified = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: {} },
    expectedChallenge: async (secret) => {
      const challenge = await takeChallenge(store, kind, secret, now)
      if (challenge) taken.challenge = challenge
      return challenge !== undefined
    },
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: kind === 'passkey sign-in',
    credential: {
      id: passkey.id,
      publicKey: Uint8Array.from(Buffer.from(passkey.public_key, 'base64url')),
      counter: Number(passkey.counter),
    },
  }).catch(() => undefined)
  if (!verified?.verified || !taken.challenge) return undefined
  await store.passkeys.recordUse(passkey.id, verified.authenticationInfo.newCounter, now)
  return { passkey, challenge: taken.challenge }
}

export function takeChallenge(store: Store, kind: ChallengeKind, secret: string, now: Date) {
  return store.challenges.take<ChallengeData>(kind, secret, now)
}
