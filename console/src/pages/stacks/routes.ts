import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../shell/root-routes.tsx'

export const stackRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/stacks',
    component: lazyRouteComponent(() => import('./stacks.tsx'), 'StacksPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/stacks/$stack',
    component: lazyRouteComponent(() => import('./stack.tsx'), 'StackPage'),
  }),
] as const
