import type { ReactNode } from 'react'
import { LinkText } from '../../components/links.tsx'
import { MessageCard } from '../../components/message-card.tsx'
import { ClockTime } from '../../components/patterns/clock-time.tsx'
import { Figure } from '../../components/patterns/figure.tsx'
import { Severity } from '../../components/patterns/severity.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { useApiQuery } from '../../data/queries.ts'
import { AddressText } from '../../layouts/address/address-text.tsx'
import type { Source } from '../../layouts/address/use-sources.ts'
import { describeDuration, Resolved, StateOf } from '../../layouts/alert/alert-state.tsx'
import { statusOf, type TracedAlert } from '../../layouts/alert/alert-status.ts'
import { amountIn } from '../../layouts/alert/amount.ts'
import { useTitles } from '../../layouts/alert/use-titles.ts'
import classes from './alert-head.module.css'
import timelineStyles from './timeline.module.css'

type AlertHeadProps = { workspace: string; alert: TracedAlert; source: Source | undefined }

/** What the alert says at a glance: its amount, its message, how serious it is and whether it is over. */
export function AlertHead({ workspace, alert, source }: AlertHeadProps) {
  const amount = amountIn(alert.message.title)
  return (
    <section className={classes.hero} aria-label="Message" data-firing={isFiring(alert) || undefined}>
      <div className={classes.head}>
        {amount && (
          <p className={classes.amount}>
            <Figure size="hero" {...amount} />
          </p>
        )}
        <MessageCard
          message={alert.message}
          showText={(text) => <AddressText text={text} source={source} />}
          hasTitle={amount === undefined}
        />
      </div>
      <Timeline workspace={workspace} alert={alert} />
    </section>
  )
}

/** The line under the title: trigger, network, severity, state, status and time. */
export function AlertLine({ workspace, alert, source }: AlertHeadProps) {
  const titles = useTitles(workspace)
  const { severity, resolvedBy, resource } = alert
  const origin = resource === undefined ? titles.trigger(alert.trigger) : titles.destination(resource)
  return (
    <span className={classes.line}>
      <strong title={resource ?? alert.trigger}>{origin}</strong>
      {alert.source !== undefined && <span title={alert.source}>{source?.title ?? alert.source}</span>}
      {severity !== 'info' && <Severity value={severity} />}
      {resolvedBy ? (
        <Resolved workspace={workspace} other={resolvedBy.id} durationMs={resolvedBy.durationMs} />
      ) : (
        <StateOf workspace={workspace} alert={alert} isOpen />
      )}
      <Status {...statusOf(alert)} />
      <ClockTime at={alert.createdAt} />
    </span>
  )
}

/** A retracted alert is over, although nothing resolved it. */
function isFiring({ state, resolvedBy, status }: TracedAlert): boolean {
  return state === 'firing' && resolvedBy === undefined && status !== 'retracted'
}

type TimelineProps = { workspace: string; alert: TracedAlert }
type Resolution = NonNullable<TracedAlert['resolvedBy']>

/** From the firing alert to the resolved one. Both alerts show it. */
function Timeline({ workspace, alert }: TimelineProps) {
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
      <dl className={timelineStyles.steps}>
        {steps.map(([name, text]) => (
          <div
            key={name}
            className={timelineStyles.step}
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
