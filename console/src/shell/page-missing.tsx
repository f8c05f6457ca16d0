import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '../parts/empty-state.tsx'
import { IconCompass } from '../parts/icons.tsx'

export function PageMissing() {
  return (
    <EmptyState
      icon={IconCompass}
      title="There is no such page"
      text="The address may be mistyped, or what it named is gone."
    >
      <Button component={Link} to="/">
        Go to the start
      </Button>
    </EmptyState>
  )
}
