import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../shell/root-routes.tsx'

export const customSourceRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/sources',
    component: lazyRouteComponent(() => import('./custom-sources.tsx'), 'CustomSourcesPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/sources/runtime',
    component: lazyRouteComponent(() => import('./runtime-sources.tsx'), 'RuntimeSourcesPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/sources/new',
    component: lazyRouteComponent(() => import('./new-source.tsx'), 'NewSourcePage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/sources/$source',
    component: lazyRouteComponent(() => import('./source.tsx'), 'SourcePage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/sources/$source/edit',
    component: lazyRouteComponent(() => import('./edit-source.tsx'), 'EditSourcePage'),
  }),
] as const
