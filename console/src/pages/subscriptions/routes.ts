import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../shell/root-routes.ts'

type Start = { project?: string; trigger?: string }

/** A page that sends somebody here can say what it is about. */
function readStart({ project, trigger }: Record<string, unknown>): Start {
  return {
    ...(typeof project === 'string' && { project }),
    ...(typeof trigger === 'string' && { trigger }),
  }
}

export const subscriptionRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/subscriptions',
    component: lazyRouteComponent(() => import('./subscriptions.tsx'), 'SubscriptionsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/subscriptions/new',
    validateSearch: readStart,
    component: lazyRouteComponent(() => import('./new-subscription.tsx'), 'NewSubscriptionPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/subscriptions/$subscription',
    component: lazyRouteComponent(() => import('./subscription.tsx'), 'SubscriptionPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/subscriptions/$subscription/edit',
    component: lazyRouteComponent(() => import('./edit-subscription.tsx'), 'EditSubscriptionPage'),
  }),
] as const
