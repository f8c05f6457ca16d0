import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../shell/root-routes.tsx'
import { readAuditFilters } from './audit-filters.ts'

export const workspaceRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('./settings.tsx'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/members',
    component: lazyRouteComponent(() => import('./members.tsx'), 'MembersPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/audit',
    validateSearch: readAuditFilters,
    component: lazyRouteComponent(() => import('./audit.tsx'), 'AuditPage'),
  }),
] as const
