import { Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { LinkText } from '../../components/link-text.tsx'
import { Notice } from '../../components/notice.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { PageFailure } from '../../components/page-failure.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
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
import { TelegramSetup } from '../../layouts/destination/telegram-setup.tsx'
import { TestButton } from '../../layouts/destination/test-button.tsx'
import { StackNotice } from '../../layouts/stack-notice.tsx'
import { DeleteResource } from './delete-resource.tsx'
import { EditResource } from './edit-resource.tsx'
import { ExternalToken } from './external-token.tsx'

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
      about={<span className="mono">{view.fullname}</span>}
      breadcrumb={
        <LinkText to="/w/$workspace/resources" params={{ workspace }}>
          Destinations
        </LinkText>
      }
      actions={mayChange && <DeleteResource resource={view} />}
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
        {mayChange && <TestButton fullname={view.fullname} title={view.meta.title ?? view.name} />}
      </Section>
      {kindOf(view.blueprint) === 'telegram' && <Telegram resource={view} isOwner={level === 'owner'} />}
      {mayChange && (
        <Section title="Settings">
          <EditResource key={data.tag} entity={data} />
        </Section>
      )}
      {view.token !== undefined && <ExternalToken token={view.token} />}
    </Page>
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
