import * as z from 'zod'
import { ListQuery, OperationResult } from '../base/common.ts'
import { CountsQuery, CountsView } from '../counts.ts'
import {
  BlueprintView,
  ExternalResourceView,
  ExternalSubmit,
  ResourceListQuery,
  ResourceSave,
  ResourceTestResult,
  ResourceView,
  SetupSessionCreated,
  SetupSessionView,
} from '../resources.ts'
import type { Route } from './route.ts'

export const resourceRoutes = {
  listBlueprints: {
    method: 'GET',
    path: '/api/blueprints',
    noun: 'resources',
    summary: 'Blueprints: the kinds of resources',
    description:
      'Lists the channels, such as webhook and Telegram: the kinds of destinations, with the fields of their `data` and whether the operator has set them up.',
    auth: 'account',
    scopes: ['read'],
    query: ListQuery,
    reply: z.array(BlueprintView),
    list: true,
  },
  listResources: {
    method: 'GET',
    path: '/api/resources',
    noun: 'resources',
    summary: 'Resources of the account’s workspaces',
    description:
      'Lists the resources of the workspaces that the account is a member of. A resource is a destination of alerts. Only owners and admins see `data` and `token`.',
    refusals: ['not_found'],
    auth: 'account',
    scopes: ['read'],
    query: ResourceListQuery,
    reply: z.array(ResourceView),
    list: true,
  },
  getExternalResource: {
    method: 'GET',
    path: '/api/resources/external/:token',
    noun: 'resources',
    summary: 'Instructions to finish the setup; authorized by the token in the path',
    description:
      'Answers what a person must do to finish the setup of a resource. Whoever has the token may read it, without an account. The answer is never cached.',
    auth: 'none',
    reply: ExternalResourceView,
  },
  submitExternalResource: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/resources/external/:token',
    noun: 'resources',
    summary: 'Finish or clear the setup; authorized by the token in the path',
    description:
      'Stores what the blueprint needs, such as a `chatId`, and makes the resource ready; null clears it. Whoever has the token may send it, without an account.',
    auth: 'none',
    body: ExternalSubmit,
    reply: OperationResult,
  },
  confirmEmail: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/confirm-email/:token',
    noun: 'resources',
    summary:
      'Agree to get alerts by e-mail; authorized by the token in the path, which the confirmation e-mail contains',
    description:
      'Makes an e-mail resource ready, so that alerts are sent to the address from then on. The token comes from the confirmation e-mail; it works for a limited time and for this address alone.',
    refusals: ['link_expired'],
    auth: 'none',
    reply: OperationResult,
  },
  getResource: {
    method: 'GET',
    path: '/api/resources/:fullname',
    noun: 'resources',
    summary: 'One resource',
    hasTag: true,
    description:
      'Answers one resource of a workspace that the account is a member of. Only owners and admins see `data` and `token`.',
    auth: 'account',
    scopes: ['read'],
    reply: ResourceView,
  },
  saveResource: {
    method: 'PUT',
    path: '/api/resources/:fullname',
    noun: 'resources',
    summary: 'Create or update a resource',
    hasTag: true,
    description:
      'Creates the resource or saves it in full: an omitted optional field is cleared. Plain blueprints are ready at once, others after their setup; an e-mail address must be confirmed. A webhook without a secret gets one. The blueprint never changes. Needs the role admin.',
    refusals: ['fullname_mismatch', 'fullname_invalid', 'unknown_blueprint', 'immutable_field', 'limit_reached'],
    auth: 'account',
    scopes: ['publish'],
    body: ResourceSave,
    reply: ResourceView,
  },
  deleteResource: {
    method: 'DELETE',
    path: '/api/resources/:fullname',
    noun: 'resources',
    summary: 'Delete a resource',
    description:
      'Deletes the resource. Waiting deliveries to it are dropped, and subscriptions that name it show an issue. Needs the role admin.',
    auth: 'account',
    scopes: ['publish'],
    reply: OperationResult,
  },
  testResource: {
    method: 'POST',
    path: '/api/resources/:fullname/test',
    noun: 'resources',
    summary: 'Send a test message through the resource; answers 200 even if the receiver fails',
    description:
      'Sends a test message through the resource now and answers how it went: `ok: false` and `error` if the receiver fails. Tests are limited per account and workspace. Needs the role admin.',
    auth: 'account',
    scopes: ['deliver'],
    reachesNetwork: true,
    reply: ResourceTestResult,
  },
  getResourceCounts: {
    method: 'GET',
    path: '/api/resources/:fullname/counts',
    noun: 'resources',
    summary: 'Deliveries to a resource, hour by hour',
    description:
      'Answers how many deliveries to the resource arrived or were given up, and how many attempts failed, for each hour of the range. Every member of its workspace may read it.',
    auth: 'account',
    scopes: ['read'],
    query: CountsQuery,
    reply: CountsView,
  },
  createSetupSession: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/resources/:fullname/setup-sessions',
    noun: 'resources',
    summary: 'Start a secure setup of the destination; the setupToken is shown only once',
    description:
      'Starts a session of 15 minutes in which a person connects the destination through the bot. Only this answer holds the `setupToken`. A new session supersedes the former one. Only an owner may do that.',
    refusals: ['feature_unavailable'],
    auth: 'account',
    scopes: ['publish'],
    reply: SetupSessionCreated,
  },
  getSetupSession: {
    method: 'GET',
    path: '/api/resources/:fullname/setup-sessions/:id',
    noun: 'resources',
    summary: 'Status of a setup session',
    hasTag: true,
    description:
      'Answers whether the session is pending, claimed, completed, cancelled, expired or superseded. Only an owner may read it.',
    refusals: ['feature_unavailable', 'forbidden'],
    auth: 'account',
    scopes: ['read'],
    reply: SetupSessionView,
  },
  cancelSetupSession: {
    method: 'DELETE',
    path: '/api/resources/:fullname/setup-sessions/:id',
    noun: 'resources',
    summary: 'Cancel a setup session',
    description:
      'Cancels a session that is pending or claimed. A session that was cancelled before answers 204 again, another ended one is refused. Only an owner may do that.',
    refusals: ['feature_unavailable', 'session_not_active'],
    auth: 'account',
    scopes: ['publish'],
    reply: 'empty',
  },
} as const satisfies Record<string, Route>
