import { LinkButton } from '../components/link-button.tsx'
import { ChannelGlyph } from '../components/patterns/channel-glyph.tsx'
import { useNow } from '../components/relative-time.tsx'
import { useCurrentWorkspace } from '../data/workspace.ts'
import { describeDuration } from '../layouts/alert/alert-state.tsx'
import { kindOf, type Resource } from '../layouts/destination/blueprints.ts'
import { isFailing, queueText, useDestinations } from '../layouts/destination/health.tsx'
import classes from './failing-notice.module.css'

/** Shown above every page while a destination of the workspace is failing: the one that failed first. */
export function FailingNotice() {
  const { current } = useCurrentWorkspace()
  const failing = useDestinations(current?.fullname).items.filter(isFailing)
  const [first] = failing.toSorted((a, b) => since(a).localeCompare(since(b)))
  if (!current || !first) return null
  return (
    <section className={classes.banner} aria-label="Failing destinations">
      <ChannelGlyph kind={kindOf(first.blueprint)} size={40} />
      <div className={classes.words}>
        <Headline resource={first} />
        <div>{detailsOf(first, failing.length - 1).join(' ')}</div>
      </div>
      <LinkButton
        variant="default"
        to="/w/$workspace/resources/$resource"
        params={{ workspace: current.fullname, resource: first.fullname }}
      >
        Open destination
      </LinkButton>
    </section>
  )
}

function Headline({ resource }: { resource: Resource }) {
  const { name, meta, ready } = resource
  const now = useNow()
  const lasted = describeDuration(Math.max(0, now - Date.parse(since(resource))))
  return (
    <strong>
      {meta.title ?? name} {ready ? `has been failing for ${lasted}` : `is off after failing for ${lasted}`}
    </strong>
  )
}

function detailsOf(resource: Resource, others: number): string[] {
  const queue = queueText(resource)
  const lastError = resource.health?.lastError
  return [
    ...(queue === undefined ? [] : [`${queue} in its queue.`]),
    ...(lastError === undefined ? [] : [`Last error: ${lastError}`]),
    ...(others > 0 ? [`${others} more ${others === 1 ? 'destination is' : 'destinations are'} failing.`] : []),
  ]
}

function since({ health, updatedAt }: Resource): string {
  return health?.failingSince ?? updatedAt
}
