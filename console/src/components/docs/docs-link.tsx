import { type ComponentProps, lazy } from 'react'
import { OptionalPart } from '../patterns/optional-part.tsx'

/** The table of topics is loaded after the page, because the first page has a size limit. */
const Loaded = lazy(() => import('./docs-anchor.tsx').then(({ DocsAnchor }) => ({ default: DocsAnchor })))

export function DocsLink(props: ComponentProps<typeof Loaded>) {
  return (
    <OptionalPart instead={<a href="/docs/">Docs</a>}>
      <Loaded {...props} />
    </OptionalPart>
  )
}
