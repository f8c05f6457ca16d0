import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Around every page: the link past the navigation, and focus on the heading after a page change. */
export function Root() {
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  useEffect(() => {
    // The first page keeps the browser's own focus; later ones put it where the new content begins.
    if (pathname !== undefined && document.activeElement === document.body) document.getElementById('main')?.focus()
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
