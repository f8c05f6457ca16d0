import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requireSession } from '../data/session.ts'
import { SiteError } from './page-error.tsx'
import { PageMissing } from './page-missing.tsx'
import { Root } from './root.tsx'

/** What every page hangs from; apart from `routes.ts`, so that a noun's routes can name their parent. */
export const rootRoute = createRootRoute({ component: Root, errorComponent: SiteError })

/** Pages inside the shell, for somebody who is signed in. */
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

/** Pages of one workspace: their path begins with its name. */
export const workspaceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/w/$workspace',
  component: lazyRouteComponent(() => import('./workspace-layout.tsx'), 'WorkspaceLayout'),
  notFoundComponent: PageMissing,
})
