import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../shell/root-routes.tsx'

export const workspaceHomeRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/home',
    component: lazyRouteComponent(() => import('./home.tsx'), 'WorkspaceHomePage'),
  }),
] as const
