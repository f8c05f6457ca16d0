import { Text, VisuallyHidden } from '@mantine/core'
import { LinkText } from '../components/link-text.tsx'
import { Notice } from '../components/notice.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { useCurrentWorkspace } from '../data/workspace.ts'
import { isFailing, useDestinations } from '../layouts/destination/health.tsx'
import classes from './shell.module.css'

const shownMax = 3

/** Shown above every page while a destination of the workspace is failing. */
export function FailingNotice() {
  const { current } = useCurrentWorkspace()
  const failing = useDestinations(current?.fullname).items.filter(isFailing)
  if (!current || failing.length === 0) return null
  const title = failing.length === 1 ? 'A destination is failing' : `${failing.length} destinations are failing`
  return (
    <div className={classes.failing}>
      <Notice tone="warn" title={title}>
        {failing.slice(0, shownMax).map(({ fullname, name, meta, ready, health }) => (
          <Text key={fullname} size="sm">
            <LinkText
              to="/w/$workspace/resources/$resource"
              params={{ workspace: current.fullname, resource: fullname }}
            >
              {meta.title ?? name}
            </LinkText>
            {ready ? ' is failing. First failure: ' : ' is disabled. First failure: '}
            {health?.failingSince && <RelativeTime at={health.failingSince} />}
            {health?.lastError && `. Last error: ${health.lastError}`}
          </Text>
        ))}
      </Notice>
    </div>
  )
}

/** The number of failing destinations, beside the navigation entry. */
export function FailingBadge({ workspace }: { workspace: string | undefined }) {
  const failing = useDestinations(workspace).items.filter(isFailing).length
  if (failing === 0) return null
  return (
    <span className={classes.badge}>
      {failing}
      <VisuallyHidden component="span"> failing</VisuallyHidden>
    </span>
  )
}
