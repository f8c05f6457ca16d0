import type { resourceRoutes } from '../../routes/resources.ts'
import type { TextsOf } from './operation-text.ts'

export const resourceTexts: TextsOf<typeof resourceRoutes> = {
  listBlueprints: {
    description:
      'Lists the channels, such as webhook and Telegram: the kinds of destinations, with the fields of their `data` and whether the operator has set them up.',
  },
  listResources: {
    description:
      'Lists the resources of the workspaces that the account is a member of. A resource is a destination of alerts. Only owners and admins see `data` and `token`.',
    refusals: ['not_found'],
  },
  getExternalResource: {
    description:
      'Answers what a person must do to finish the setup of a resource. Whoever has the token may read it, without an account. The answer is never cached.',
  },
  submitExternalResource: {
    description:
      'Stores what the blueprint needs, such as a `chatId`, and makes the resource ready; null clears it. Whoever has the token may send it, without an account.',
  },
  confirmEmail: {
    description:
      'Makes an e-mail resource ready, so that alerts are sent to the address from then on. The token comes from the confirmation e-mail; it works for a limited time and for this address alone.',
    refusals: ['link_expired'],
  },
  getResource: {
    hasTag: true,
    description:
      'Answers one resource of a workspace that the account is a member of. Only owners and admins see `data` and `token`.',
  },
  saveResource: {
    hasTag: true,
    description:
      'Creates the resource or saves it in full: an omitted optional field is cleared. Plain blueprints are ready at once, others after their setup; an e-mail address must be confirmed. A webhook without a secret gets one. The blueprint never changes. Needs the role admin.',
    refusals: ['fullname_mismatch', 'fullname_invalid', 'unknown_blueprint', 'immutable_field', 'limit_reached'],
  },
  deleteResource: {
    description:
      'Deletes the resource. Waiting deliveries to it are dropped, and subscriptions that name it show an issue. Needs the role admin.',
  },
  testResource: {
    description:
      'Sends a test message through the resource now and answers how it went: `ok: false` and `error` if the receiver fails. Tests are limited per account and workspace. Needs the role admin.',
  },
  getResourceCounts: {
    description:
      'Answers how many deliveries to the resource arrived or were given up, and how many attempts failed, for each hour of the range. Every member of its workspace may read it.',
  },
  createSetupSession: {
    description:
      'Starts a session of 15 minutes in which a person connects the destination through the bot. Only this answer holds the `setupToken`. A new session supersedes the former one. Only an owner may do that.',
    refusals: ['feature_unavailable'],
  },
  getSetupSession: {
    hasTag: true,
    description:
      'Answers whether the session is pending, claimed, completed, cancelled, expired or superseded. Only an owner may read it.',
    refusals: ['feature_unavailable', 'forbidden'],
  },
  cancelSetupSession: {
    description:
      'Cancels a session that is pending or claimed. A session that was cancelled before answers 204 again, another ended one is refused. Only an owner may do that.',
    refusals: ['feature_unavailable', 'session_not_active'],
  },
}
