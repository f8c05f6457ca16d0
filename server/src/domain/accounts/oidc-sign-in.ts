import { newToken } from '../../store/core/secret-box.ts'
import type { BeginVisit, Visit } from '../handler.ts'
import { Refusal } from '../refusal.ts'
import type { OidcClient } from './oidc.ts'
import { personIn } from './oidc.ts'
import { findOrLink, linkTo, type Vouched } from './ownership/link-identity.ts'
import { accountOf } from './read.ts'
import { type Starting, startSession } from './sessions.ts'

/**
 * Sign-in in the browser at the operator's identity provider: authorization code with PKCE, state and nonce. The library is
 * loaded with the first sign-in. The state is in a cookie too, so that nobody can be signed in by a link of somebody else.
 */
export type OidcSignIn = {
  begin: BeginVisit
  /** Ends the visit to the provider. Returns the page that the person wanted, and the session unless they only linked. */
  finish(starting: Starting, callback: URL, state: string): Promise<{ token?: string; next: string }>
}

type Begun = Visit & { verifier: string; nonce: string }

const visitMs = 10 * 60_000
const requestMs = 10_000
const loadOauth = () => import('oauth4webapi')
type Oauth = Awaited<ReturnType<typeof loadOauth>>

export function makeOidcSignIn({ issuer, id, secret }: OidcClient, publicUrl: () => string): OidcSignIn {
  const callbackUrl = () => `${publicUrl()}/api/auth/oidc/callback`
  const client = { client_id: id }
  const insecure = new URL(issuer).protocol === 'http:'
  const optionsOf = (oauth: Oauth) => ({
    signal: AbortSignal.timeout(requestMs),
    [oauth.allowInsecureRequests]: insecure,
  })
  const discover = async (oauth: Oauth) => {
    const url = new URL(issuer)
    return oauth.processDiscoveryResponse(
      url,
      await oauth.discoveryRequest(url, { algorithm: 'oidc', ...optionsOf(oauth) }),
    )
  }
  const askWho = async (oauth: Oauth, callback: URL, state: string, visit: Begun): Promise<Vouched> => {
    const server = await discover(oauth)
    const parameters = oauth.validateAuthResponse(server, client, callback, state)
    const authentication = secret === undefined ? oauth.None() : clientSecret(oauth, server, secret)
    const options = optionsOf(oauth)
    const granted = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        parameters,
        callbackUrl(),
        visit.verifier,
        options,
      ),
      { expectedNonce: visit.nonce, requireIdToken: true },
    )
    const claims = oauth.getValidatedIdTokenClaims(granted)
    if (!claims) throw new Refusal('unauthenticated', 'Your identity provider sent no ID token.')
    const more = server.userinfo_endpoint
      ? await oauth.processUserInfoResponse(
          server,
          client,
          claims.sub,
          await oauth.userInfoRequest(server, client, granted.access_token, options),
        )
      : {}
    const person = personIn({ ...claims, ...more, sub: claims.sub })
    if (!person) throw new Refusal('unauthenticated', 'Your identity provider has not verified your e-mail address.')
    return { ...person, issuer }
  }
  return {
    async begin(store, wish, now) {
      const oauth = await loadOauth()
      const server = await discover(oauth).catch(unreachable)
      const [state, verifier, nonce] = [
        newToken('visit'),
        oauth.generateRandomCodeVerifier(),
        oauth.generateRandomNonce(),
      ]
      const visit: Begun = { verifier, nonce, ...wish }
      await store.challenges.add('oidc', state, visit, new Date(now.getTime() + visitMs))
      const url = new URL(server.authorization_endpoint ?? issuer)
      const query = {
        client_id: id,
        redirect_uri: callbackUrl(),
        response_type: 'code',
        scope: 'openid email profile',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return { url: url.href, state }
    },
    async finish(starting, callback, state) {
      const { store, now } = starting
      const visit = await store.challenges.take<Begun>('oidc', state, now)
      if (!visit || callback.searchParams.get('state') !== state) throw new Refusal('unauthenticated', tooLate)
      const oauth = await loadOauth()
      const person = await askWho(oauth, callback, state, visit).catch((error: unknown) => refuse(oauth, error))
      const { next } = visit
      if (visit.linkTo !== undefined) {
        const { accountId, tokenId } = visit.linkTo
        if (!(await store.tokens.isOf(tokenId, accountId, now))) throw new Refusal('unauthenticated', signedOut)
        await linkTo(starting, person, accountId, 'identity linked')
        return { next }
      }
      const { token } = await startSession(starting, accountOf(await findOrLink(starting, person)))
      return { token, next }
    },
  }
}

const signedOut = 'This account was deleted, or you were signed out while you visited your provider.'
const tooLate = 'The sign-in took too long or was started in another browser. Try again.'

function clientSecret(oauth: Oauth, server: { token_endpoint_auth_methods_supported?: string[] }, secret: string) {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic') ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret)
}

function unreachable(error: Error): never {
  throw new Refusal('upstream_failed', `The identity provider cannot be reached: ${error.message}`)
}

/** The person refused, or the provider answered something that cannot be trusted. Anything else: it did not answer. */
function refuse(oauth: Oauth, error: unknown): never {
  if (error instanceof Refusal) throw error
  if (error instanceof oauth.AuthorizationResponseError)
    throw new Refusal('unauthenticated', 'Your identity provider did not sign you in.')
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.ResponseBodyError)
    throw new Refusal('unauthenticated', 'The reply of your identity provider is not valid. Ask the operator.')
  return unreachable(error instanceof Error ? error : new Error(String(error)))
}
