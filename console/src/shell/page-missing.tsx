import { EmptyState } from '../components/empty-state.tsx'
import { IconCompass } from '../components/first-icons.tsx'
import { LinkButton } from '../components/link-button.tsx'

/** Not found, inside the shell. */
export function PageMissing() {
  return (
    <EmptyState isPage icon={IconCompass} title="Page not found" text="The URL may be wrong, or the page was deleted.">
      <LinkButton to="/">Go to home</LinkButton>
    </EmptyState>
  )
}

/** Not found, outside the shell. */
export function SiteMissing() {
  return (
    <main id="main" tabIndex={-1}>
      <PageMissing />
    </main>
  )
}
