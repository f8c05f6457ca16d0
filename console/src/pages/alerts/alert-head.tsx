import { ClockTime } from '../../components/patterns/clock-time.tsx'
import { Figure } from '../../components/patterns/figure.tsx'
import { Glyph } from '../../components/patterns/glyph.tsx'
import { Severity } from '../../components/patterns/severity.tsx'
import type { TracedAlert } from '../../layouts/alert/alert-status.ts'
import { amountIn } from '../../layouts/alert/amount.ts'
import { useTitles } from '../../layouts/alert/use-titles.ts'
import classes from './alert-head.module.css'

/** What the alert says at a glance: where it comes from, how serious it is, and its amount. */
export function AlertHead({ workspace, alert }: { workspace: string; alert: TracedAlert }) {
  const titles = useTitles(workspace)
  const source = alert.source === undefined ? undefined : titles.source(alert.source)
  const trigger = titles.trigger(alert.trigger)
  const amount = amountIn(alert.message.title)
  return (
    <div className={classes.head}>
      <p className={classes.origin}>
        {source ? <Glyph {...source} size={26} /> : <Glyph kind="timer" title={trigger} size={26} />}
        <strong title={alert.trigger}>{trigger}</strong>
        {source && <span>{source.title}</span>}
        <Severity value={alert.severity} />
        <ClockTime at={alert.createdAt} />
      </p>
      {amount && (
        <p className={classes.amount}>
          <Figure size="hero" {...amount} />
        </p>
      )}
    </div>
  )
}
