import { LinkText } from '../../components/link-text.tsx'
import { Figure } from '../../components/patterns/figure.tsx'
import { Severity } from '../../components/patterns/severity.tsx'
import { useNow } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { describeDuration } from '../../layouts/alert/alert-state.tsx'
import { amountIn } from '../../layouts/alert/amount.ts'
import type { Titles } from '../../layouts/alert/use-titles.ts'
import { Card } from './card.tsx'
import type { Summary } from './headline.ts'
import classes from './home.module.css'

type Firing = Summary['firingAlerts']['list'][number]
type FiringNowProps = { workspace: string; firing: Summary['firingAlerts']; titles: Titles }
const shownMax = 3

/** The alerts that fire and are not resolved. While none does, the headline says so. */
export function FiringNow({ workspace, firing, titles }: FiringNowProps) {
  if (firing.count === 0) return null
  return (
    <Card
      title="Firing now"
      isFlush
      isFiring
      action={
        <LinkText to="/w/$workspace/alerts" params={{ workspace }} search={{ state: 'firing' }}>
          All firing
        </LinkText>
      }
    >
      <ul className={classes.firing}>
        {firing.list.slice(0, shownMax).map((one) => (
          <li key={one.id}>
            <FiringAlert workspace={workspace} alert={one} titles={titles} />
          </li>
        ))}
      </ul>
      {firing.count > shownMax && <p className={classes.foot}>{(firing.count - shownMax).toLocaleString('en')} more</p>}
    </Card>
  )
}

function FiringAlert({ workspace, alert, titles }: { workspace: string; alert: Firing; titles: Titles }) {
  const now = useNow()
  const { id, title, trigger, severity, createdAt } = alert
  const amount = amountIn(title ?? '')
  return (
    <>
      <div className={classes.firingHead}>
        <LinkText to="/w/$workspace/alerts/$alert" params={{ workspace, alert: id }}>
          {title ?? titles.trigger(trigger)}
        </LinkText>
        <Severity value={severity} />
      </div>
      {amount && <Figure size="card" {...amount} />}
      <div className={classes.firingFoot}>
        <span>{titles.trigger(trigger)}</span>
        <Status value="firing" label={`Firing for ${describeDuration(Math.max(0, now - Date.parse(createdAt)))}`} />
      </div>
    </>
  )
}
