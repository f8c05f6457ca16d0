import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { workspaceRoute } from '../../shell/root-routes.tsx'

export const templateRoutes = [
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/$project/templates',
    component: lazyRouteComponent(() => import('./templates.tsx'), 'TemplatesPage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/$project/templates/new',
    component: lazyRouteComponent(() => import('./new-template.tsx'), 'NewTemplatePage'),
  }),
  createRoute({
    getParentRoute: () => workspaceRoute,
    path: '/projects/$project/templates/$template',
    component: lazyRouteComponent(() => import('./edit-template.tsx'), 'EditTemplatePage'),
  }),
] as const
