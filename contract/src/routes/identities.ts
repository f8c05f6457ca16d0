import * as z from 'zod'
import { PasswordProof, SignedIn } from '../accounts.ts'
import { ListQuery } from '../base/common.ts'
import { IdentityView, WalletLink, WalletMessage, WalletMessageCreate, WalletSignIn } from '../second-factors.ts'
import type { Route } from './route.ts'

export const identityRoutes = {
  createWalletMessage: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/auth/wallet/message',
    noun: 'accounts',
    summary: 'Start a sign-in with a wallet: the message to sign (EIP-4361)',
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
    auth: 'account',
    scopes: ['admin'],
    body: WalletLink,
    reply: 'empty',
  },
  listIdentities: {
    method: 'GET',
    path: '/api/me/identities',
    noun: 'accounts',
    summary: 'The wallets and identity providers that sign in to the signed-in account',
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
    auth: 'account',
    scopes: ['admin'],
    body: PasswordProof,
    bodyOptional: true,
    reply: 'empty',
  },
} as const satisfies Record<string, Route>
