import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requireSession } from './data/session.ts'
import { Root } from './shell/root.tsx'

/** What every page hangs from; apart from `routes.ts`, so that a noun's routes can name their parent. */
export const rootRoute = createRootRoute({ component: Root })

/** Pages inside the shell, for somebody who is signed in. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
})

/** Pages of one workspace: their path begins with its name. */
export const workspaceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/w/$workspace',
  component: lazyRouteComponent(() => import('./shell/workspace-frame.tsx'), 'WorkspaceFrame'),
})
