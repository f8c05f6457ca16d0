import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../root-routes.ts'

export const firstStepsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/first-steps',
    component: lazyRouteComponent(() => import('./first-steps.tsx'), 'FirstStepsPage'),
  }),
] as const
