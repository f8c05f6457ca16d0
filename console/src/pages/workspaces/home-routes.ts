import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.tsx'

/** Pages outside a workspace: home, create a workspace, join a workspace. */
export const homeRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./home.tsx'), 'HomePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/workspaces/new',
    component: lazyRouteComponent(() => import('./new-workspace.tsx'), 'NewWorkspacePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/join/$joined',
    component: lazyRouteComponent(() => import('./join.tsx'), 'JoinPage'),
  }),
] as const
