import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../root-routes.ts'

export const aboutRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/about',
    component: lazyRouteComponent(() => import('./about.tsx'), 'AboutPage'),
  }),
] as const
