import { VisuallyHidden } from '@mantine/core'
import { isFailing, useDestinations } from '../layouts/destination/health.tsx'
import type { BadgeKind } from './navigation.ts'
import classes from './shell.module.css'

/** How many things need a person, beside the navigation entry. */
export function NavBadge({ kind, workspace }: { kind: BadgeKind; workspace: string }) {
  const count = useCount(kind, workspace)
  if (count === 0) return null
  return (
    <span className={classes.badge}>
      {count}
      <VisuallyHidden component="span"> {kind}</VisuallyHidden>
    </span>
  )
}

function useCount(kind: BadgeKind, workspace: string): number {
  const failing = useDestinations(workspace).items.filter(isFailing).length
  return kind === 'failing' ? failing : 0
}
