import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../shell/root-routes.ts'

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
] as const
