import * as z from 'zod'
import { AlertListQuery, AlertReplay, AlertTrace, AlertView } from '../alerts.ts'
import { StreamEvent, StreamQuery } from '../stream.ts'
import type { Route } from './route.ts'

export const alertRoutes = {
  listAlerts: {
    method: 'GET',
    path: '/api/alerts',
    noun: 'alerts',
    summary: 'Alerts of your subscriptions, newest first',
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
    auth: 'account',
    scopes: ['read'],
    reply: AlertTrace,
  },
  replayAlert: {
    method: 'POST',
    reachesNetwork: false,
    path: '/api/alerts/:id/replay',
    noun: 'alerts',
    summary: 'Replay an alert: send it again where it did not arrive',
    auth: 'account',
    scopes: ['deliver'],
    body: AlertReplay,
    bodyOptional: true,
    reply: AlertTrace,
  },
  streamEvents: {
    method: 'GET',
    path: '/api/stream',
    noun: 'alerts',
    summary: 'Alerts and the status of sources as server-sent events',
    auth: 'account',
    scopes: ['read'],
    query: StreamQuery,
    reply: StreamEvent,
    events: 'only',
  },
} as const satisfies Record<string, Route>
