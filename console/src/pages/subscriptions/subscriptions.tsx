import { Group, Text } from '@mantine/core'
import { useMemo } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconPlus, IconSubscription } from '../../components/icons.tsx'
import { LinkButton, LinkText } from '../../components/links.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Status } from '../../components/status.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column, Facet } from '../../components/table/table-model.ts'
import { useApiList } from '../../data/lists.ts'
import { atLeast, useWorkspace } from '../../data/workspace.ts'
import { type Titles, useTitles } from '../../layouts/alert/use-titles.ts'
import type { Resource } from '../../layouts/destination/blueprints.ts'
import { ChannelGlyph } from '../../layouts/destination/channel-glyph.tsx'
import { useDestinations } from '../../layouts/destination/health.tsx'
import { SubscriptionSentence } from '../../layouts/sentence/sentences.tsx'
import { isOwn, nameOf, type Subscription } from './model/subscription.ts'

const statusFacet: Facet<Subscription> = {
  label: 'Status',
  value: ({ status }) => status,
  options: [
    { value: 'active', label: 'Active' },
    { value: 'paused', label: 'Paused' },
  ],
}
const ownerFacet: Facet<Subscription> = {
  label: 'Owner',
  value: (subscription) => (isOwn(subscription) ? 'own' : 'others'),
  options: [
    { value: 'own', label: 'Mine' },
    { value: 'others', label: 'Others' },
  ],
}
const facetsOfAdmins = [statusFacet, ownerFacet]
const facetsOfAll = [statusFacet]

export function SubscriptionsPage() {
  const { fullname: workspace, level } = useWorkspace()
  const list = useApiList('listSubscriptions', { query: { workspace } })
  const seesAll = atLeast(level, 'admin')
  const { items: destinations } = useDestinations(workspace)
  const titles = useTitles(workspace)
  const columns = useMemo(
    () => columnsFor({ workspace, seesAll, destinations, titles }),
    [workspace, seesAll, destinations, titles],
  )
  const create = (
    <LinkButton to="/w/$workspace/subscriptions/new" params={{ workspace }} leftSection={<IconPlus />}>
      Create subscription
    </LinkButton>
  )
  return (
    <Page
      title="Subscriptions"
      about="The alerts you receive, and where they are sent."
      actions={list.items.length > 0 && create}
    >
      <DataTable
        label="Subscriptions"
        list={list}
        columns={columns}
        facets={seesAll ? facetsOfAdmins : facetsOfAll}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={IconSubscription}
            title="No subscriptions yet"
            text="Choose a project, alerts and a destination."
          >
            {create}
            <LinkButton to="/marketplace" variant="default">
              Browse marketplace
            </LinkButton>
          </EmptyState>
        }
      />
    </Page>
  )
}

type Known = { workspace: string; seesAll: boolean; destinations: Resource[]; titles: Titles }

function columnsFor({ workspace, seesAll, destinations, titles }: Known): Column<Subscription>[] {
  const owner: Column<Subscription> = { key: 'owner', header: 'Owner', value: ({ account }) => account?.name ?? 'Me' }
  return [
    {
      key: 'name',
      header: 'Subscription',
      value: (subscription) => nameOf(subscription, titles.trigger),
      cell: (subscription) => (
        <div>
          <LinkText
            to="/w/$workspace/subscriptions/$subscription"
            params={{ workspace, subscription: subscription.id }}
            fw={550}
          >
            {nameOf(subscription, titles.trigger)}
          </LinkText>
          <SubscriptionSentence workspace={workspace} subscription={subscription} isRow />
        </div>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      value: ({ status }) => status,
      cell: ({ status, issue }) => (
        <div>
          <Status value={status} />
          {issue && (
            <Text size="xs" c="dimmed">
              {issue}
            </Text>
          )}
        </div>
      ),
    },
    {
      key: 'resources',
      header: 'Delivers to',
      value: ({ resources }) => resources.map((fullname) => titles.destination(fullname)).join(', ') || 'App only',
      cell: ({ resources }) => <DestinationNames {...{ resources, destinations, titles }} />,
    },
    ...(seesAll ? [owner] : []),
    {
      key: 'since',
      header: 'Created',
      value: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ]
}

type DestinationNamesProps = { resources: string[]; destinations: Resource[]; titles: Titles }

/** The channels of the destinations with their names. */
function DestinationNames({ resources, destinations, titles }: DestinationNamesProps) {
  if (resources.length === 0) return <Text size="sm">App only</Text>
  return (
    <Group gap="xs">
      {resources.map((fullname) => (
        <Group key={fullname} gap={6} wrap="nowrap" title={fullname}>
          <ChannelGlyph blueprint={findIn(destinations, fullname)?.blueprint ?? ''} size={20} />
          {titles.destination(fullname)}
        </Group>
      ))}
    </Group>
  )
}

function findIn(destinations: Resource[], fullname: string): Resource | undefined {
  return destinations.find((destination) => destination.fullname === fullname)
}
