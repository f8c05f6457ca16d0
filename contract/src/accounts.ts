import * as z from 'zod'
import { DateTime, Email, Time, Title } from './base/common.ts'
import { ScopeName } from './base/scopes.ts'
import { PasskeyAssertion, SecondFactorCode, WalletSigned } from './second-factors.ts'

export const AccountView = z
  .object({ id: z.string(), email: z.string(), name: z.string(), createdAt: Time })
  .meta({ id: 'Account' })

/** What the token of the caller allows. */
const access = {
  scopes: z.array(ScopeName),
  workspace: z.string().optional().meta({ description: 'the only workspace that the token may see and change' }),
}
export const MeView = AccountView.extend(access).meta({ id: 'Me' })

const Password = z.string().min(8, 'at least 8 characters').max(256)

const AccountName = z.string().trim().min(1).max(120)
const GivenPassword = z.string().max(256).optional().meta({
  description:
    'The current password. Leave it out if the account has none; then the sign-in must not be older than 5 minutes.',
})

export const SignUp = z.object({ email: Email, password: Password, name: AccountName })
export const SignIn = z.object({
  email: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(256),
  code: SecondFactorCode.optional(),
  passkey: PasskeyAssertion.optional().meta({
    description: 'The answer of a passkey to `details.passkey` of the refusal.',
  }),
})
/** Signs in with a token instead of a password, such as the token that the first start prints. */
export const TokenSignIn = z.object({ token: z.string().trim().min(1).max(1024) })
export const SignedIn = z.object({ token: z.string(), account: AccountView }).meta({ id: 'SignedIn' })

export const TokenCreate = z.object({
  name: Title,
  scopes: z.array(ScopeName).min(1, 'at least one scope').optional().meta({ description: 'default: all' }),
  workspace: z.string().min(1).nullish().meta({ description: 'default: all workspaces of the account' }),
  expiresAt: DateTime.nullish(),
})
export const TokenView = z
  .object({
    id: z.string(),
    name: z.string(),
    ...access,
    createdAt: Time,
    expiresAt: Time.nullable().meta({ description: 'null: never' }),
    lastUsedAt: Time.optional(),
  })
  .meta({ id: 'Token' })
export const TokenCreated = TokenView.omit({ lastUsedAt: true })
  .extend({ token: z.string() })
  .meta({ id: 'TokenCreated' })

export const AccountSave = z.object({ name: AccountName })
export const PasswordChange = z.object({ current: GivenPassword, next: Password })
export const EmailChange = z.object({ email: Email, password: GivenPassword })
/** Shows that the owner of the account is there, and not only a session or a token of theirs. */
export const OwnerProof = z.object({
  password: GivenPassword,
  passkey: PasskeyAssertion.optional().meta({
    description:
      'Instead of the password: the answer of a passkey of this account to the options of `POST /api/auth/passkey/options`.',
  }),
})
export const WalletLink = WalletSigned.extend(OwnerProof.shape)
export const IdentityLink = OwnerProof.extend({
  next: z.string().max(2_000).optional().meta({ description: 'The path of the page to open afterwards.' }),
})
export const IdentityLinkStarted = z
  .object({ url: z.string().meta({ description: 'The page of the identity provider to open in this browser.' }) })
  .meta({ id: 'IdentityLinkStarted' })
export const PasswordForgotten = z.object({ email: z.string().trim().min(1).max(254) })
export const PasswordReset = z.object({
  token: z.string().trim().min(1).max(256).meta({ description: 'The token in the link of the e-mail.' }),
  password: Password,
  endTokens: z.boolean().optional().meta({
    description: 'true: access tokens end too. They always end if nobody had verified the address before.',
  }),
})
export const AddressProof = z.object({
  token: z.string().trim().min(1).max(256).meta({ description: 'The token in the link of the e-mail.' }),
})

export const SessionView = z
  .object({
    id: z.string(),
    createdAt: Time,
    lastUsedAt: Time,
    ip: z.string().meta({ description: 'The IP address that signed in. Empty if it is not known.' }),
    userAgent: z.string().meta({ description: 'The User-Agent header of the sign-in. Empty if there was none.' }),
    current: z.boolean().meta({ description: 'true for the session of this request' }),
  })
  .meta({ id: 'Session' })
