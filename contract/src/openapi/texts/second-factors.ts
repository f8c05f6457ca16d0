import type { secondFactorRoutes } from '../../routes/second-factors.ts'
import type { TextsOf } from './operation-text.ts'

export const secondFactorTexts: TextsOf<typeof secondFactorRoutes> = {
  getSignInMethods: {
    description: 'Answers which ways to sign in this service offers, so that a sign-in page shows no others.',
  },
  getSecurity: {
    description: 'Answers whether the account has a password and which second factors it has, without any secret.',
  },
  createTotp: {
    description:
      'Answers a new secret for an authenticator app (RFC 6238). It counts as a second factor after `confirmTotp`. A second call replaces a secret that was not confirmed. Needs a proof of the owner: the password, a passkey, or without a password a sign-in in the last 5 minutes; otherwise `forbidden`.',
    refusals: ['already_exists'],
  },
  confirmTotp: {
    description:
      'Confirms the setup by a code of the app and answers ten recovery codes, which are shown only once. From now on sign-in asks for a second factor. Wrong codes count as guesses.',
    refusals: ['not_found'],
  },
  deleteTotp: {
    description:
      'Removes the authenticator app. Needs a proof of the owner: the password, a passkey, or without a password a sign-in in the last 5 minutes; otherwise `forbidden`. The recovery codes go too, unless the account has a passkey.',
    refusals: ['not_found'],
  },
  createRecoveryCodes: {
    description:
      'Replaces the recovery codes and answers the new ones. Needs a proof of the owner: the password, a passkey, or without a password a sign-in in the last 5 minutes; otherwise `forbidden`.',
    refusals: ['not_found'],
  },
  listPasskeys: { description: 'Lists the passkeys of the account with their names and last use.' },
  createPasskeyOptions: {
    description:
      'Answers the options for `navigator.credentials.create()`. Their challenge works once, for five minutes. Needs a proof of the owner: the password, a passkey, or without a password a sign-in in the last 5 minutes; otherwise `forbidden`. Passkeys need a PUBLIC_URL with a host name and https.',
    refusals: ['feature_unavailable', 'limit_reached'],
  },
  createPasskey: {
    description:
      'Checks the answer of the browser and stores the passkey. The first second factor of an account also brings recovery codes.',
    refusals: ['feature_unavailable', 'already_exists'],
  },
  savePasskey: { description: 'Changes the name of a passkey, which helps to tell the passkeys of an account apart.' },
  deletePasskey: {
    description:
      'Removes a passkey. Needs a proof of the owner: the password, a passkey, or without a password a sign-in in the last 5 minutes; otherwise `forbidden`. It no longer signs in from now on.',
  },
  createPasskeySignIn: {
    description:
      'Answers the options for `navigator.credentials.get()`. They name no passkey: the browser offers those that it has. The challenge works once, for five minutes.',
    refusals: ['feature_unavailable'],
  },
  signInByPasskey: {
    description:
      'Signs in with the answer of the browser. The authenticator must have verified the person by a PIN or a biometric, so neither a password nor a code is asked for.',
    refusals: ['unauthenticated', 'feature_unavailable'],
  },
}
