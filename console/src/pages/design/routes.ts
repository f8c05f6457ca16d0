import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { PageMissing } from '../../shell/page-error.tsx'
import { shellRoute } from '../../shell/root-routes.tsx'

/** Only in development. The build for users has no such page and does not contain its code. */
export const designRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/design',
    component: import.meta.env.DEV ? lazyRouteComponent(() => import('./design.tsx'), 'DesignPage') : PageMissing,
  }),
] as const
