import * as z from 'zod'
import { IdentityLink, IdentityLinkStarted, OwnerProof, SignedIn, WalletLink } from '../accounts.ts'
import { ListQuery } from '../base/common.ts'
import { IdentityView, WalletMessage, WalletMessageCreate, WalletSignIn } from '../second-factors.ts'
import type { Route } from './route.ts'

export const identityRoutes = {
  createWalletMessage: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/auth/wallet/message',
    noun: 'accounts',
    summary: 'Start a sign-in with a wallet: the message to sign (EIP-4361)',
    description:
      'Answers a message (EIP-4361) for the address to sign. It names this service and a nonce, which works once, for ten minutes.',
    auth: 'none',
    body: WalletMessageCreate,
    reply: WalletMessage,
  },
  signInByWallet: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/auth/wallet',
    noun: 'accounts',
    summary: 'Sign in with a message that a wallet signed; the first time creates an account if sign-up is on',
    description:
      'Signs in with a message that the wallet signed. The domain, the times, the nonce and the signature are checked; a signature of a contract wallet (EIP-1271) is not supported. A wallet that no account is linked to gets an account of its own, if sign-up is on. If the account has a second factor, send the same request with `code` or `passkey`.',
    refusals: ['unauthenticated', 'second_factor_required'],
    auth: 'none',
    body: WalletSignIn,
    reply: SignedIn,
  },
  linkWallet: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/me/wallets',
    noun: 'accounts',
    summary: 'Link a wallet to the signed-in account by a message that it signed',
    description:
      'Links a wallet to the account, so that it can sign in. Needs a proof of the owner: the password, a passkey, or without a password a sign-in in the last 5 minutes; otherwise `forbidden`. Refused if another account is linked to the wallet.',
    refusals: ['already_exists'],
    auth: 'account',
    scopes: ['admin'],
    sessionOnly: true,
    body: WalletLink,
    reply: 'empty',
  },
  linkIdentity: {
    method: 'POST',
    reachesNetwork: true,
    path: '/api/me/identities',
    noun: 'accounts',
    summary: 'Start to link the person at the identity provider to the signed-in account; open the answered page',
    description:
      'Starts a visit at the identity provider and sets a cookie for it. Open `url` in the same browser: the callback links the person who signs in there to the account, if the session still lives, and opens `next`. Needs a proof of the owner: the password, a passkey, or without a password a sign-in in the last 5 minutes; otherwise `forbidden`.',
    refusals: ['feature_unavailable', 'upstream_failed'],
    auth: 'account',
    scopes: ['admin'],
    sessionOnly: true,
    body: IdentityLink,
    bodyOptional: true,
    reply: IdentityLinkStarted,
  },
  listIdentities: {
    method: 'GET',
    path: '/api/me/identities',
    noun: 'accounts',
    summary: 'The wallets and identity providers that sign in to the signed-in account',
    description: 'Lists the wallets and the identity providers that sign in to the account.',
    auth: 'account',
    scopes: ['read'],
    query: ListQuery,
    reply: z.array(IdentityView),
    list: true,
  },
  deleteIdentity: {
    method: 'DELETE',
    path: '/api/me/identities/:id',
    noun: 'accounts',
    summary: 'Unlink a wallet or an identity provider, unless it is the only way to sign in',
    description:
      'Unlinks a wallet or an identity provider. Needs a proof of the owner: the password, a passkey, or without a password a sign-in in the last 5 minutes; otherwise `forbidden`. The only way to sign in cannot be removed (`forbidden`).',
    auth: 'account',
    scopes: ['admin'],
    sessionOnly: true,
    body: OwnerProof,
    bodyOptional: true,
    reply: 'empty',
  },
} as const satisfies Record<string, Route>
