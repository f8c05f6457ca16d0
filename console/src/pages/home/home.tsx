import { Skeleton, Text, Title } from '@mantine/core'
import { useThrottledCallback } from '@mantine/hooks'
import { useState } from 'react'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { IconAlert, IconPlus } from '../../components/icons.tsx'
import { LinkButton, LinkText } from '../../components/links.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { Figure } from '../../components/patterns/figure.tsx'
import { RichRows } from '../../components/patterns/rich-row.tsx'
import { Severity } from '../../components/patterns/severity.tsx'
import { useNow } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { TableSkeleton } from '../../components/table/table-states.tsx'
import { type List, useApiList } from '../../data/lists.ts'
import { useLive } from '../../data/live.ts'
import { useApiQuery } from '../../data/queries.ts'
import { useWorkspace } from '../../data/workspace.ts'
import { useSources } from '../../layouts/address/use-sources.ts'
import { AlertRow } from '../../layouts/alert/alert-row.tsx'
import { describeDuration } from '../../layouts/alert/alert-state.tsx'
import { type Alert, statusOf } from '../../layouts/alert/alert-status.ts'
import { amountIn } from '../../layouts/alert/amount.ts'
import { type Titles, useTitles } from '../../layouts/alert/use-titles.ts'
import { type Counts, type CountsRange, dayInWords, rangeNames } from '../../layouts/counts/counts.ts'
import { CountsBars, RangeChoice } from '../../layouts/counts/counts-bars.tsx'
import { FirstStepsState } from '../../layouts/first-steps-state.tsx'
import { GoalCards } from '../../layouts/watch/goal-cards.tsx'
import { Card, ListCard } from './card.tsx'
import { headlineOf, type Summary } from './headline.ts'
import classes from './home.module.css'
import { SourcesCard } from './sources-card.tsx'

const pollMs = 15_000
const recentMax = 7
const brokenMax = 3
type Broken = Summary['troubledTriggers']
/** Many alerts may come at once. A reload cancels the one before, so without a pause none would end. */
const reloadPauseMs = 1_000

/** What needs a person now, what happened in the last hours, and what to watch next. */
export function WorkspaceHomePage() {
  const { fullname: workspace } = useWorkspace()
  const summary = useApiQuery('getWorkspaceSummary', { fullname: workspace }, { pollMs })
  const recent = useApiList('listAlerts', { query: { workspace, limit: String(recentMax) } }, { pollMs })
  const titles = useTitles(workspace)
  const reload = useThrottledCallback(recent.reload, reloadPauseMs)
  const isLive = useLive(workspace, ({ event }) => {
    if (event === 'alert') reload()
  })
  const isNew = !recent.isLoading && !recent.error && recent.items.length === 0
  return (
    <Page
      title={summary.data ? headlineOf(summary.data) : 'Home'}
      crumb="Home"
      about={
        <>
          <Status value={isLive ? 'running' : 'pending'} label={isLive ? 'Live' : 'Connecting'} />
          <DayInWords workspace={workspace} />
        </>
      }
      actions={
        <LinkButton to="/w/$workspace/watch" params={{ workspace }} leftSection={<IconPlus />}>
          Watch…
        </LinkButton>
      }
    >
      <ErrorNotice error={summary.error} retry={() => void summary.refetch()} />
      {summary.data && <BrokenTriggers workspace={workspace} broken={summary.data.troubledTriggers} />}
      {isNew && <NewWorkspace />}
      {!isNew && (
        <>
          <div className={classes.top} data-quiet={summary.data?.firingAlerts.count === 0 || undefined}>
            {summary.data ? (
              <FiringNow workspace={workspace} firing={summary.data.firingAlerts} titles={titles} />
            ) : (
              <Skeleton height={320} radius="lg" />
            )}
            <CountsChart workspace={workspace} />
          </div>
          <div className={classes.bottom}>
            <RecentAlerts workspace={workspace} list={recent} titles={titles} />
            <SourcesCard workspace={workspace} />
          </div>
        </>
      )}
      <section aria-label="Goals">
        <Title order={2} mb="sm">
          Watch…
        </Title>
        <GoalCards workspace={workspace} />
      </section>
    </Page>
  )
}

/** The triggers that make no alerts, each with the reason. */
function BrokenTriggers({ workspace, broken: { count, list } }: { workspace: string; broken: Broken }) {
  if (count === 0) return null
  const shown = list.slice(0, brokenMax)
  return (
    <Notice tone="bad" title={count === 1 ? 'A trigger makes no alerts' : `${count} triggers make no alerts`}>
      {shown.map(({ fullname, title, issue }) => (
        <Text key={fullname} size="sm" lineClamp={2}>
          <LinkText to="/w/$workspace/triggers/$trigger" params={{ workspace, trigger: fullname }}>
            {title}
          </LinkText>
          {issue && `: ${issue}`}
        </Text>
      ))}
      {count > shown.length && (
        <LinkText to="/w/$workspace/triggers" params={{ workspace }}>
          Show all
        </LinkText>
      )}
    </Notice>
  )
}

/** “ · 1,283 alerts in the last 24 hours, 97.9% of delivery attempts succeeded” */
function DayInWords({ workspace }: { workspace: string }) {
  const { data } = useApiQuery('getWorkspaceCounts', { fullname: workspace, query: { range: '24h' } }, { pollMs })
  return data ? <span> · {dayInWords(data)}</span> : null
}

function NewWorkspace() {
  return (
    <div className={classes.card}>
      <FirstStepsState
        icon={IconAlert}
        title="No alerts yet"
        text="Choose what to watch below. To see how an alert arrives, start with a timer: it takes a minute and needs no chain."
      >
        <LinkButton to="/marketplace" variant="default">
          Browse the marketplace
        </LinkButton>
      </FirstStepsState>
    </div>
  )
}

type RecentAlertsProps = { workspace: string; list: List<Alert>; titles: Titles }

function RecentAlerts({ workspace, list, titles }: RecentAlertsProps) {
  const sources = useSources()
  return (
    <ListCard title="Recent alerts" workspace={workspace} to="/w/$workspace/alerts">
      <ErrorNotice error={list.error} retry={list.reload} />
      {list.isLoading && <TableSkeleton label="Recent alerts" />}
      <RichRows label="Recent alerts, newest first">
        {list.items.map((alert) => (
          <AlertRow
            key={alert.id}
            workspace={workspace}
            alert={alert}
            titles={titles}
            source={sources.find(alert.source)}
            state={<State alert={alert} />}
          />
        ))}
      </RichRows>
      {!list.isLoading && !list.error && list.items.length === 0 && <p className={classes.foot}>No alerts yet.</p>}
    </ListCard>
  )
}

/** Only what is worth a word: a delivered alert shows its destinations. */
function State({ alert }: { alert: Alert }) {
  const status = statusOf(alert)
  return status.value === 'delivered' ? null : <Status {...status} />
}

const countsPollMs = 30_000

/** Alerts of the last 24 hours, 7 days or 30 days. */
function CountsChart({ workspace }: { workspace: string }) {
  const [range, setRange] = useState<CountsRange>('24h')
  const query = useApiQuery('getWorkspaceCounts', { fullname: workspace, query: { range } }, { pollMs: countsPollMs })
  return (
    <Card
      title={range === '24h' ? 'Alerts per hour' : 'Alerts per day'}
      action={<RangeChoice label="Time range" range={range} choose={setRange} />}
    >
      <Loaded query={query} height={260}>
        {(counts) => <Chart counts={counts} />}
      </Loaded>
    </Card>
  )
}

function Chart({ counts }: { counts: Counts }) {
  return (
    <>
      <p className={classes.total}>
        <Figure size="card" value={counts.total.recorded.toLocaleString('en')} />
        <span className={classes.key} data-series="good">
          Alerts
        </span>
        <span className={classes.key} data-series="failed">
          Failed attempts {counts.total.failedAttempts.toLocaleString('en')}
        </span>
      </p>
      <CountsBars counts={counts} />
      <p className={classes.note}>
        {rangeNames[counts.range]}. The last bar is not complete. A failed attempt is retried for about a day.
      </p>
    </>
  )
}

type Firing = Summary['firingAlerts']['list'][number]
type FiringNowProps = { workspace: string; firing: Summary['firingAlerts']; titles: Titles }
const shownMax = 3

/** The alerts that fire and are not resolved. While none does, the headline says so. */
function FiringNow({ workspace, firing, titles }: FiringNowProps) {
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
