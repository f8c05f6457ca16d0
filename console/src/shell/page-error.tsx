import { Button, Group, Stack } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { isLoadFailure } from '../components/describe-error.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { ErrorNotice } from '../components/error-notice.tsx'
import { IconCompass } from '../components/first-icons.tsx'
import { LinkButton } from '../components/links.tsx'

/** Shown when a page fails. The rest of the console still works. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    // The browser caches the failed load of a file, so only a reload requests the file again.
    if (isLoadFailure(error) && navigator.onLine) return location.reload()
    reset()
    void router.invalidate()
  }
  return (
    <Stack maw={640} mx="auto" py="xl">
      <ErrorNotice error={error} />
      <Group>
        <Button onClick={retry}>Try again</Button>
        <Button variant="default" onClick={() => location.assign('/')}>
          Go to home
        </Button>
      </Group>
    </Stack>
  )
}

/** Shown when the shell itself fails. */
export function SiteError(props: ErrorComponentProps) {
  return (
    <main id="main" tabIndex={-1}>
      <PageError {...props} />
    </main>
  )
}

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
