import { Box, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { LinkText } from '../../components/link-text.tsx'
import { Notice } from '../../components/notice.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { PageFailure } from '../../components/page-failure.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { ChannelGlyph } from '../../components/patterns/channel-glyph.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { type Entity, useEntity } from '../../data/queries.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { atLeast } from '../../data/workspace.ts'
import {
  kindOf,
  offText,
  type Resource,
  targetOf,
  titleOf,
  useBlueprints,
} from '../../layouts/destination/blueprints.ts'
import { HealthStatus, healthFacts } from '../../layouts/destination/health.tsx'
import { Resend } from '../../layouts/destination/resend.tsx'
import { TelegramSetup } from '../../layouts/destination/telegram-setup.tsx'
import { TestButton } from '../../layouts/destination/test-button.tsx'
import { StackNotice } from '../../layouts/stack-notice.tsx'
import { DeleteResource } from './delete-resource.tsx'
import { DeliveryChart } from './delivery-chart.tsx'
import { EditResource } from './edit-resource.tsx'
import { ExternalToken } from './external-token.tsx'
import { NotifyOnFailure } from './notify-on-failure.tsx'

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
      glyph={<ChannelGlyph kind={kindOf(view.blueprint)} size={40} />}
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
