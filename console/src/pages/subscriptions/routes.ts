import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../shell/root-routes.tsx'

type Preselected = { project?: string; trigger?: string }

/** The project and trigger that a link preselects. */
function readPreselected({ project, trigger }: Record<string, unknown>): Preselected {
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
    validateSearch: readPreselected,
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
