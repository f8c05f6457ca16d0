import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute, workspaceRoute } from '../shell/root-routes.tsx'

/** Nouns that have one page. */
export const aboutRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/about',
    component: lazyRouteComponent(() => import('./about/about.tsx'), 'AboutPage'),
  }),
] as const

export const addressRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/addresses',
    component: lazyRouteComponent(() => import('./addresses/addresses.tsx'), 'AddressesPage'),
  }),
] as const

export const addressListRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/address-lists',
    component: lazyRouteComponent(() => import('./addresses/address-lists.tsx'), 'AddressListsPage'),
  }),
] as const

export const firstStepsRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/first-steps',
    component: lazyRouteComponent(() => import('./first-steps/first-steps.tsx'), 'FirstStepsPage'),
  }),
] as const
