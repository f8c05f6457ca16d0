import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../shell/root-routes.tsx'

export const projectRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects',
    component: lazyRouteComponent(() => import('./projects.tsx'), 'ProjectsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/new',
    component: lazyRouteComponent(() => import('./new-project.tsx'), 'NewProjectPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/$project',
    component: lazyRouteComponent(() => import('./project.tsx'), 'ProjectPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/$project/settings',
    component: lazyRouteComponent(() => import('./project-settings.tsx'), 'ProjectSettingsPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/$project/links',
    component: lazyRouteComponent(() => import('./access-links.tsx'), 'AccessLinksPage'),
  }),
] as const
