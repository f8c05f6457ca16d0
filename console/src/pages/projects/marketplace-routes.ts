import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.tsx'

/** Pages about projects of other workspaces. */
export const marketplaceRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/marketplace',
    component: lazyRouteComponent(() => import('./marketplace.tsx'), 'MarketplacePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/marketplace/$project',
    component: lazyRouteComponent(() => import('./marketplace-project.tsx'), 'MarketplaceProjectPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/open',
    component: lazyRouteComponent(() => import('./open-link.tsx'), 'OpenLinkPage'),
  }),
] as const
