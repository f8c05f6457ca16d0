import { type ComponentProps, lazy, Suspense } from 'react'

/** The table of topics is loaded after the page, because the first page has a size limit. */
const Loaded = lazy(() => import('./docs-anchor.tsx').then(({ DocsAnchor }) => ({ default: DocsAnchor })))

export function DocsLink(props: ComponentProps<typeof Loaded>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  )
}
