import { MessageCard } from '../../components/message-card.tsx'
import { ClockTime } from '../../components/patterns/clock-time.tsx'
import { Figure } from '../../components/patterns/figure.tsx'
import { Severity } from '../../components/patterns/severity.tsx'
import { Status } from '../../components/status.tsx'
import { AddressText } from '../../layouts/address/address-text.tsx'
import type { Source } from '../../layouts/address/use-sources.ts'
import { Resolved, StateOf } from '../../layouts/alert/alert-state.tsx'
import { statusOf, type TracedAlert } from '../../layouts/alert/alert-status.ts'
import { amountIn } from '../../layouts/alert/amount.ts'
import { useTitles } from '../../layouts/alert/use-titles.ts'
import classes from './alert-head.module.css'
import { Timeline } from './timeline.tsx'

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
