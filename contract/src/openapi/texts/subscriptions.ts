import type { subscriptionRoutes } from '../../routes/subscriptions.ts'
import type { TextsOf } from './operation-text.ts'

export const subscriptionTexts: TextsOf<typeof subscriptionRoutes> = {
  listSubscriptions: {
    description:
      'Lists the subscriptions of the account. Owners and admins also see those of others in their workspaces. `workspace`, `project` and `trigger` narrow the list.',
    refusals: ['not_found'],
  },
  createSubscription: {
    hasTag: true,
    description:
      'Subscribes to a template (`template`, `topics`, `values`) or to one trigger (`trigger`, `inputs`, `conditions`). Alerts go to the `resources`, which belong to a workspace of the account. `from` first runs over past blocks. The account needs read access to the project.',
    refusals: ['not_found', 'limit_reached', 'upstream_failed'],
  },
  getSubscription: {
    hasTag: true,
    description:
      'Answers a subscription of the account, or of somebody in a workspace in which the account is owner or admin.',
  },
  getSubscriptionCounts: {
    description:
      'Answers how many alerts of the subscription were recorded and how their deliveries went, for each hour of the range.',
  },
  saveSubscription: {
    hasTag: true,
    description:
      'Saves the subscription in full: an omitted optional field is cleared. `from` and `deliverHistory` count only when a subscription is created. Only the account that subscribed may do that.',
    refusals: ['limit_reached'],
  },
  deleteSubscription: {
    description: 'Ends the subscription. Its alerts stay in the list. Only the account that subscribed may do that.',
  },
  pauseSubscription: {
    hasTag: true,
    description:
      'Pauses the subscription: matches make no alerts until it is resumed. Alerts that wait for delivery are still sent. Only the account that subscribed may do that.',
  },
  resumeSubscription: {
    hasTag: true,
    description:
      'Resumes a paused subscription from now on. Matches during the pause make no alerts. Only the account that subscribed may do that.',
  },
  unsubscribe: {
    description:
      'Pauses the subscription of an e-mail. Mail programs call it with one click (RFC 8058). The token in the path authorizes it, without an account.',
  },
  testSubscription: {
    description:
      'Runs each trigger of the subscription on a sample and answers the message for each resource. With `deliver` the messages are sent, marked as a test. Tests are limited per account and workspace. Only the account that subscribed may do that.',
  },
}
