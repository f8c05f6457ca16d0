import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../shell/root-routes.tsx'

export const resourceRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/resources',
    component: lazyRouteComponent(() => import('./resources.tsx'), 'ResourcesPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/resources/new',
    component: lazyRouteComponent(() => import('./new-resource.tsx'), 'NewResourcePage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/resources/$resource',
    component: lazyRouteComponent(() => import('./resource.tsx'), 'ResourcePage'),
  }),
] as const
