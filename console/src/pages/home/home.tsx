import { Skeleton, Text, Title } from '@mantine/core'
import { useThrottledCallback } from '@mantine/hooks'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { IconAlert, IconPlus } from '../../components/icons.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { LinkText } from '../../components/link-text.tsx'
import { Notice } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { Status } from '../../components/status.tsx'
import { useApiList } from '../../data/lists.ts'
import { useLive } from '../../data/live.ts'
import { useApiQuery } from '../../data/queries.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { useTitles } from '../../layouts/alert/use-titles.ts'
import { dayInWords } from '../../layouts/counts/counts.ts'
import { FirstStepsState } from '../../layouts/first-steps-state.tsx'
import { GoalCards } from '../../layouts/watch/goal-cards.tsx'
import { CountsChart } from './counts-chart.tsx'
import { FiringNow } from './firing-now.tsx'
import { headlineOf, type Summary } from './headline.ts'
import classes from './home.module.css'
import { RecentAlerts } from './recent-alerts.tsx'
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
