import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute, workspaceRoute } from '../../shell/root-routes.tsx'

export const watchRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/watch',
    component: lazyRouteComponent(() => import('./watch.tsx'), 'WatchPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/watch/address',
    validateSearch: (search: Record<string, unknown>) => textsOf(search, ['source', 'address']),
    component: lazyRouteComponent(() => import('./address/address-page.tsx'), 'AddressPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/watch/health',
    component: lazyRouteComponent(() => import('./health/health-page.tsx'), 'HealthPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/watch/$goal',
    validateSearch: (search: Record<string, unknown>) => textsOf(search, ['source', 'subject']),
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

/** Only these values, and only if they are texts. */
function textsOf<Name extends string>(search: Record<string, unknown>, names: Name[]): { [Each in Name]?: string } {
  const texts: { [Each in Name]?: string } = {}
  for (const name of names) if (typeof search[name] === 'string') texts[name] = search[name]
  return texts
}
