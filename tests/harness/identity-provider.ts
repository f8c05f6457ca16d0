import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

const client = { id: 'tocsin', secret: 'a-secret-of-the-client' }

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>

/** A real identity provider on this machine. Anybody signs in there by a name alone. */
export async function startIdentityProvider() {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = {
    issuer,
    /** Tells whether the provider has verified the e-mail addresses. */
    isVerified: true,
    /** The options of a service that uses this provider. */
    variables: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret },
    /** Accepts the service at this address as its client. */
    serve: (url: string) => {
      const oidc = new Provider(issuer, {
        clients: [
          {
            client_id: client.id,
            client_secret: client.secret,
            redirect_uris: [`${url}/api/auth/oidc/callback`],
          },
        ],
        pkce: { required: () => true },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        findAccount: (_context, id) => ({
          accountId: id,
          claims: () => ({
            sub: id,
            email: `${id}@example.org`,
            email_verified: provider.isVerified,
            name: `Person ${id}`,
          }),
        }),
        features: { devInteractions: { enabled: true } },
        cookies: { keys: ['a key of the test'] },
      })
      server.on('request', oidc.callback())
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return provider
}
