import { Button, Container, Group } from '@mantine/core'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorNotice } from '../parts/error-notice.tsx'

/** A page that failed says so, and leaves the rest of the console alive. */
export function PageError({ error, reset }: ErrorComponentProps) {
  return (
    <Container size="sm" py="xl" id="main" tabIndex={-1}>
      <ErrorNotice error={error} />
      <Group mt="md">
        <Button onClick={reset}>Try again</Button>
        <Button variant="default" onClick={() => location.assign('/')}>
          Go to the start
        </Button>
      </Group>
    </Container>
  )
}
