import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { SignInPage } from './pages/accounts/sign-in.tsx'
import { PageMissing } from './shell/page-error.tsx'
import { rootRoute, shellRoute, workspaceRoute } from './shell/root-routes.tsx'
import { textsOf, workspacePages } from './workspace-routes.ts'

/** Pages for visitors without a session. */
const visitorPages = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-in',
    validateSearch: (search: Record<string, unknown>) => textsOf(search, ['next']),
    // Not lazy: it has nearly only parts that other pages need too, so it is in the first file.
    component: SignInPage,
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/sign-up',
    validateSearch: (search: Record<string, unknown>) => textsOf(search, ['next']),
    component: lazyRouteComponent(() => import('./pages/accounts/sign-up.tsx'), 'SignUpPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/forgot-password',
    component: lazyRouteComponent(() => import('./pages/accounts/address/forgot-password.tsx'), 'ForgotPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/reset-password',
    component: lazyRouteComponent(() => import('./pages/accounts/address/reset-password.tsx'), 'ResetPasswordPage'),
  }),
] as const

/** Pages that belong to no workspace, or lead to one. */
const commonPages = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./pages/workspaces/home.tsx'), 'HomePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/workspaces/new',
    component: lazyRouteComponent(() => import('./pages/workspaces/new-workspace.tsx'), 'NewWorkspacePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/join/$joined',
    component: lazyRouteComponent(() => import('./pages/workspaces/join.tsx'), 'JoinPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/first-steps',
    component: lazyRouteComponent(() => import('./pages/first-steps/first-steps.tsx'), 'FirstStepsPage'),
  }),
  // The same page of the current workspace, for links that know no workspace.
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/watch',
    component: lazyRouteComponent(() => import('./pages/watch/watch-shortcut.tsx'), 'WatchShortcut'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/about',
    component: lazyRouteComponent(() => import('./pages/about/about.tsx'), 'AboutPage'),
  }),
  // Only in development. The build for users has no such page and does not contain its code.
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/design',
    component: import.meta.env.DEV
      ? lazyRouteComponent(() => import('./pages/design/design.tsx'), 'DesignPage')
      : PageMissing,
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/account',
    component: lazyRouteComponent(() => import('./pages/accounts/account.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/account/tokens',
    component: lazyRouteComponent(() => import('./pages/accounts/tokens.tsx'), 'TokensPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/verify-email',
    component: lazyRouteComponent(() => import('./pages/accounts/address/verify-email.tsx'), 'VerifyEmailPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/addresses',
    component: lazyRouteComponent(() => import('./pages/addresses/addresses.tsx'), 'AddressesPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/marketplace',
    component: lazyRouteComponent(() => import('./pages/projects/marketplace.tsx'), 'MarketplacePage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/marketplace/$project',
    component: lazyRouteComponent(() => import('./pages/projects/marketplace-project.tsx'), 'MarketplaceProjectPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/open',
    component: lazyRouteComponent(() => import('./pages/projects/open-link.tsx'), 'OpenLinkPage'),
  }),
] as const

/** The route tree. Pages are loaded when they are first visited. */
export const routeTree = rootRoute.addChildren([
  ...visitorPages,
  shellRoute.addChildren([...commonPages, workspaceRoute.addChildren([...workspacePages])]),
])
