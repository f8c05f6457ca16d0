import * as z from 'zod'
import { OperationResult } from '../common.ts'
import type { Route } from '../route.ts'
import {
  SubscriptionListQuery,
  SubscriptionSave,
  SubscriptionTest,
  SubscriptionTestResult,
  SubscriptionView,
} from '../subscriptions.ts'

export const subscriptionRoutes = {
  listSubscriptions: {
    method: 'GET',
    path: '/api/subscriptions',
    noun: 'subscriptions',
    summary: 'Your subscriptions; owners and admins see all of their workspace',
    auth: 'account',
    query: SubscriptionListQuery,
    reply: z.array(SubscriptionView),
    list: true,
  },
  createSubscription: {
    method: 'POST',
    path: '/api/subscriptions',
    noun: 'subscriptions',
    summary: 'Subscribe: through a template, or to one trigger',
    auth: 'account',
    body: SubscriptionSave,
    reply: SubscriptionView,
  },
  getSubscription: {
    method: 'GET',
    path: '/api/subscriptions/:id',
    noun: 'subscriptions',
    summary: 'One subscription',
    auth: 'account',
    reply: SubscriptionView,
  },
  saveSubscription: {
    method: 'PUT',
    path: '/api/subscriptions/:id',
    noun: 'subscriptions',
    summary: 'Save a subscription',
    auth: 'account',
    body: SubscriptionSave,
    reply: SubscriptionView,
  },
  deleteSubscription: {
    method: 'DELETE',
    path: '/api/subscriptions/:id',
    noun: 'subscriptions',
    summary: 'Unsubscribe',
    auth: 'account',
    reply: OperationResult,
  },
  pauseSubscription: {
    method: 'POST',
    path: '/api/subscriptions/:id/pause',
    noun: 'subscriptions',
    summary: 'Stop making alerts until it is resumed',
    auth: 'account',
    reply: SubscriptionView,
  },
  resumeSubscription: {
    method: 'POST',
    path: '/api/subscriptions/:id/resume',
    noun: 'subscriptions',
    summary: 'Go on with what happens from now on',
    auth: 'account',
    reply: SubscriptionView,
  },
  testSubscription: {
    method: 'POST',
    path: '/api/subscriptions/:id/test',
    noun: 'subscriptions',
    summary: 'What a sample item would make of it, as each resource would show it',
    auth: 'account',
    body: SubscriptionTest,
    bodyOptional: true,
    reply: SubscriptionTestResult,
  },
} as const satisfies Record<string, Route>
