import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { shellRoute } from '../../shell/root-routes.ts'

/** Only in development. The build for users has no such page and does not contain its code. */
export const designRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/design',
    ...(import.meta.env.DEV
      ? { component: lazyRouteComponent(() => import('./design.tsx'), 'DesignPage') }
      : {
          beforeLoad: () => {
            throw notFound()
          },
        }),
  }),
] as const
