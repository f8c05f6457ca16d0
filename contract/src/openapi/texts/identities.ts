import type { identityRoutes } from '../../routes/identities.ts'
import type { TextsOf } from './operation-text.ts'

export const identityTexts: TextsOf<typeof identityRoutes> = {
  createWalletMessage: {
    description:
      'Answers a message (EIP-4361) for the address to sign. It names this service and a nonce, which works once, for ten minutes.',
  },
  signInByWallet: {
    description:
      'Signs in with a message that the wallet signed. The domain, the times, the nonce and the signature are checked; a signature of a contract wallet (EIP-1271) is not supported. A wallet that no account is linked to gets an account of its own, if sign-up is on. If the account has a second factor, send the same request with `code` or `passkey`.',
    refusals: ['unauthenticated', 'second_factor_required'],
  },
  linkWallet: {
    description:
      'Links a wallet to the account, so that it can sign in. Needs a proof of the owner: the password, a passkey, or without a password a sign-in in the last 5 minutes; otherwise `forbidden`. Refused if another account is linked to the wallet.',
    refusals: ['already_exists'],
  },
  linkIdentity: {
    description:
      'Starts a visit at the identity provider and sets a cookie for it. Open `url` in the same browser: the callback links the person who signs in there to the account, if the session still lives, and opens `next`. Needs a proof of the owner: the password, a passkey, or without a password a sign-in in the last 5 minutes; otherwise `forbidden`.',
    refusals: ['feature_unavailable', 'upstream_failed'],
  },
  listIdentities: {
    description: 'Lists the wallets and the identity providers that sign in to the account.',
  },
  deleteIdentity: {
    description:
      'Unlinks a wallet or an identity provider. Needs a proof of the owner: the password, a passkey, or without a password a sign-in in the last 5 minutes; otherwise `forbidden`. The only way to sign in cannot be removed (`forbidden`).',
  },
}
