import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../root-routes.ts'

export const addressRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/addresses',
    component: lazyRouteComponent(() => import('./addresses.tsx'), 'AddressesPage'),
  }),
] as const
