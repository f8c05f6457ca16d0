import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../shell/root-routes.tsx'
import { SignInPage } from './sign-in.tsx'

type Search = { next?: string }
const readNext = (search: Record<string, unknown>): Search =>
  typeof search.next === 'string' ? { next: search.next } : {}

/** Pages for visitors without a session. */
export const signInRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in',
    validateSearch: readNext,
    // Not lazy: it has nearly only parts that other pages need too, so it is in the first file.
    component: SignInPage,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-up',
    validateSearch: readNext,
    component: lazyRouteComponent(() => import('./sign-up.tsx'), 'SignUpPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/forgot-password',
    component: lazyRouteComponent(() => import('./address/forgot-password.tsx'), 'ForgotPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reset-password',
    component: lazyRouteComponent(() => import('./address/reset-password.tsx'), 'ResetPasswordPage'),
  }),
] as const
