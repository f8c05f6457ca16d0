import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { requireSession } from './data/session.ts'
import { SiteError } from './shell/page-error.tsx'
import { PageMissing } from './shell/page-missing.tsx'
import { Root } from './shell/root.tsx'
import { SiteLoading } from './shell/site-loading.tsx'

/** What every page hangs from; apart from `routes.ts`, so that a noun's routes can name their parent. */
export const rootRoute = createRootRoute({ component: Root, errorComponent: SiteError })

/** Pages inside the shell, for somebody who is signed in. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
  errorComponent: SiteError,
  pendingComponent: SiteLoading,
  notFoundComponent: PageMissing,
})

/** Pages of one workspace: their path begins with its name. */
export const workspaceRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/w/$workspace',
  component: lazyRouteComponent(() => import('./shell/workspace-frame.tsx'), 'WorkspaceFrame'),
  notFoundComponent: PageMissing,
})
