import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconAlert } from '../../components/icons.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { Page } from '../../components/page.tsx'
import { Status } from '../../components/status.tsx'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Feed } from './feed.tsx'
import { FeedFilters } from './feed-filters.tsx'
import type { AlertFilters } from './filters.ts'
import { useFeed } from './use-feed.ts'

export function AlertsPage() {
  const { fullname: workspace } = useWorkspace()
  const filters = useSearch({ from: '/shell/w/$workspace/alerts' })
  const navigate = useNavigate()
  const { list, isLive, arrived } = useFeed(workspace, filters)
  const isNarrowed = Object.keys(filters).length > 0
  const narrow = (search: AlertFilters) =>
    void navigate({ to: '/w/$workspace/alerts', params: { workspace }, search, replace: true })
  return (
    <Page
      title="Alerts"
      about="Alerts from your subscriptions, live."
      actions={
        <Status
          value={isLive ? 'running' : 'pending'}
          label={isLive ? 'Live' : 'Connecting: new alerts may come late'}
        />
      }
    >
      <FeedFilters workspace={workspace} filters={filters} alerts={list.items} narrow={narrow} />
      <Feed
        workspace={workspace}
        list={list}
        arrived={arrived}
        empty={isNarrowed ? <NothingFits clear={() => narrow({})} /> : <NothingYet workspace={workspace} />}
      />
    </Page>
  )
}

function NothingYet({ workspace }: { workspace: string }) {
  return (
    <EmptyState
      icon={IconAlert}
      title="No alerts yet"
      text="Alerts appear here by themselves as soon as something you subscribed to happens. A timer is the quickest way to see one."
    >
      <LinkButton to="/first-steps">See a first alert</LinkButton>
      <LinkButton to="/w/$workspace/subscriptions/new" params={{ workspace }} variant="default">
        Subscribe to something
      </LinkButton>
    </EmptyState>
  )
}

function NothingFits({ clear }: { clear: () => void }) {
  return (
    <EmptyState icon={IconAlert} title="Nothing fits the filters" text="Alerts that fit appear here as they are made.">
      <Button variant="default" onClick={clear}>
        Show all alerts
      </Button>
    </EmptyState>
  )
}
