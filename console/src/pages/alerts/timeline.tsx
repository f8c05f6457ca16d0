import type { ReactNode } from 'react'
import { LinkText } from '../../components/link-text.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { useApiQuery } from '../../data/queries.ts'
import { describeDuration } from '../../layouts/alert/alert-state.tsx'
import type { TracedAlert } from '../../layouts/alert/alert-status.ts'
import classes from './timeline.module.css'

type TimelineProps = { workspace: string; alert: TracedAlert }
type Resolution = NonNullable<TracedAlert['resolvedBy']>

/** From the firing alert to the resolved one. Both alerts show it. */
export function Timeline({ workspace, alert }: TimelineProps) {
  const { state, resolves = '' } = alert
  const other = useApiQuery('getAlert', { id: resolves }, { enabled: resolves !== '' })
  if (state === null || other.isLoading) return null
  const fired = state === 'firing' ? alert : other.data
  // A repeat goes to every destination. One whose last delivery is still pending is left out.
  const repeats = new Set(fired?.deliveries.flatMap(({ repeat }) => repeat ?? [])).size
  const show = (id: string, at: string) => <Point {...{ workspace, id, at }} isHere={id === alert.id} />
  const resolution = resolutionOf(alert, fired)
  const steps: [string, ReactNode][] = [
    ['Fired', fired ? show(fired.id, fired.createdAt) : 'The alert is no longer stored.'],
    ...(repeats > 0 ? [['Repeated', repeats === 1 ? 'Once' : `${repeats} times`] satisfies [string, string]] : []),
    ['Resolved', <End key="end" resolution={resolution} fired={fired ?? alert} show={show} />],
  ]
  return (
    <section aria-label="Timeline">
      <dl className={classes.steps}>
        {steps.map(([name, text]) => (
          <div
            key={name}
            className={classes.step}
            data-step={name}
            data-open={(name === 'Resolved' && !resolution) || undefined}
          >
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

type EndProps = { resolution: Resolution | undefined; fired: TracedAlert; show: (id: string, at: string) => ReactNode }

function End({ resolution, fired, show }: EndProps) {
  if (!resolution) return fired.status === 'retracted' ? 'Retracted' : 'Not yet'
  return (
    <>
      {show(resolution.id, resolution.createdAt)}, after {describeDuration(resolution.durationMs)}
    </>
  )
}

/** A retracted alert resolves nothing. */
function resolutionOf(alert: TracedAlert, fired: TracedAlert | undefined): Resolution | undefined {
  if (fired) return fired.resolvedBy
  const { id, createdAt, status, durationMs = 0 } = alert
  return status === 'retracted' ? undefined : { id, createdAt, durationMs }
}

type PointProps = { workspace: string; id: string; at: string; isHere: boolean }

function Point({ workspace, id, at, isHere }: PointProps) {
  return (
    <>
      <RelativeTime at={at} />
      {isHere ? (
        ' (this alert)'
      ) : (
        <>
          {' ('}
          <LinkText to="/w/$workspace/alerts/$alert" params={{ workspace, alert: id }}>
            open alert
          </LinkText>
          )
        </>
      )}
    </>
  )
}
