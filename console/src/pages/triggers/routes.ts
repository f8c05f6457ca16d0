import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../shell/root-routes.tsx'

export const triggerRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/triggers',
    component: lazyRouteComponent(() => import('./list/triggers.tsx'), 'TriggersPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/triggers/new',
    validateSearch: (search: Record<string, unknown>): { project?: string } =>
      typeof search.project === 'string' ? { project: search.project } : {},
    component: lazyRouteComponent(() => import('./create/new-trigger.tsx'), 'NewTriggerPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/triggers/$trigger',
    component: lazyRouteComponent(() => import('./trigger/trigger.tsx'), 'TriggerPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/triggers/$trigger/edit',
    component: lazyRouteComponent(() => import('./builder/edit-trigger.tsx'), 'EditTriggerPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/$project/triggers',
    component: lazyRouteComponent(() => import('./list/project-triggers.tsx'), 'ProjectTriggersPage'),
  }),
] as const
