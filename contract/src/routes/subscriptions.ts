import * as z from 'zod'
import { OperationResult } from '../base/common.ts'
import { CountsQuery, CountsView } from '../counts.ts'
import { PolicyPreview, PolicyPreviewRequest } from '../policy-previews.ts'
import {
  SubscriptionCreate,
  SubscriptionListQuery,
  SubscriptionSave,
  SubscriptionTest,
  SubscriptionTestResult,
  SubscriptionView,
} from '../subscriptions.ts'
import type { Route } from './route.ts'

export const subscriptionRoutes = {
  listSubscriptions: {
    method: 'GET',
    path: '/api/subscriptions',
    noun: 'subscriptions',
    summary: 'Your subscriptions; owners and admins see all of their workspace',
    description:
      'Lists the subscriptions of the account. Owners and admins also see those of others in their workspaces. `workspace`, `project` and `trigger` narrow the list.',
    refusals: ['not_found'],
    auth: 'account',
    scopes: ['read'],
    query: SubscriptionListQuery,
    reply: z.array(SubscriptionView),
    list: true,
  },
  createSubscription: {
    method: 'POST',
    reachesNetwork: true,
    path: '/api/subscriptions',
    noun: 'subscriptions',
    summary: 'Subscribe through a template or to one trigger',
    hasTag: true,
    description:
      'Subscribes to a template (`template`, `topics`, `values`) or to one trigger (`trigger`, `inputs`, `conditions`). Alerts go to the `resources`, which belong to a workspace of the account. `from` first runs over past blocks. The account needs read access to the project.',
    refusals: ['not_found', 'limit_reached', 'upstream_failed'],
    auth: 'account',
    scopes: ['publish'],
    body: SubscriptionCreate,
    reply: SubscriptionView,
  },
  getSubscription: {
    method: 'GET',
    path: '/api/subscriptions/:id',
    noun: 'subscriptions',
    summary: 'One subscription',
    hasTag: true,
    description:
      'Answers a subscription of the account, or of somebody in a workspace in which the account is owner or admin.',
    auth: 'account',
    scopes: ['read'],
    reply: SubscriptionView,
  },
  getSubscriptionCounts: {
    method: 'GET',
    path: '/api/subscriptions/:id/counts',
    noun: 'subscriptions',
    summary: 'Alerts and deliveries of a subscription, hour by hour',
    description:
      'Answers how many alerts of the subscription were recorded and how their deliveries went, for each hour of the range.',
    auth: 'account',
    scopes: ['read'],
    query: CountsQuery,
    reply: CountsView,
  },
  saveSubscription: {
    method: 'PUT',
    path: '/api/subscriptions/:id',
    noun: 'subscriptions',
    summary: 'Save a subscription',
    hasTag: true,
    description:
      'Saves the subscription in full: an omitted optional field is cleared. `from` and `deliverHistory` count only when a subscription is created. Only the account that subscribed may do that.',
    refusals: ['limit_reached'],
    auth: 'account',
    scopes: ['publish'],
    body: SubscriptionSave,
    reply: SubscriptionView,
  },
  deleteSubscription: {
    method: 'DELETE',
    path: '/api/subscriptions/:id',
    noun: 'subscriptions',
    summary: 'Unsubscribe',
    description: 'Ends the subscription. Its alerts stay in the list. Only the account that subscribed may do that.',
    auth: 'account',
    scopes: ['publish'],
    reply: OperationResult,
  },
  pauseSubscription: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/subscriptions/:id/pause',
    noun: 'subscriptions',
    summary: 'Pause a subscription: it makes no alerts until it is resumed',
    hasTag: true,
    description:
      'Pauses the subscription: matches make no alerts until it is resumed. Alerts that wait for delivery are still sent. Only the account that subscribed may do that.',
    auth: 'account',
    scopes: ['publish'],
    reply: SubscriptionView,
  },
  resumeSubscription: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/subscriptions/:id/resume',
    noun: 'subscriptions',
    summary: 'Resume a subscription; matches during the pause make no alerts',
    hasTag: true,
    description:
      'Resumes a paused subscription from now on. Matches during the pause make no alerts. Only the account that subscribed may do that.',
    auth: 'account',
    scopes: ['publish'],
    reply: SubscriptionView,
  },
  previewPolicy: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/subscriptions/:id/policy-preview',
    noun: 'subscriptions',
    summary: 'What a policy would have told of the stored values of a subscription',
    description:
      'Runs a policy over the values that the policy of the subscription compared in the last week, and answers them with the bound and with the alerts that it would have made. Nothing is saved. A policy that compares no value, or another one, has no stored values. Only the account that subscribed may do that.',
    auth: 'account',
    scopes: ['write'],
    body: PolicyPreviewRequest,
    reply: PolicyPreview,
  },
  unsubscribe: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/unsubscribe/:token',
    noun: 'subscriptions',
    summary: 'Pause a subscription through the link in its e-mails (RFC 8058); authorized by the token in the path',
    description:
      'Pauses the subscription of an e-mail. Mail programs call it with one click (RFC 8058). The token in the path authorizes it, without an account.',
    auth: 'none',
    bodyKind: 'form',
    reply: OperationResult,
  },
  testSubscription: {
    method: 'POST',
    reachesNetwork: true,
    path: '/api/subscriptions/:id/test',
    noun: 'subscriptions',
    summary:
      'Test a subscription on a sample item and preview the message for each resource; sends it if deliver is true',
    description:
      'Runs each trigger of the subscription on a sample and answers the message for each resource. With `deliver` the messages are sent, marked as a test. Tests are limited per account and workspace. Only the account that subscribed may do that.',
    auth: 'account',
    scopes: ['write', 'deliver'],
    body: SubscriptionTest,
    bodyOptional: true,
    reply: SubscriptionTestResult,
  },
} as const satisfies Record<string, Route>
