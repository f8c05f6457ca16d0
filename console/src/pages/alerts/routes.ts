import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../shell/root-routes.tsx'
import { readFilters } from './filters.ts'

export const alertRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/alerts',
    validateSearch: readFilters,
    component: lazyRouteComponent(() => import('./alerts.tsx'), 'AlertsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/alerts/$alert',
    component: lazyRouteComponent(() => import('./alert.tsx'), 'AlertPage'),
  }),
] as const
