import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../shell/root-routes.tsx'

/** The direction is in the URL, so that links can select it. */
function readDirection({ direction }: Record<string, unknown>): { direction?: 'outgoing' } {
  return direction === 'outgoing' ? { direction } : {}
}

export const transferRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/transfers',
    validateSearch: readDirection,
    component: lazyRouteComponent(() => import('./transfers.tsx'), 'TransfersPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/$project/transfer',
    component: lazyRouteComponent(() => import('./request-transfer.tsx'), 'RequestTransferPage'),
  }),
] as const
