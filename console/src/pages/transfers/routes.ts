import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../root-routes.ts'

export const transferRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/transfers',
    component: lazyRouteComponent(() => import('./transfers.tsx'), 'TransfersPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/$project/transfer',
    component: lazyRouteComponent(() => import('./request-transfer.tsx'), 'RequestTransferPage'),
  }),
] as const
