import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../root-routes.ts'

export const triggerRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/triggers',
    component: lazyRouteComponent(() => import('./triggers.tsx'), 'TriggersPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/triggers/new',
    validateSearch: (search: Record<string, unknown>): { project?: string } =>
      typeof search.project === 'string' ? { project: search.project } : {},
    component: lazyRouteComponent(() => import('./new-trigger.tsx'), 'NewTriggerPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/triggers/$trigger',
    component: lazyRouteComponent(() => import('./trigger.tsx'), 'TriggerPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/triggers/$trigger/edit',
    component: lazyRouteComponent(() => import('./edit-trigger.tsx'), 'EditTriggerPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/$project/triggers',
    component: lazyRouteComponent(() => import('./project-triggers.tsx'), 'ProjectTriggersPage'),
  }),
] as const
