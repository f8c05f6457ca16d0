import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../shell/root-routes.ts'

/** Which side of the transfers is shown; a link can name it. */
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
