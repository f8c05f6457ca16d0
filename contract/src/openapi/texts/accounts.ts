import type { accountRoutes } from '../../routes/accounts.ts'
import type { TextsOf } from './operation-text.ts'

export const accountTexts: TextsOf<typeof accountRoutes> = {
  signUp: {
    description:
      'Creates the account and a personal workspace that is named after the e-mail address, then signs in. The answer holds a session token and sets the cookie of the console. An operator can turn sign-up off (`forbidden`). Common passwords are refused.',
    refusals: ['forbidden', 'already_exists'],
  },
  signIn: {
    description:
      'Answers a session token and sets the cookie of the console. A wrong password and an unknown address get the same answer. After several failed attempts the next one must wait; `Retry-After` says how long. If the account has a second factor, the right password alone answers `second_factor_required`: send the same request with `code` or `passkey`.',
    refusals: ['unauthenticated', 'second_factor_required'],
  },
  signInByToken: {
    description:
      'Opens a session of the console with a personal access token, such as the one that the first start prints. The session ends when the token expires or is revoked.',
    refusals: ['unauthenticated'],
  },
  signOut: {
    description:
      'Ends the session of the token or cookie that is sent, and clears the cookie. A personal access token is not revoked: delete it by its id.',
  },
  forgotPassword: {
    description:
      'Always answers 204, in the same time for every mailbox. If the mailbox has an account and the operator has configured a mail server, a mail with a link follows. The link works once, for 30 minutes. A mailbox that is asked for too often gets no further mail.',
  },
  resetPassword: {
    description:
      'Sets a new password by the token of a mailed link. Ends all sessions of the account and its other links, and with `endTokens` its personal access tokens. The link proves the address. If nobody had verified it before, a stranger may have signed up with it: then tokens, linked sign-ins, passkeys, the authenticator app and its recovery codes are removed too. Otherwise a second factor is still asked for at the next sign-in. A link that is unknown, has expired or was used is `invalid_payload`.',
  },
  getMe: { description: 'Answers the id, e-mail address and name of the account that the token belongs to.' },
  saveMe: { description: 'Changes the name of the account. Members of its workspaces see the name.' },
  deleteMe: {
    description:
      'Deletes the account with its tokens, subscriptions, alerts and address book, and cancels the transfers that it offered. Needs the password or a passkey, or without a password a sign-in in the last 5 minutes; otherwise `forbidden`. Workspaces of which it is the only member, and which hold neither projects nor custom sources, are deleted too. Refused while the account is the only owner of another workspace; `details.workspaces` names them.',
    refusals: ['last_owner'],
  },
  changePassword: {
    description:
      'Sets a new password. `current` is needed if the account has a password; a wrong one is `forbidden` and counts as a guess. Without a password, the sign-in must not be older than 5 minutes. Ends all other sessions and the mailed links; personal access tokens stay. Common passwords are refused.',
  },
  changeEmail: {
    description:
      'Changes the e-mail address that signs in. Needs the password, or without one a sign-in in the last 5 minutes. The new address is not verified. Refused if another account has it.',
    refusals: ['already_exists'],
  },
  requestAddressProof: {
    description:
      'Mails a link to the address of the account, unless it is verified. The link works once, for a day, and only for this account. Few mails are sent to one mailbox.',
    refusals: ['feature_unavailable'],
  },
  proveAddress: {
    description:
      'Marks the address of the account as verified. A link that is unknown, has expired, was used, or is of another account is `invalid_payload`. An invitation by e-mail may need a verified address.',
  },
  listSessions: {
    description:
      'Lists the sessions that are signed in, with the IP address and the browser that started them. `current` marks the session of this request.',
  },
  deleteSession: {
    description: 'Signs a session of the account out. It ends at once, in other processes after a second.',
  },
  listTokens: {
    description:
      'Lists the personal access tokens of the account with name, expiry and last use. The tokens themselves are stored as hashes and are never shown again.',
  },
  createToken: {
    description:
      'Creates a token for scripts and other programs. Only this answer holds the token: store it now. Without `expiresAt` the token does not expire. `scopes` limits what it may do, and `workspace` binds it to one workspace. A token cannot create one that may do more than itself.',
    refusals: ['not_found'],
  },
  deleteToken: {
    description:
      'Revokes a personal access token of the account. The process that revokes it refuses it at once, other processes at most a second later.',
  },
}
