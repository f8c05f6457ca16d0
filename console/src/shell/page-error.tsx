import { Button, Group, Stack } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorNotice } from '../parts/error-notice.tsx'

/** A page that failed says so, and leaves the rest of the console alive. */
export function PageError({ error, reset }: ErrorComponentProps) {
  return (
    <Stack maw={640} mx="auto" py="xl">
      <ErrorNotice error={error} />
      <Group>
        <Button onClick={reset}>Try again</Button>
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
