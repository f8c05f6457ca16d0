import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requireSession } from '../data/session.ts'
import { SiteError } from './page-error.tsx'
import { PageMissing } from './page-missing.tsx'
import { Root } from './root.tsx'

/** The root route. It is not in `routes.ts`, so that the routes of a noun can import their parent without a cycle. */
export const rootRoute = createRootRoute({ component: Root, errorComponent: SiteError })

/** Parent of the pages that need a session. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell'),
  errorComponent: SiteError,
  // The frame in index.html stays while the shell loads.
  pendingComponent: () => null,
  notFoundComponent: PageMissing,
})

/** Parent of the pages of one workspace. */
export const workspaceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/w/$workspace',
  component: lazyRouteComponent(() => import('./workspace-layout.tsx'), 'WorkspaceLayout'),
  notFoundComponent: PageMissing,
})
