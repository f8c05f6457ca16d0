import * as z from 'zod'
import { Time, Title } from './base/common.ts'

/** A second proof of who signs in: a code of an authenticator app, a recovery code, or a passkey. */

export const SecondFactorCode = z.string().trim().max(64).meta({
  description: 'A code of the authenticator app, or a recovery code. Each works once.',
})

export const TotpCreated = z
  .object({
    secret: z.string().meta({ description: 'The secret in base32, to be typed into an authenticator app.' }),
    uri: z.string().meta({ description: 'The same as an otpauth URI, for a QR code.' }),
  })
  .meta({ id: 'TotpCreated' })
export const TotpConfirm = z.object({ code: z.string().trim().min(1).max(64) })
export const RecoveryCodes = z
  .object({ recoveryCodes: z.array(z.string()).meta({ description: 'Shown only once. Each signs in once.' }) })
  .meta({ id: 'RecoveryCodes' })

const Base64Url = z.string().max(65_536)
const Credential = { id: Base64Url, rawId: Base64Url, type: z.literal('public-key') }

/** What `navigator.credentials.create()` returns, as JSON. */
export const PasskeyAttestation = z.object({
  ...Credential,
  response: z.object({ clientDataJSON: Base64Url, attestationObject: Base64Url }),
})
/** What `navigator.credentials.get()` returns, as JSON. */
export const PasskeyAssertion = z.object({
  ...Credential,
  response: z.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Base64Url.optional(),
  }),
})
/** The options for `navigator.credentials`, as JSON. */
export const PasskeyOptions = z.looseObject({ challenge: z.string() }).meta({ id: 'PasskeyOptions' })

export const PasskeyCreate = z.object({ name: Title, response: PasskeyAttestation })
export const PasskeySave = z.object({ name: Title })
export const PasskeySignIn = z.object({ response: PasskeyAssertion })
export const PasskeyView = z
  .object({ id: z.string(), name: z.string(), createdAt: Time, lastUsedAt: Time.optional() })
  .meta({ id: 'Passkey' })
export const PasskeyCreated = PasskeyView.extend({
  recoveryCodes: z.array(z.string()).optional().meta({
    description: 'With the first second factor of an account. Shown only once.',
  }),
}).meta({ id: 'PasskeyCreated' })

export const SecurityView = z
  .object({
    hasPassword: z.boolean(),
    emailVerified: z.boolean(),
    totp: z.boolean().meta({ description: 'An authenticator app is set up.' }),
    passkeys: z.number().int(),
    recoveryCodes: z.number().int().meta({ description: 'How many recovery codes are left.' }),
  })
  .meta({ id: 'Security' })
export const SignInMethods = z
  .object({
    signUp: z.boolean(),
    passwordReset: z.boolean().meta({ description: 'The service can send mails.' }),
    oidc: z.boolean().meta({ description: 'Open /api/auth/oidc?next=<path> in the browser.' }),
    passkeys: z.boolean().meta({ description: 'PUBLIC_URL has a host name, and https unless it is localhost.' }),
  })
  .meta({ id: 'SignInMethods' })

const Signature = z.string().regex(/^0x[0-9a-fA-F]{130}$/, 'must be 65 bytes in hexadecimal')
export const WalletMessageCreate = z.object({
  address: z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hexadecimal digits'),
  chainId: z.number().int().min(1).default(1),
})
export const WalletMessage = z
  .object({
    message: z.string().meta({ description: 'The text to sign (EIP-4361).' }),
    nonce: z.string().meta({ description: 'Works once. A client may put it into a message of its own.' }),
    expiresAt: Time,
  })
  .meta({ id: 'WalletMessage' })
export const WalletSigned = z.object({ message: z.string().min(1).max(8_192), signature: Signature })
export const WalletSignIn = WalletSigned.extend({
  code: SecondFactorCode.optional(),
  passkey: PasskeyAssertion.optional(),
})
export const IdentityView = z
  .object({
    id: z.string(),
    kind: z.enum(['oidc', 'wallet']),
    issuer: z.string().meta({ description: 'The identity provider; `eip155` for a wallet.' }),
    subject: z.string().meta({ description: 'Who the person is there; the address of a wallet.' }),
    createdAt: Time,
  })
  .meta({ id: 'Identity' })
