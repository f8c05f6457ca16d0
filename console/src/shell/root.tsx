import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** The root of every page: the skip link, and focus on the new content after a page change. */
export function Root() {
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
