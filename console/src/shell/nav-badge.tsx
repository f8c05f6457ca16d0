import { VisuallyHidden } from '@mantine/core'
import { useApiQuery } from '../data/queries.ts'
import type { BadgeKind } from './navigation.ts'
import classes from './shell.module.css'

const pollMs = 15_000

/** How many things need a person, beside the navigation entry. */
export function NavBadge({ kind, workspace }: { kind: BadgeKind; workspace: string }) {
  const { data } = useApiQuery('getWorkspaceSummary', { fullname: workspace }, { pollMs })
  const count = (kind === 'firing' ? data?.firingAlerts : data?.failingResources)?.count ?? 0
  if (count === 0) return null
  return (
    <span className={classes.badge}>
      {count.toLocaleString('en')}
      <VisuallyHidden component="span"> {kind}</VisuallyHidden>
    </span>
  )
}
