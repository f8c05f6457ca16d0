import * as z from 'zod'
import { AccountView, SignedIn, SignIn, SignUp, TokenCreate, TokenCreated, TokenView } from '../accounts.ts'
import { ListQuery, OperationResult } from '../common.ts'
import type { Route } from '../route.ts'

export const accountRoutes = {
  signUp: {
    method: 'POST',
    path: '/api/auth/sign-up',
    noun: 'accounts',
    summary: 'Create an account and sign in',
    auth: 'none',
    body: SignUp,
    reply: SignedIn,
  },
  signIn: {
    method: 'POST',
    path: '/api/auth/sign-in',
    noun: 'accounts',
    summary: 'Sign in with e-mail and password',
    auth: 'none',
    body: SignIn,
    reply: SignedIn,
  },
  signOut: {
    method: 'POST',
    path: '/api/auth/sign-out',
    noun: 'accounts',
    summary: 'End the session whose token is sent; a personal access token stays',
    auth: 'account',
    reply: OperationResult,
  },
  getMe: {
    method: 'GET',
    path: '/api/me',
    noun: 'accounts',
    summary: 'The signed-in account',
    auth: 'account',
    reply: AccountView,
  },
  listTokens: {
    method: 'GET',
    path: '/api/me/tokens',
    noun: 'accounts',
    summary: 'Personal access tokens, without their secrets',
    auth: 'account',
    query: ListQuery,
    reply: z.array(TokenView),
    list: true,
  },
  createToken: {
    method: 'POST',
    path: '/api/me/tokens',
    noun: 'accounts',
    summary: 'Create a personal access token; the secret is shown this once only',
    auth: 'account',
    body: TokenCreate,
    reply: TokenCreated,
  },
  deleteToken: {
    method: 'DELETE',
    path: '/api/me/tokens/:id',
    noun: 'accounts',
    summary: 'Revoke a personal access token',
    auth: 'account',
    reply: OperationResult,
  },
} as const satisfies Record<string, Route>
