import { EmptyState } from '../components/empty-state.tsx'
import { IconCompass } from '../components/icons.tsx'
import { LinkButton } from '../components/link-button.tsx'

/** For an address below a page that exists: inside the shell. */
export function PageMissing() {
  return (
    <EmptyState
      isPage
      icon={IconCompass}
      title="There is no such page"
      text="The address may be mistyped, or what it named is gone."
    >
      <LinkButton to="/">Go to the start</LinkButton>
    </EmptyState>
  )
}

/** For an address that leads nowhere at all. */
export function SiteMissing() {
  return (
    <main id="main" tabIndex={-1}>
      <PageMissing />
    </main>
  )
}
