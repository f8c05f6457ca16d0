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
      'Answers a session token and sets the cookie of the console. A wrong password and an unknown address get the same answer. After several failed attempts the next one must wait; `Retry-After` says how long.',
    refusals: ['unauthenticated'],
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
  getMe: { description: 'Answers the id, e-mail address and name of the account that the token belongs to.' },
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
