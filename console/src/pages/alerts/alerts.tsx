import { Button, Group, Menu, Modal, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Legend } from '../../charts/series.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { IconAlert, IconChevronDown, IconPlus, IconTrash } from '../../components/icons.tsx'
import { LinkButton } from '../../components/links.tsx'
import { Page } from '../../components/page.tsx'
import { Status } from '../../components/status.tsx'
import { useApiQuery } from '../../data/queries.ts'
import { atLeast, useWorkspace } from '../../data/workspace.ts'
import type { Counts, CountsRange } from '../../layouts/counts/counts.ts'
import { CountsBars, countNames } from '../../layouts/counts/counts-bars.tsx'
import { Resend } from '../../layouts/destination/resend.tsx'
import { FirstStepsState } from '../../layouts/first-steps-state.tsx'
import classes from './feed.module.css'
import { Feed } from './feed.tsx'
import { FeedFilters } from './feed-filters.tsx'
import type { AlertFilters } from './filters.ts'
import { useSavedViews } from './saved-views.ts'
import { useFeed } from './use-feed.ts'

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

const pollMs = 30_000

/**
 * How many alerts there were: of the workspace, or of the trigger or subscription that the filters name. Other filters
 * do not change it, because the service counts no smaller parts. Its shortest range is 24 hours.
 */
function FeedHistogram({ workspace, filters }: { workspace: string; filters: AlertFilters }) {
  const { data, error, refetch } = useCounts(workspace, filters)
  if (!data) return <ErrorNotice error={error} title="The alerts could not be counted." retry={() => void refetch()} />
  if (data.total.recorded === 0) return null
  return (
    <div className={classes.histogram}>
      <CountsBars counts={data} height={96} />
      {data.total.failedAttempts > 0 && <Legend names={[countNames.good, countNames.failed]} hasFailures />}
    </div>
  )
}

function useCounts(
  workspace: string,
  { trigger = '', subscription = '', range }: AlertFilters,
): { data: Counts | undefined; error: Error | null; refetch: () => unknown } {
  const query = { range: rangeOf(range) }
  const isOfTrigger = trigger !== '' && subscription === ''
  const isWhole = trigger === '' && subscription === ''
  const ofWorkspace = useApiQuery('getWorkspaceCounts', { fullname: workspace, query }, { pollMs, enabled: isWhole })
  const ofTrigger = useApiQuery('getTriggerCounts', { fullname: trigger, query }, { pollMs, enabled: isOfTrigger })
  const ofSubscription = useApiQuery(
    'getSubscriptionCounts',
    { id: subscription, query },
    { pollMs, enabled: subscription !== '' },
  )
  return isWhole ? ofWorkspace : isOfTrigger ? ofTrigger : ofSubscription
}

function rangeOf(range: AlertFilters['range']): CountsRange {
  return range === '7d' || range === '30d' ? range : '24h'
}

type ViewsMenuProps = { workspace: string; filters: AlertFilters; setFilters: (filters: AlertFilters) => void }

/** Filters that need no name, because everybody has them. */
const common: { name: string; filters: AlertFilters }[] = [
  { name: 'Firing', filters: { state: 'firing' } },
  { name: 'Critical', filters: { severity: 'critical' } },
  { name: 'Failed deliveries', filters: { status: 'failed' } },
]

/** Applies, saves and removes views of the feed. */
function ViewsMenu({ workspace, filters, setFilters }: ViewsMenuProps) {
  const { views, save, remove } = useSavedViews(workspace)
  const [isNaming, { open, close }] = useDisclosure(false)
  return (
    <>
      <Menu position="bottom-end" shadow="md" width={240}>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} />}>
            Views
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {common.map((view) => (
            <Menu.Item key={view.name} onClick={() => setFilters(view.filters)}>
              {view.name}
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          {views.map((view) => (
            <Menu.Item key={view.name} onClick={() => setFilters(view.filters)}>
              {view.name}
            </Menu.Item>
          ))}
          {views.map(({ name }) => (
            <Menu.Item key={name} color="red" leftSection={<IconTrash size={16} />} onClick={() => remove(name)}>
              Remove {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconPlus size={16} />} disabled={Object.keys(filters).length === 0} onClick={open}>
            Save this view
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isNaming && <NameDialog close={close} save={(name) => save({ name, filters })} />}
    </>
  )
}

function NameDialog({ close, save }: { close: () => void; save: (name: string) => void }) {
  const [name, setName] = useState('')
  const submit = () => {
    save(name.trim())
    close()
  }
  return (
    <Modal opened onClose={close} title="Save this view" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextInput
          label="Name"
          description="The view is kept in this browser."
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={64}
          data-autofocus
        />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={name.trim() === ''}>
            Save view
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
