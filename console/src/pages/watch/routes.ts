import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute, workspaceRoute } from '../../shell/root-routes.ts'

export const watchRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/watch',
    component: lazyRouteComponent(() => import('./watch.tsx'), 'WatchPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/watch/$goal',
    component: lazyRouteComponent(() => import('./goal/goal-page.tsx'), 'GoalPage'),
  }),
] as const

/** The same page of the current workspace, for links that know no workspace. */
export const watchShortcutRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/watch',
    component: lazyRouteComponent(() => import('./watch-shortcut.tsx'), 'WatchShortcut'),
  }),
] as const
