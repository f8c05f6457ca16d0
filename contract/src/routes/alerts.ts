import * as z from 'zod'
import {
  AlertBulkReplay,
  AlertBulkReplayResult,
  AlertListQuery,
  AlertReplay,
  AlertResend,
  AlertResendResult,
  AlertTrace,
  AlertValues,
  AlertView,
} from '../alerts.ts'
import { StreamEvent, StreamQuery } from '../stream.ts'
import type { Route } from './route.ts'

export const alertRoutes = {
  listAlerts: {
    method: 'GET',
    path: '/api/alerts',
    noun: 'alerts',
    summary: 'Alerts of your subscriptions, newest first',
    description:
      'Lists the alerts of the account’s subscriptions, newest first. Owners and admins also see those of others in their workspaces. The query narrows the list.',
    refusals: ['not_found'],
    auth: 'account',
    scopes: ['read'],
    query: AlertListQuery,
    reply: z.array(AlertView),
    list: true,
  },
  getAlert: {
    method: 'GET',
    path: '/api/alerts/:id',
    noun: 'alerts',
    summary: 'One alert with its whole trace and every delivery attempt',
    hasTag: true,
    description:
      'Answers the alert with everything that led to it: the item, the inputs, the results of the providers, the output and the message, and each attempt of each delivery.',
    auth: 'account',
    scopes: ['read'],
    reply: AlertTrace,
  },
  getAlertValues: {
    method: 'GET',
    path: '/api/alerts/:id/values',
    noun: 'alerts',
    summary: 'The values that led to an alert, over time',
    description:
      'Answers the values that the policy of the alert compared, with the bound of that time, and the alerts of the same key. Values are kept for a week. A threshold keeps one value a minute while nothing happens, and one of each block while it fires. A key keeps about 500 values; of older ones every second is dropped. The lists are empty for other alerts and after the subscription was deleted.',
    auth: 'account',
    scopes: ['read'],
    reply: AlertValues,
  },
  replayAlert: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/alerts/:id/replay',
    noun: 'alerts',
    summary: 'Replay an alert: send it again where it did not arrive',
    description:
      'Sends the alert again to the resources where it did not arrive, or to all with `all: true`. Receivers get the same id, so that they can drop a repeat.',
    auth: 'account',
    scopes: ['deliver'],
    body: AlertReplay,
    bodyOptional: true,
    reply: AlertTrace,
  },
  replayAlerts: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/alerts/replay',
    noun: 'alerts',
    summary: 'Replay several alerts: send each again where it did not arrive',
    description:
      'Sends up to 100 alerts again, each to the resources where it did not arrive, or to all resources if it arrived everywhere; `all` decides otherwise, as for one alert. The answer has one item for each id, in the order of the request. An alert that cannot be sent again does not stop the others.',
    auth: 'account',
    scopes: ['deliver'],
    body: AlertBulkReplay,
    reply: AlertBulkReplayResult,
  },
  resendFailed: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/workspaces/:fullname/resend',
    noun: 'alerts',
    summary: 'Resend the alerts of a workspace, or of one of its resources, that failed since a time',
    description:
      'Sends alerts of the workspace again that failed since a time, and sends deliveries that wait for a retry at once. With `resource` it does so for one resource alone. One call takes at most 1,000 alerts, the oldest first. A repeated call sends nothing twice. `dryRun` sends nothing and answers the counts that the call would have. Needs the role admin.',
    auth: 'account',
    scopes: ['deliver'],
    body: AlertResend,
    reply: AlertResendResult,
  },
  streamEvents: {
    method: 'GET',
    path: '/api/stream',
    noun: 'alerts',
    summary: 'Alerts and the status of sources as server-sent events',
    description:
      'Sends the events `alert` (a new or changed alert), `source` (the status of a source) and `gap` (events are missing: read the lists). A client that reconnects sends `Last-Event-ID` and gets the alerts that it missed. A stream ends after 15 minutes; connect again then.',
    refusals: ['not_found', 'limit_reached'],
    auth: 'account',
    scopes: ['read'],
    query: StreamQuery,
    reply: StreamEvent,
    events: 'only',
  },
} as const satisfies Record<string, Route>
