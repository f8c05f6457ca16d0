import { createRootRoute, createRoute, lazyRouteComponent, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { requireSession } from '../data/session.ts'
import { PageMissing, SiteError } from './page-error.tsx'

/** The root route. It is not in `routes.ts`, so that the lists of pages can import their parents without a cycle. */
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

/** The root of every page: the skip link, and focus on the new content after a page change. */
function Root() {
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const before = useRef<string>(undefined)
  useEffect(() => {
    // The first page keeps the browser's focus. A user who navigates inside the content keeps the focus there.
    const main = document.getElementById('main')
    if (before.current !== undefined && main && !main.contains(document.activeElement)) main.focus()
    before.current = pathname
  }, [pathname])
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <Outlet />
    </>
  )
}
