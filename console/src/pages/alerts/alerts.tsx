import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconAlert } from '../../components/icons.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Page } from '../../components/page.tsx'
import { Status } from '../../components/status.tsx'
import { useWorkspace } from '../../data/use-workspace.ts'
import { atLeast } from '../../data/workspace.ts'
import { Resend } from '../../layouts/destination/resend.tsx'
import { FirstStepsState } from '../../layouts/first-steps-state.tsx'
import { Feed } from './feed.tsx'
import { FeedFilters } from './feed-filters.tsx'
import { FeedHistogram } from './feed-histogram.tsx'
import type { AlertFilters } from './filters.ts'
import { useFeed } from './use-feed.ts'
import { ViewsMenu } from './views-menu.tsx'

export function AlertsPage() {
  const { fullname: workspace, level } = useWorkspace()
  const filters = useSearch({ from: '/shell/w/$workspace/alerts' })
  const navigate = useNavigate()
  const { list, isLive, newIds } = useFeed(workspace, filters)
  const isFiltered = Object.keys(filters).length > 0
  const setFilters = (search: AlertFilters) =>
    void navigate({ to: '/w/$workspace/alerts', params: { workspace }, search, replace: true })
  return (
    <Page
      title="Alerts"
      about="Alerts from your subscriptions, live."
      actions={
        <>
          <Status
            value={isLive ? 'running' : 'pending'}
            label={isLive ? 'Live' : 'Connecting. New alerts may be delayed.'}
          />
          {atLeast(level, 'admin') && <Resend workspace={workspace} />}
          <ViewsMenu workspace={workspace} filters={filters} setFilters={setFilters} />
        </>
      }
    >
      <FeedHistogram workspace={workspace} filters={filters} />
      <FeedFilters workspace={workspace} filters={filters} alerts={list.items} setFilters={setFilters} />
      <Feed
        workspace={workspace}
        list={list}
        newIds={newIds}
        hasStatusFilter={filters.status !== undefined || filters.state !== undefined || filters.q !== undefined}
        empty={isFiltered ? <NoMatches clear={() => setFilters({})} /> : <NoAlerts workspace={workspace} />}
      />
    </Page>
  )
}

function NoAlerts({ workspace }: { workspace: string }) {
  return (
    <FirstStepsState
      icon={IconAlert}
      title="No alerts yet"
      text="Alerts of your subscriptions appear here live. A timer is the quickest way to see one."
    >
      <LinkButton to="/w/$workspace/subscriptions/new" params={{ workspace }} variant="default">
        Create subscription
      </LinkButton>
    </FirstStepsState>
  )
}

function NoMatches({ clear }: { clear: () => void }) {
  return (
    <EmptyState icon={IconAlert} title="No alerts match the filters" text="New alerts that match appear here live.">
      <Button variant="default" onClick={clear}>
        Clear filters
      </Button>
    </EmptyState>
  )
}
