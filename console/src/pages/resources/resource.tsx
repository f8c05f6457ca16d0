import { Box, Button, Code, Group, Skeleton, Text } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { HistoryChart } from '../../charts/history-chart.tsx'
import { Legend } from '../../charts/series.tsx'
import { ConfirmAction, DangerButton } from '../../components/confirm-action.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { LinkText } from '../../components/links.tsx'
import { Loaded, PageFailure } from '../../components/loaded.tsx'
import { Notice } from '../../components/notice.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import type { Body } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { type Entity, useApiQuery, useEntity } from '../../data/queries.ts'
import { atLeast, useWorkspace } from '../../data/workspace.ts'
import {
  kindOf,
  offText,
  type Resource,
  targetOf,
  titleOf,
  useBlueprints,
} from '../../layouts/destination/blueprints.ts'
import { ChannelGlyph } from '../../layouts/destination/channel-glyph.tsx'
import { DestinationForm, type DestinationValues } from '../../layouts/destination/destination-form.tsx'
import { HealthStatus, healthFacts } from '../../layouts/destination/health.tsx'
import { Resend } from '../../layouts/destination/resend.tsx'
import { TelegramSetup } from '../../layouts/destination/telegram-setup.tsx'
import { TestButton } from '../../layouts/destination/test-button.tsx'
import { StackNotice } from '../../layouts/stack-notice.tsx'
import { bodyOf, NotifyOnFailure } from './notify-on-failure.tsx'

const pollMs = 15_000

export function ResourcePage() {
  const { workspace, resource } = useParams({ from: '/shell/w/$workspace/resources/$resource' })
  const { level } = useWorkspace()
  const { data, error, refetch } = useEntity('getResource', { fullname: resource }, { pollMs })
  if (!data)
    return error ? <PageFailure title="Destination" error={error} retry={() => void refetch()} /> : <PageLoading />
  const { view } = data
  const mayChange = atLeast(level, 'admin')
  return (
    <Page
      title={view.meta.title ?? view.name}
      glyph={<ChannelGlyph blueprint={view.blueprint} size={40} />}
      about={<HealthLine resource={view} />}
      breadcrumb={
        <LinkText to="/w/$workspace/resources" params={{ workspace }}>
          Destinations
        </LinkText>
      }
      actions={
        mayChange && (
          <>
            <Resend
              workspace={workspace}
              resource={view.fullname}
              title={view.meta.title ?? view.name}
              failingSince={view.health?.failingSince}
            />
            <DeleteResource resource={view} />
          </>
        )
      }
      isNarrow
    >
      <StackNotice
        workspace={workspace}
        kind="resource"
        name={view.fullname}
        labels={view.labels}
        isEdited={mayChange}
      />
      <Section title="Status">
        <ResourceStatus resource={view} />
        {mayChange && (
          <Box mt="md">
            <TestButton fullname={view.fullname} title={view.meta.title ?? view.name} />
          </Box>
        )}
      </Section>
      <Section title="Deliveries" about="The last 24 hours, hour by hour.">
        <DeliveryChart fullname={view.fullname} title={view.meta.title ?? view.name} />
      </Section>
      {mayChange && <NotifyOnFailure entity={data} />}
      {kindOf(view.blueprint) === 'telegram' && <Telegram resource={view} isOwner={level === 'owner'} />}
      {mayChange && (
        <Section title="Settings">
          <EditResource entity={data} />
        </Section>
      )}
      {view.token !== undefined && <ExternalToken token={view.token} />}
    </Page>
  )
}

/** The state under the title, and where the destination delivers to. The full name is shown on hover. */
function HealthLine({ resource }: { resource: Resource }) {
  const target = targetOf(resource)
  return (
    <span title={resource.fullname}>
      <HealthStatus resource={resource} />
      {target !== undefined && ` · ${target}`}
    </span>
  )
}

function ResourceStatus({ resource }: { resource: Entity<Resource>['view'] }) {
  const { items: blueprints } = useBlueprints()
  const { remark, blueprint, updatedAt, project } = resource
  return (
    <>
      <Facts
        facts={[
          ['Status', <HealthStatus key="status" resource={resource} />],
          ...healthFacts(resource),
          ['Kind', titleOf(blueprint, blueprints)],
          ['Delivers to', targetOf(resource) ?? '–'],
          ...(project === undefined ? [] : [['Project', project] satisfies [string, string]]),
          ['Changed', <RelativeTime key="changed" at={updatedAt} />],
        ]}
      />
      {remark && (
        <div style={{ marginTop: 16 }}>
          <Notice tone="warn" title={remark}>
            <Text size="sm">
              {kindOf(blueprint) === 'telegram'
                ? 'Connect a chat below. Until then deliveries fail. You can resend them later.'
                : 'Check the settings below. Saving them enables the destination again.'}
            </Text>
          </Notice>
        </div>
      )}
    </>
  )
}

function Telegram({ resource, isOwner }: { resource: Resource; isOwner: boolean }) {
  const blueprint = useBlueprints().items.find(({ fullname }) => fullname === resource.blueprint)
  return (
    <Section title="Chat">
      {blueprint?.configured === false ? (
        <Text>{offText(blueprint)}</Text>
      ) : isOwner ? (
        <TelegramSetup fullname={resource.fullname} isConnected={resource.ready} />
      ) : (
        <Text c="dimmed">An owner of the workspace must connect the chat.</Text>
      )}
    </Section>
  )
}

function DeleteResource({ resource: { fullname, workspace } }: { resource: Resource }) {
  const navigate = useNavigate()
  const remove = useChange('deleteResource', {
    notice: `${fullname} deleted.`,
    refetches: ['subscriptions', 'alerts'],
    after: () => navigate({ to: '/w/$workspace/resources', params: { workspace } }),
  })
  return (
    <ConfirmAction
      title={`Delete ${fullname}?`}
      text="Subscriptions no longer send alerts to this destination, and queued deliveries are dropped. This cannot be undone."
      verb="Delete destination"
      typed={fullname}
      act={() => remove.mutateAsync({ fullname })}
    >
      {(open) => <DangerButton onClick={open}>Delete</DangerButton>}
    </ConfirmAction>
  )
}

/** The token for apps that set the chat themselves. Anyone who has it can redirect alerts, so it is hidden by default. */
function ExternalToken({ token }: { token: string }) {
  const [isShown, setShown] = useState(false)
  return (
    <Section
      title="Setup token"
      about="For an app that sets the chat without the Telegram bot. Anyone with this token can change where alerts are sent."
    >
      {isShown && (
        <Text mb="sm">
          <Code>{token}</Code>
        </Text>
      )}
      <Group gap="xs">
        <Button variant="default" onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide token' : 'Show token'}
        </Button>
        {isShown && <CopyButton value={token} what="token" />}
      </Group>
      <Text size="sm" c="dimmed" mt="xs">
        Send it only over HTTPS. Never write it to a log or a message.
      </Text>
    </Section>
  )
}

/** The title and the settings of a destination. */
function EditResource({ entity: { view, tag } }: { entity: Entity<Resource> }) {
  const { items, isLoading, error, reload } = useBlueprints()
  const change = useChange('saveResource', { notice: 'Destination saved.', refetches: ['subscriptions'] })
  if (error && items.length === 0) return <ErrorNotice error={error} retry={reload} />
  if (isLoading) return <Skeleton height={120} />
  const { name, fullname } = view
  const blueprint = items.find((known) => known.fullname === view.blueprint)
  if (!blueprint) return <p>This service no longer supports the kind {view.blueprint}.</p>
  const save = ({ title, data }: DestinationValues, version: string | undefined) => {
    const body = {
      ...bodyOf(view),
      ...(!blueprint.external && { data }),
      meta: title.trim() === '' ? {} : { title },
    }
    return change.mutateAsync({ fullname, body, ...(version !== undefined && { ifMatch: version }) })
  }
  return (
    <DestinationForm
      blueprint={blueprint}
      initial={{ title: view.meta.title ?? '', name, data: view.data ?? {} }}
      version={tag}
      verb="Save"
      save={save}
    />
  )
}

const chartPollMs = 30_000
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const names = { good: 'Delivered', failed: 'Failed attempts' }

type DeliveryChartProps = { fullname: string; title: string }

/** Deliveries that arrived and attempts that failed, for each hour of a day. */
function DeliveryChart({ fullname, title }: DeliveryChartProps) {
  const query = useApiQuery('getResourceCounts', { fullname }, { pollMs: chartPollMs })
  return (
    <Loaded query={query} height={190}>
      {(counts) => <Chart counts={counts} title={title} />}
    </Loaded>
  )
}

function Chart({ counts, title }: { counts: Body<'getResourceCounts'>; title: string }) {
  const { delivered, failedAttempts } = counts.total
  if (delivered + failedAttempts === 0) return <Text c="dimmed">Nothing was sent in the last 24 hours.</Text>
  return (
    <>
      <HistoryChart
        label={`Deliveries to ${title} in the last 24 hours: ${delivered} delivered, ${failedAttempts} failed attempts`}
        names={names}
        bars={counts.hours.map(({ hour, delivered, failedAttempts }, at) => ({
          label: time.format(new Date(hour)),
          good: delivered,
          failed: failedAttempts,
          isOpen: at === counts.hours.length - 1,
        }))}
        labelled={(at) => (counts.hours.length - 1 - at) % 6 === 0}
        height={160}
      />
      <Legend names={[names.good, names.failed]} hasFailures />
    </>
  )
}
