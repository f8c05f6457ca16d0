import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** Around every page: the link past the navigation, and focus where the new content begins after a page change. */
export function Root() {
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const before = useRef<string>(undefined)
  useEffect(() => {
    // The first page keeps the browser's own focus, and whoever moves within the content keeps his place there.
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
