import { Button, Group, Stack } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { ErrorNotice } from '../components/error-notice.tsx'
import { isLoadFailure } from '../components/error-sentence.ts'

/** A page that failed says so, and leaves the rest of the console alive. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    // The browser remembers that a file of the console failed to load, so only a new document asks for it again.
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
          Go to the start
        </Button>
      </Group>
    </Stack>
  )
}

/** The shell itself failed. */
export function SiteError(props: ErrorComponentProps) {
  return (
    <main id="main" tabIndex={-1}>
      <PageError {...props} />
    </main>
  )
}
