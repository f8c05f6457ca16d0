import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.tsx'

export const accountRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/account',
    component: lazyRouteComponent(() => import('./account.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/account/tokens',
    component: lazyRouteComponent(() => import('./tokens.tsx'), 'TokensPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/verify-email',
    component: lazyRouteComponent(() => import('./address/verify-email.tsx'), 'VerifyEmailPage'),
  }),
] as const
