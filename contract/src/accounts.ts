import * as z from 'zod'
import { DateTime, Time, Title } from './base/common.ts'

export const AccountView = z
  .object({ id: z.string(), email: z.string(), name: z.string(), createdAt: Time })
  .meta({ id: 'Account' })

const Email = z.string().trim().max(254).pipe(z.email())
const Password = z.string().min(8, 'at least 8 characters').max(256)

export const SignUp = z.object({ email: Email, password: Password, name: z.string().trim().min(1).max(120) })
export const SignIn = z.object({ email: z.string().trim().min(1).max(254), password: z.string().min(1).max(256) })
/** Signs in with a token instead of a password, such as the token that the first start prints. */
export const TokenSignIn = z.object({ token: z.string().trim().min(1).max(1024) })
export const SignedIn = z.object({ token: z.string(), account: AccountView }).meta({ id: 'SignedIn' })

export const TokenCreate = z.object({ name: Title, expiresAt: DateTime.nullish() })
export const TokenView = z
  .object({
    id: z.string(),
    name: z.string(),
    createdAt: Time,
    expiresAt: Time.nullable().meta({ description: 'null: never' }),
    lastUsedAt: Time.optional(),
  })
  .meta({ id: 'Token' })
export const TokenCreated = TokenView.omit({ lastUsedAt: true })
  .extend({ token: z.string() })
  .meta({ id: 'TokenCreated' })
